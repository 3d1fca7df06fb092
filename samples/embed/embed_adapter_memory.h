// SPDX-License-Identifier: MIT
// Three emulators' ways to hear of what the guest's CPU does to memory, and what each tells the renderer. An emulator
// needs one of them. Guide: renderer/EMBEDDING.md, "4. Tell picavk what the CPU does to memory".
#pragma once

#include "samples/embed/embed_adapter_system.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if defined(__linux__) || defined(_WIN32)
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

#if defined(__linux__) || defined(_WIN32)

// The CPU accesses memory freely, through a mapping of its own. The renderer says which pages it cares about; the
// emulator protects those, and a page fault tells it of an access. The other mapping is never protected: the renderer
// and the emulator's own code use that one.
class FaultingMemory final : public Memory
{
public:
    explicit FaultingMemory(Renderer& gpu) : gpu_(gpu) { current_ = this; }
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
        if (!set_rights(cpu(address), bytes, rights))
            std::abort();
        for (u32 page = 0; page < bytes; page += kPageBytes)
            reads_fault(address + page) = reads;
    }

private:
    static constexpr u32 kPageBytes = 4096;

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
            const u32 address = bank.address + static_cast<u32>(at - bank.cpu) / kPageBytes * kPageBytes;
            if (reads_fault(address))
            {
                // The renderer has newer bytes. It puts them into memory, and calls protect() for the page before it
                // returns. If the access is a write, it faults once more.
                gpu_.before_read(address, kPageBytes);
                if (reads_fault(address))
                    std::abort();
                return true;
            }
            // In this order: a call of the renderer in between would protect the page again.
            set_rights(cpu(address), kPageBytes, Rights::ReadWrite);
            gpu_.after_write_to_page(address);
            return true;
        }
        return false;
    }

    u8& reads_fault(u32 address)
    {
        return address >= kFcramBase ? fcram_reads_fault_[(address - kFcramBase) / kPageBytes]
                                     : vram_reads_fault_[(address - kVramBase) / kPageBytes];
    }

    inline static FaultingMemory* current_ = nullptr;
    Renderer& gpu_;
    std::vector<Bank> banks_ = {map(kVramBase, kVramBytes), map(kFcramBase, kFcramBytes)};
    std::vector<u8> vram_reads_fault_ = std::vector<u8>(kVramBytes / kPageBytes);
    std::vector<u8> fcram_reads_fault_ = std::vector<u8>(kFcramBytes / kPageBytes);
    FaultHandler handler_{[](u8* at)
                          { return current_->fault(at); }}; // the last: it ends before what it uses
};

#endif

} // namespace emulator
