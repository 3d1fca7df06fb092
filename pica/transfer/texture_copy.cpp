// SPDX-License-Identifier: MIT
// Texture copy: two byte streams with gaps. Source: engines.md. Tests: tests/pica/transfer_test.cpp.
#include "pica/transfer/transfer.h"

#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pica
{

namespace
{

struct Stream
{
    u32 width;
    u32 gap;
    u64 position = 0;
    u32 left; // bytes left in the current run

    Stream(u32 run, u32 skip) : width(run), gap(skip), left(run) {}
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

} // namespace

void execute(GuestMemory& memory, const TextureCopy& copy, Report& report)
{
    report_illegal(copy, memory, report);
    const ByteRange input = copy.input_range(), output = copy.output_range();
    std::span<const u8> source = memory.span(input.begin, input.size);
    const std::span<u8> target = memory.span(output.begin, output.size);
    if (source.empty() || target.empty())
        return;

    std::vector<u8> snapshot; // only used if the input would be overwritten before it is read
    if (overlap(input, output))
    {
        snapshot.assign(source.begin(), source.end());
        source = snapshot;
    }
    Stream in(copy.input_width, copy.input_gap), out(copy.output_width, copy.output_gap);
    for (u32 left = copy.size; left != 0;)
    {
        const u32 bytes = std::min({left, in.left, out.left});
        std::memcpy(target.data() + out.position, source.data() + in.position, bytes);
        in.advance(bytes);
        out.advance(bytes);
        left -= bytes;
    }
    memory.did_write(output.begin, output.size);
}

} // namespace pica
