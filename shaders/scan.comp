// SPDX-License-Identifier: MIT
// One group for each draw of the batch: turns the counts of its slots into numbers of triangle records (an exclusive running
// sum that starts at the first record of the draw's region) and writes its indirect draw command.

layout(local_size_x = SCAN_GROUP) in;

layout(set = SET_COMPUTE, binding = BINDING_SLOTS, std430) buffer Slots
{
    SlotsHeader batch;
    TriangleDraw draws[MAX_BATCH_DRAWS];
    uint words[];
};
layout(set = SET_COMPUTE, binding = BINDING_INDIRECT, std430) writeonly buffer Indirect { uvec4 command[]; };
layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };

shared uint sums[SCAN_GROUP];

void main()
{
    uint me = gl_LocalInvocationID.x;
    uint first_word = batch.first_word + draws[gl_WorkGroupID.x].assembly.first_slot;
    uint slots = draws[gl_WorkGroupID.x].assembly.triangles;
    RegionRow region = draws[gl_WorkGroupID.x].region;
    // Each invocation adds up one run of neighbouring slots.
    uint run = (slots + uint(SCAN_GROUP) - 1u) / uint(SCAN_GROUP);
    uint begin = first_word + min(me * run, slots);
    uint end = min(begin + run, first_word + slots);
    uint sum = 0u;
    for (uint i = begin; i < end; i++)
        sum += words[i] & ~SLOT_WHOLE;
    sums[me] = sum;
    barrier();
    for (uint step = 1u; step < uint(SCAN_GROUP); step *= 2u)
    {
        uint before = me >= step ? sums[me - step] : 0u;
        barrier();
        sums[me] += before;
        barrier();
    }
    uint at = region.first_record + sums[me] - sum;
    for (uint i = begin; i < end; i++)
    {
        uint word = words[i];
        words[i] = at | (word & SLOT_WHOLE);
        at += word & ~SLOT_WHOLE;
    }
    if (me != 0u)
        return;
    // The stages that write records drop those beyond the region.
    uint total = sums[uint(SCAN_GROUP) - 1u];
    uint drawn = min(total, region.records);
    command[region.command] = uvec4(3u * drawn, 1u, 3u * region.first_record, 0u);
    if (drawn < total)
        atomicOr(status[region.command], STATUS_RECORDS_LOST);
}
