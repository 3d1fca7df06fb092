// SPDX-License-Identifier: MIT
// The guest of embed_adapter.cpp: what a game does, in virtual addresses, through the system of embed_adapter_system.h.
// Registers and values are those that its GPU library would write; embed_minimal.cpp explains them.
#pragma once

#include "samples/embed/embed_adapter_system.h"

#include <array>
#include <cstring>
#include <vector>

namespace guest
{

using emulator::Gx;
using emulator::u32;
using emulator::u8;

constexpr u32 kWidth = 240, kHeight = 400, kSize = kWidth | kHeight << 16;
constexpr u32 kRowBytes = kWidth * 3; // of a picture in RGB8

// What the CPU writes lies in the linear heap, what only the GPU accesses lies in VRAM.
constexpr u32 kHeap = 0x30000000, kVram = 0x1F000000;
constexpr u32 kCommandList = kHeap, kVertices = kHeap + 0x10000, kNewVertices = kHeap + 0x18000;
constexpr u32 kPicture = kHeap + 0x100000;
constexpr u32 kColorBuffer = kVram, kScreenBuffer = kVram + 0x200000;

// The registers of the GPU take physical addresses, which the guest computes itself.
constexpr u32 kPhysicalVertices = emulator::physical(kVertices);
constexpr u32 kPhysicalColorBuffer = emulator::physical(kColorBuffer);

constexpr u32 kTriangle[][2] = {
    // The vertex program and its outputs.
    {0x2CB, 0},
    {0x2CC, 0x4C000000},
    {0x2CC, 0x4C201000},
    {0x2CC, 0x88000000},
    {0x2BF, 1},
    {0x2D5, 0},
    {0x2D6, 0x36F},
    {0x2BA, 0x7FFF0000},
    {0x04F, 2},
    {0x050, 0x03020100},
    {0x051, 0x0B0A0908},
    {0x2BD, 3},
    {0x24A, 1},
    {0x251, 1},
    // the vertices
    {0x200, kPhysicalVertices >> 3},
    {0x201, 0xFF},
    {0x202, 1u << 28},
    {0x203, 0},
    {0x204, 0x10},
    {0x205, 32u << 16 | 2u << 28},
    {0x242, 1},
    {0x2B9, 0xA0000001},
    {0x2BB, 0x10},
    // texture combiners
    {0x0C0, 0},
    {0x0C1, 0},
    {0x0C2, 0},
    {0x0C4, 0},
    {0x0C8, 0xF000F},
    {0x0C9, 0},
    {0x0CA, 0},
    {0x0CC, 0},
    {0x0D0, 0xF000F},
    {0x0D1, 0},
    {0x0D2, 0},
    {0x0D4, 0},
    {0x0D8, 0xF000F},
    {0x0D9, 0},
    {0x0DA, 0},
    {0x0DC, 0},
    {0x0F0, 0xF000F},
    {0x0F1, 0},
    {0x0F2, 0},
    {0x0F4, 0},
    {0x0F8, 0xF000F},
    {0x0F9, 0},
    {0x0FA, 0},
    {0x0FC, 0},
    // rasteriser, fragment operations, the target
    {0x040, 0},
    {0x041, 0x45E000},
    {0x043, 0x469000},
    {0x04D, 0xBF0000},
    {0x06D, 1},
    {0x068, 0},
    {0x100, 0x100},
    {0x101, 0x01010000},
    {0x104, 0},
    {0x105, 0},
    {0x107, 0xF00},
    {0x112, 0xF},
    {0x113, 0xF},
    {0x117, 2},
    {0x11D, kPhysicalColorBuffer >> 3},
    {0x11E, kWidth | (kHeight - 1) << 12 | 1u << 24},
    // the draw, and the end of the list
    {0x25E, 1},
    {0x25F, 1},
    {0x227, 0x80000000},
    {0x228, 3},
    {0x22A, 0},
    {0x253, 1},
    {0x245, 0},
    {0x22E, 1},
    {0x245, 1},
    {0x253, 0},
    {0x010, 0x12345678}};

constexpr float kCorners[3][8] = {{-0.8f, -0.8f, -0.5f, 1, 1, 0, 0, 1},
                                  {0.8f, -0.8f, -0.5f, 1, 0, 1, 0, 1},
                                  {0, 0.8f, -0.5f, 1, 0, 0, 1, 1}};

// Draws a triangle, inverts a square of the finished picture with the CPU, and shows the result.
inline void run(emulator::System& system)
{
    // The CPU writes a command list and vertices, and flushes its cache so that the GPU sees them.
    std::vector<u32> list;
    for (const auto& [id, value] : kTriangle)
        list.insert(list.end(), {value, id | 0xFu << 16});
    list.resize((list.size() + 3) / 4 * 4);
    const u32 list_bytes = static_cast<u32>(list.size() * 4);
    system.store(kCommandList, list.data(), list_bytes);
    system.store(kNewVertices, kCorners, sizeof kCorners);
    system.flush_data_cache(kHeap, 0x20000);

    // Queue: copy the vertices, clear, draw, convert to rows of RGB8 where the CPU can read them.
    system.gx({u32(Gx::RequestDma), kNewVertices, kVertices, sizeof kCorners, 0, 0, 0, 1});
    system.gx({u32(Gx::MemoryFill), kColorBuffer, 0x404040FF, kColorBuffer + kWidth * kHeight * 4, 0, 0, 0,
               2u << 8 | 1});
    system.gx({u32(Gx::ProcessCommandList), kCommandList, list_bytes, 0, 0, 0, 0, 1});
    system.gx({u32(Gx::DisplayTransfer), kColorBuffer, kPicture, kSize, kSize, 1u << 12, 0, 0});

    // The CPU reads what the GPU made, and changes a part of it. Memory row 300 is column 300 of the screen.
    system.invalidate_data_cache(kPicture, kRowBytes * kHeight);
    for (u32 row = 300; row < 316; ++row)
    {
        std::array<u8, 16 * 3> pixels;
        const u32 at = kPicture + row * kRowBytes + 112 * 3;
        system.load(at, pixels.data(), pixels.size());
        for (u8& byte : pixels)
            byte = static_cast<u8>(~byte);
        system.store(at, pixels.data(), pixels.size());
    }

    // This time the flush goes through the queue. The GPU copies the picture to where the screen shows it.
    system.gx({u32(Gx::FlushCacheRegions), kPicture, kRowBytes * kHeight, 0, 0, 0, 0, 0});
    system.gx({u32(Gx::TextureCopy), kPicture, kScreenBuffer, kRowBytes * kHeight, 0, 0, 8, 0});
    system.set_buffer_swap(0, {0, kScreenBuffer, kScreenBuffer, kRowBytes, 0x341, 0, 0});
    system.set_lcd_force_black(false);
}

} // namespace guest
