// SPDX-License-Identifier: MIT
// What the emulator of embed_adapter.cpp has anyway: an interface for renderers, one for guest memory, and the system
// services that the guest calls. Nothing here knows picavk.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace emulator
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

constexpr u32 kVramBase = 0x18000000, kVramBytes = 0x600000; // physical
constexpr u32 kFcramBase = 0x20000000, kFcramBytes = 0x800000;

// From the guest's virtual address to the physical one. 0 for what the GPU cannot reach, as the console has it for
// address 0, which means "none" in several services.
constexpr u32 physical(u32 address)
{
    if (address - 0x14000000 < 0x08000000) // the linear heap of older programs
        return address - 0x14000000 + kFcramBase;
    if (address - 0x30000000 < 0x10000000) // and of newer ones
        return address - 0x30000000 + kFcramBase;
    if (address - 0x1F000000 < kVramBytes)
        return address - 0x1F000000 + kVramBase;
    return 0;
}

struct Picture
{
    u32 width = 0, height = 0;
    std::vector<u8> rgba;
};

// What the guest passes to SetBufferSwap, in its order.
struct BufferInfo
{
    u32 active = 0, left = 0, right = 0, stride = 0, format = 0, select = 0, attribute = 0;
};

// Guest memory as the guest's CPU sees it. All addresses are physical.
class Memory
{
public:
    // A piece of memory and the mappings of its bytes: the CPU's, and the one that everybody else uses.
    struct Bank
    {
        u32 address = 0, bytes = 0;
        u8* cpu = nullptr;
        u8* shared = nullptr;
    };

    virtual ~Memory() = default;
    virtual const std::vector<Bank>& banks() const = 0;
    // The guest's CPU reads and writes.
    virtual void load(u32 address, void* to, u32 bytes) = 0;
    virtual void store(u32 address, const void* from, u32 bytes) = 0;
    // The guest asks for the CPU's cache to be written back, and to be dropped.
    virtual void flush(u32 address, u32 bytes) = 0;
    virtual void invalidate(u32 address, u32 bytes) = 0;

protected:
    u8* cpu(u32 address) const
    {
        for (const Bank& bank : banks())
            if (address - bank.address < bank.bytes)
                return bank.cpu + (address - bank.address);
        return nullptr;
    }
};

// The emulator's own interface, which its other renderers implement too. All addresses are physical.
class Renderer
{
public:
    virtual ~Renderer() = default;
    virtual bool initialize(const Memory& memory, std::string& error) = 0;
    virtual void draw_command_list(u32 address, u32 bytes) = 0;
    virtual void clear_buffer(u32 unit, u32 start, u32 end, u32 value, u32 control) = 0;
    virtual void display_transfer(u32 input, u32 output, u32 input_size, u32 output_size, u32 flags) = 0;
    virtual void texture_copy(u32 input, u32 output, u32 bytes, u32 input_rows, u32 output_rows) = 0;
    virtual void set_framebuffer(bool bottom, const BufferInfo& info) = 0;
    virtual void force_black(bool black) = 0;
    // A screen's picture, in the size that it has.
    virtual Picture display(bool bottom) = 0;
    // The user's setting of the internal resolution: this many times the console's, 1 to 8. It may change between frames.
    virtual void set_resolution(u32 scale) = 0;
    // The emulator copies bytes itself, for the system's DMA engine.
    virtual void copy_by_cpu(u32 from, u32 to, u32 bytes) = 0;

    // What the guest's CPU does to memory. An emulator calls what it hears of: embed_adapter_memory.h.
    virtual void before_read(u32 address, u32 bytes) = 0;
    virtual void before_write(u32 address, u32 bytes) = 0;
    virtual void after_flush(u32 address, u32 bytes) = 0;
    virtual void after_write_to_pages(u32 address, u32 bytes) noexcept = 0; // in a signal handler
};

// Ids of GX commands: the lowest byte of their first word.
enum class Gx : u32
{
    RequestDma = 0,
    ProcessCommandList = 1,
    MemoryFill = 2,
    DisplayTransfer = 3,
    TextureCopy = 4,
    FlushCacheRegions = 5,
};

// The services of the system that the guest calls, with virtual addresses.
class System
{
public:
    System(Memory& memory, Renderer& gpu) : memory_(memory), gpu_(gpu) {}

    void load(u32 address, void* to, u32 bytes) { memory_.load(physical(address), to, bytes); }
    void store(u32 address, const void* from, u32 bytes) { memory_.store(physical(address), from, bytes); }

    // FlushDataCache and StoreDataCache.
    void flush_data_cache(u32 address, u32 bytes) { memory_.flush(physical(address), bytes); }
    void invalidate_data_cache(u32 address, u32 bytes) { memory_.invalidate(physical(address), bytes); }

    void set_buffer_swap(u32 screen, BufferInfo info)
    {
        info.left = physical(info.left);
        info.right = physical(info.right);
        gpu_.set_framebuffer(screen != 0, info);
    }
    void set_lcd_force_black(bool black) { gpu_.force_black(black); }

    // A command of the guest's queue.
    void gx(const std::array<u32, 8>& word)
    {
        switch (static_cast<Gx>(word[0] & 0xFF))
        {
        case Gx::RequestDma:
            if (word[7] == 1)
                memory_.flush(physical(word[1]), word[3]);
            return gpu_.copy_by_cpu(physical(word[1]), physical(word[2]), word[3]);
        case Gx::ProcessCommandList:
            if (word[7] == 1)
                memory_.flush(physical(word[1]), word[2]);
            return gpu_.draw_command_list(physical(word[1]), word[2]);
        case Gx::MemoryFill: // two units; a unit whose start is 0 has nothing to do
            gpu_.clear_buffer(0, physical(word[1]), physical(word[3]), word[2], word[7] & 0xFFFF);
            return gpu_.clear_buffer(1, physical(word[4]), physical(word[6]), word[5], word[7] >> 16);
        case Gx::DisplayTransfer:
            return gpu_.display_transfer(physical(word[1]), physical(word[2]), word[3], word[4], word[5]);
        case Gx::TextureCopy:
            return gpu_.texture_copy(physical(word[1]), physical(word[2]), word[3], word[4], word[5]);
        case Gx::FlushCacheRegions: // up to three; a size of 0 ends the list
            for (u32 i = 1; i < 7 && word[i + 1] != 0; i += 2)
                memory_.flush(physical(word[i]), word[i + 1]);
            return;
        }
    }

private:
    Memory& memory_;
    Renderer& gpu_;
};

} // namespace emulator
