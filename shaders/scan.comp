// SPDX-License-Identifier: MIT
// One group: turns the counts of all draws of a draw batch into indices of triangle records (an exclusive running sum that
// starts at the first record of the draw's region) and writes one indirect draw command for each draw. Bindings: layout.h.

layout(local_size_x = SCAN_GROUP) in;

layout(set = SET_COMPUTE, binding = BINDING_TRIANGLE_COUNT, std430) buffer Counts { uint counts[]; };
layout(set = SET_COMPUTE, binding = BINDING_SCAN_DRAWS, std430) readonly buffer ScanDraws
{
    uint scan_count;
    uint unused[3];
    ScanDraw scan_draw[];
};
layout(set = SET_COMPUTE, binding = BINDING_INDIRECT, std430) writeonly buffer Indirect { uvec4 command[]; };
layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };

shared uint sums[SCAN_GROUP];

void main()
{
    uint me = gl_LocalInvocationID.x;
    uint behind_previous = 0u;
    for (uint d = 0u; d < scan_count; d++)
    {
        uint first_slot = scan_draw[d].slots.first;
        uint slots = scan_draw[d].slots.count;
        uint draw_command = scan_draw[d].slots.command;
        uint first_record = scan_draw[d].region.first;
        // Each invocation adds up one run of neighbouring slots.
        uint run = (slots + uint(SCAN_GROUP) - 1u) / uint(SCAN_GROUP);
        uint begin = min(me * run, slots);
        uint end = min(begin + run, slots);
        uint sum = 0u;
        for (uint i = begin; i < end; i++)
            sum += counts[first_slot + i];
        sums[me] = sum;
        barrier();
        for (uint step = 1u; step < uint(SCAN_GROUP); step *= 2u)
        {
            uint before = me >= step ? sums[me - step] : 0u;
            barrier();
            sums[me] += before;
            barrier();
        }
        uint total = sums[uint(SCAN_GROUP) - 1u];
        uint start = scan_draw[d].slots.continues != 0u ? behind_previous : first_record;
        uint at = start + sums[me] - sum;
        for (uint i = begin; i < end; i++)
        {
            uint count = counts[first_slot + i];
            counts[first_slot + i] = at;
            at += count;
        }
        // emit.comp drops triangle records beyond the region.
        uint limit = first_record + scan_draw[d].region.count;
        uint room = start < limit ? limit - start : 0u;
        uint drawn = min(total, room);
        if (me == 0u)
        {
            command[draw_command] = uvec4(3u * drawn, 1u, 3u * start, 0u);
            if (drawn < total)
                atomicOr(status[draw_command], STATUS_RECORDS_LOST);
        }
        behind_previous = start + drawn;
        barrier();
    }
}
