// SPDX-License-Identifier: MIT
// Three emulators' ways to hear of what the guest's CPU does to memory, and what each tells the renderer. An emulator
// needs one of them. Guide: renderer/EMBEDDING.md, "4. Tell picavk what the CPU does to memory".
#pragma once

#include "samples/embed/embed_adapter_system.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)
#include "samples/embed/embed_adapter_pages.h"
#endif

namespace emulator
{

// Memory that only has one mapping, for the CPU and for the GPU.
class PlainMemory : public Memory
{
public:
    explicit PlainMemory(Renderer& gpu) : gpu_(gpu) {}
    const std::vector<Bank>& banks() const override { return banks_; }

protected:
    Renderer& gpu_;

private:
    std::vector<u8> vram_ = std::vector<u8>(kVramBytes), fcram_ = std::vector<u8>(kFcramBytes);
    std::vector<Bank> banks_ = {{kVramBase, kVramBytes, vram_.data(), vram_.data()},
                                {kFcramBase, kFcramBytes, fcram_.data(), fcram_.data()}};
};

// The emulator hears of each access, before it happens. Flushes tell it nothing new.
class AnnouncingMemory final : public PlainMemory
{
public:
    using PlainMemory::PlainMemory;
    void load(u32 address, void* to, u32 bytes) override
    {
        gpu_.before_read(address, bytes);
        std::memcpy(to, cpu(address), bytes);
    }
    void store(u32 address, const void* from, u32 bytes) override
    {
        gpu_.before_write(address, bytes);
        std::memcpy(cpu(address), from, bytes);
    }
    void flush(u32, u32) override {}
    void invalidate(u32, u32) override {}
};

// The CPU accesses memory freely. The emulator hears of it when the guest flushes or invalidates its cache, which the
// guest must do wherever the GPU reads what the CPU wrote, and the other way round.
class FlushingMemory final : public PlainMemory
{
public:
    using PlainMemory::PlainMemory;
    void load(u32 address, void* to, u32 bytes) override { std::memcpy(to, cpu(address), bytes); }
    void store(u32 address, const void* from, u32 bytes) override { std::memcpy(cpu(address), from, bytes); }
    void flush(u32 address, u32 bytes) override { gpu_.after_flush(address, bytes); }
    void invalidate(u32 address, u32 bytes) override { gpu_.before_read(address, bytes); }
};

#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)

// The CPU accesses memory freely, through a mapping of its own. The renderer says which pages it cares about; the
// emulator protects those, and a page fault tells it of an access. The other mapping is never protected: the renderer
// and the emulator's own code use that one.
//
// The renderer speaks of the guest's pages, which have 4 KiB. The system's may have 16 KiB or more, and then each has
// several of the guest's: it is protected as the one that needs most.
class FaultingMemory final : public Memory
{
public:
    // page_bytes: of the system's pages, or a multiple of it, to act as on a system with larger ones.
    explicit FaultingMemory(Renderer& gpu, std::size_t page_bytes = system_page_bytes())
        : gpu_(gpu), page_bytes_(static_cast<u32>(std::max(page_bytes, system_page_bytes())))
    {
        current_ = this;
    }
    ~FaultingMemory() override
    {
        for (const Bank& bank : banks_)
        {
            unmap(bank.cpu, bank.bytes);
            unmap(bank.shared, bank.bytes);
        }
    }
    FaultingMemory(const FaultingMemory&) = delete;
    FaultingMemory& operator=(const FaultingMemory&) = delete;

    const std::vector<Bank>& banks() const override { return banks_; }
    void load(u32 address, void* to, u32 bytes) override { std::memcpy(to, cpu(address), bytes); }
    void store(u32 address, const void* from, u32 bytes) override { std::memcpy(cpu(address), from, bytes); }
    void flush(u32, u32) override {}
    void invalidate(u32, u32) override {}

    // The renderer says what it must hear of from now on: reads and writes, writes only, or nothing.
    void protect(u32 address, u32 bytes, bool reads, bool writes)
    {
        const Rights rights = reads ? Rights::None : writes ? Rights::Read : Rights::ReadWrite;
        for (u32 page = 0; page < bytes; page += kGuestPage)
            wanted(address + page) = rights;
        const u32 end = address + bytes;
        for (u32 page = address / page_bytes_ * page_bytes_; page < end; page += page_bytes_)
            if (!set_rights(cpu(page), page_bytes_, strictest(page)))
                std::abort();
    }

private:
    static constexpr u32 kGuestPage = 4096;

    static Bank map(u32 address, u32 bytes)
    {
        const TwoViews views = map_twice(bytes);
        if (views.first == nullptr || views.second == nullptr)
            std::abort();
        return {address, bytes, views.first, views.second};
    }

    // Runs on the thread of the guest's CPU, in the middle of its load or store. That thread drives the renderer too,
    // and is not inside of a call of it, so it may call it. False: this is not guest memory.
    bool fault(u8* at)
    {
        for (const Bank& bank : banks_)
        {
            if (at < bank.cpu || at >= bank.cpu + bank.bytes)
                continue;
            const u32 page = bank.address + static_cast<u32>(at - bank.cpu) / page_bytes_ * page_bytes_;
            if (strictest(page) == Rights::None)
            {
                // The renderer has newer bytes. It puts them into memory, and calls protect() for the pages before it
                // returns. If the access is a write, it faults once more.
                gpu_.before_read(page, page_bytes_);
                if (strictest(page) == Rights::None)
                    std::abort();
                return true;
            }
            // In this order: a call of the renderer in between would protect the page again. That all of the guest's
            // pages in it count as written is safe, because the renderer has newer bytes of none.
            for (u32 i = 0; i < page_bytes_; i += kGuestPage)
                wanted(page + i) = Rights::ReadWrite;
            set_rights(cpu(page), page_bytes_, Rights::ReadWrite);
            gpu_.after_write_to_pages(page, page_bytes_);
            return true;
        }
        return false;
    }

    // What the renderer wants of a page of the guest, and of the pages of the guest in one of the system.
    Rights& wanted(u32 address)
    {
        return address >= kFcramBase ? fcram_wanted_[(address - kFcramBase) / kGuestPage]
                                     : vram_wanted_[(address - kVramBase) / kGuestPage];
    }
    Rights strictest(u32 page)
    {
        Rights rights = Rights::ReadWrite;
        for (u32 i = 0; i < page_bytes_; i += kGuestPage)
            rights = std::min(rights, wanted(page + i));
        return rights;
    }

    inline static FaultingMemory* current_ = nullptr;
    Renderer& gpu_;
    const u32 page_bytes_;
    std::vector<Bank> banks_ = {map(kVramBase, kVramBytes), map(kFcramBase, kFcramBytes)};
    std::vector<Rights> vram_wanted_ = std::vector<Rights>(kVramBytes / kGuestPage, Rights::ReadWrite);
    std::vector<Rights> fcram_wanted_ = std::vector<Rights>(kFcramBytes / kGuestPage, Rights::ReadWrite);
    FaultHandler handler_{[](u8* at)
                          { return current_->fault(at); }}; // the last: it ends before what it uses
};

#endif

} // namespace emulator
