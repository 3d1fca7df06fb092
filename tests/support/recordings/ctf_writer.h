// SPDX-License-Identifier: MIT
// Writes CiTrace files (.ctf) with Azahar's layout of register writes. Format: pica/trace/FORMAT.md.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace tests
{

using namespace pica;

class CtfWriter
{
public:
    void memory_load(PhysAddr address, std::span<const u8> bytes);
    void memory_load(PhysAddr address, std::span<const u32> words);
    void register_write(PhysAddr address, u32 value);
    void frame_marker();

    // Loads the list into guest memory and starts it.
    void command_list(PhysAddr address, std::span<const u32> words);
    // control: bits 8-9 of the PSC control register select the width.
    void memory_fill(PhysAddr start, PhysAddr end, u32 value, u32 control);
    // Sizes: width in bits 0-15, height in bits 16-31.
    void display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size, u32 flags);
    // rows: width in bits 0-15, gap in bits 16-31, in units of 16 bytes; 0: contiguous.
    void texture_copy(PhysAddr input, PhysAddr output, u32 size, u32 input_rows, u32 output_rows);
    // Shows a framebuffer on the top (0) or bottom (1) screen.
    void show(u32 screen, PhysAddr address, u32 format, u32 stride);

    // Returns the file's bytes.
    std::vector<u8> finish() const;

    // Register values before the first element.
    std::vector<u32> pica_registers = std::vector<u32>(0x300);

private:
    using Element = std::array<u32, 5>;
    std::vector<Element> elements_;
    std::vector<u8> data_;             // of memory loads
    std::vector<std::size_t> load_at_; // indices of elements whose file offset is relative to data_
};

} // namespace tests
