// SPDX-License-Identifier: MIT
// Texture copy (PPF). A plain description decoded from the registers, the ranges of bytes that it touches,
// and its execution on guest memory. Both backends use the description, so that both skip and touch the same
// bytes. Source: pica/hardware/engines.md, design.md row "Engines". Tests: tests/pica/transfer_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"
#include "pica/transfer/engine_range.h"

#include <algorithm>

namespace pica
{

class ExternalRegisters;
class GuestMemory;

// Copies a stream of bytes: reads `input_width` bytes, skips `input_gap`, and so on; writes in the same way.
struct TextureCopy
{
    PhysAddr input = 0;
    PhysAddr output = 0;
    u32 size = 0;
    u32 input_width = 0; // bytes; the whole size if the gap is 0
    u32 input_gap = 0;
    u32 output_width = 0;
    u32 output_gap = 0;

    bool copies_nothing() const { return size == 0 || input_width == 0 || output_width == 0; }
    ByteRange input_range() const;
    ByteRange output_range() const;
    bool operator==(const TextureCopy&) const = default;
};

// Visits the runs of bytes that follow each other on both sides, in order: visit(u64 from, u64 to, u32 bytes), where
// `from` and `to` count from the starts of input and output. The copy must not be empty.
template <typename Visit>
void for_each_run(const TextureCopy& copy, Visit visit)
{
    struct Stream
    {
        u32 width;
        u32 gap;
        u32 left; // bytes left in the current run
        u64 position = 0;

        void advance(u32 bytes)
        {
            position += bytes;
            left -= bytes;
            if (left == 0)
            {
                position += gap;
                left = width;
            }
        }
    };
    Stream in{copy.input_width, copy.input_gap, copy.input_width};
    Stream out{copy.output_width, copy.output_gap, copy.output_width};
    for (u32 left = copy.size; left != 0;)
    {
        const u32 bytes = std::min({left, in.left, out.left});
        visit(in.position, out.position, bytes);
        in.advance(bytes);
        out.advance(bytes);
        left -= bytes;
    }
}

// What a write to the engine's start bit would do now.
TextureCopy decode_texture_copy(const ExternalRegisters& registers);
// Flag bit 3: the transfer engine does a texture copy.
bool is_texture_copy(const ExternalRegisters& registers);

// Reports what is illegal about a copy: it copies nothing, or would hang the hardware. `execute` calls it; a
// backend that executes elsewhere calls it too.
void report_illegal(const TextureCopy& copy, const GuestMemory& memory, Report& report);

// A copy whose ranges are not wholly inside memory copies nothing. Input is read before output is written, even
// if they overlap [our rule]. Written ranges go through GuestMemory::did_write.
void execute(GuestMemory& memory, const TextureCopy& copy, Report& report);

} // namespace pica
