// SPDX-License-Identifier: MIT
#include "renderer/vertex/geometry_executor.h"

#include "pica/shader/flow.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/vertex/geometry_registers.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_programs.h"
#include "renderer/vertex/vertex_sets.h"
#include "shadergen/geometry_interpreter.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace renderer
{

namespace
{

u32 divide_up(u32 a, u32 b)
{
    return (a + b - 1) / b;
}

} // namespace

u32 fed_rows(const pica::Draw& draw)
{
    return divide_up(draw.source.count * draw.geometry_unit.feed.attributes * 4, SHADED_FLOATS);
}

// Copies words to upload memory. No words: an empty slice.
Slice GeometryExecutor::place_words(std::span<const u32> words)
{
    if (words.empty())
        return {};
    const Slice slice = parts_.ring.allocate(words.size_bytes(), 16);
    if (slice)
        std::memcpy(slice.host, words.data(), words.size_bytes());
    return slice;
}

// Places what runs the geometry program: a pipeline of its own, or the interpreter and the code in rows after
// the unit's state.
bool GeometryExecutor::place_program(const Job& job, Item& item)
{
    const GeometryPlan& plan = job.work.plan;
    const pica::Program& program = *job.draw.geometry_unit.program;
    const shadergen::GeometryKey key = shadergen::geometry_key(job.draw, plan.assembles);
    const auto pipeline = plan.interpreted ? parts_.programs.geometry_interpreter(program)
                                           : parts_.programs.geometry(key, program);
    if (!pipeline)
    {
        parts_.device.fail(pipeline.error().message);
        return false;
    }
    item.program = *pipeline;
    if (!plan.interpreted || parts_.registers.interpreted == key)
        return true;
    item.code = place_words(shadergen::pack_geometry_program(program, key));
    if (!item.code)
        return false;
    parts_.registers.interpreted = key;
    return true;
}

// Places what the draw begins with, and which vertices make which invocation.
bool GeometryExecutor::place_start(const GeometryWork& work, Item& item)
{
    const std::vector<u32>& vertices = work.plan.vertices;
    const VkDeviceSize alignment =
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minStorageBufferOffsetAlignment);
    item.vertices = parts_.ring.allocate(std::max<std::size_t>(vertices.size() * 4, 16), alignment);
    if (!item.vertices)
        return false;
    if (!vertices.empty())
        std::memcpy(item.vertices.host, vertices.data(), vertices.size() * 4);
    item.fed = work.start.fed;
    if (work.part.number != 0) // the first part has left the state on the device
        return true;
    item.registers = place_words(work.start.registers);
    item.assembler = place_words(work.start.assembler);
    return (item.registers || work.start.registers.empty()) &&
           (item.assembler || work.start.assembler.empty());
}

std::optional<u32> GeometryExecutor::add(const Job& job)
{
    const auto& [plan, start, part] = job.work;
    Item item;
    if (!place_program(job, item) || !place_start(job.work, item))
        return std::nullopt;
    item.block_buffer = job.blocks.buffer;
    item.rows_in_front = plan.assembler_rows();
    item.first_emitted = job.placement.first_shaded + fed_rows(job.draw) + item.rows_in_front;
    item.emitted = 3 * part.triangles;

    shadergen::VertexPlacement emitted = job.placement;
    emitted.first_shaded = item.first_emitted;
    shadergen::VertexBlock block;
    shadergen::pack_vertex_block(job.draw, emitted, block);
    std::copy(start.uniforms.f.begin(), start.uniforms.f.end(), block.constants);
    for (u32 i = 0; i < start.uniforms.i.size(); i++)
        std::copy(start.uniforms.i[i].begin(), start.uniforms.i[i].end(), block.integers[i].begin());
    block.limits = {pica::kGeometryBudget, pica::kGeometryMoves, 0, 0};
    block.assembly.topology = 0;
    block.assembly.triangles = part.triangles;
    item.first_dispatch = static_cast<u32>(dispatches_.size());
    if (plan.parallel)
        add_parallel(job, item, block);
    else
        add_sequential(job, item, block);
    items_.push_back(item);
    return item.first_emitted;
}

// Adds a dispatch for invocations [range.first, range.first + range.count).
void GeometryExecutor::add_dispatch(const Job& job, Item& item, shadergen::VertexBlock& block,
                                    const Range& range, u32 flags)
{
    const auto& [plan, start, part] = job.work;
    if (part.number == 0 && item.dispatches == 0)
        flags |= GEOMETRY_NEW_DRAW | (plan.assembly & GEOMETRY_RESTARTS);
    if (item.dispatches == 0)
        flags |= GEOMETRY_NEW_PART;
    flags |= plan.assembly & ~GEOMETRY_RESTARTS;
    block.draw = {plan.invocations, plan.left, item.first_emitted,
                  start.uniforms.b | (range.first != 0 ? kGeometryRunBit : 0u)};
    block.geometry = {job.placement.first_shaded * SHADED_FLOATS, range.first, range.count, flags};
    const VkDeviceSize at = job.block_stride * ++item.dispatches;
    std::memcpy(job.blocks.host + at, &block, sizeof block);
    dispatches_.push_back(
        {static_cast<u32>(job.blocks.offset + at), (flags & GEOMETRY_SEQUENTIAL) != 0 ? 1 : range.count});
}

void GeometryExecutor::add_sequential(const Job& job, Item& item, shadergen::VertexBlock& block)
{
    const auto& [plan, start, part] = job.work;
    block.geometry_range = {0, 0, plan.primitives, 0};
    if (plan.interpreted)
    {
        u32 flags = GEOMETRY_SEQUENTIAL;
        for (u32 left = plan.dispatches_of(part.count); left != 0; left--)
        {
            add_dispatch(job, item, block, {part.first, part.count},
                         left == 1 ? flags | GEOMETRY_LAST : flags);
            flags |= GEOMETRY_RESUMES;
        }
        return;
    }
    const u32 end = part.first + part.count;
    for (u32 first = part.first; first < end; first += plan.per_dispatch)
        add_dispatch(job, item, block, {first, std::min(plan.per_dispatch, end - first)},
                     GEOMETRY_SEQUENTIAL);
}

void GeometryExecutor::add_parallel(const Job& job, Item& item, shadergen::VertexBlock& block)
{
    const auto& [plan, start, part] = job.work;
    const u32 end = part.first + part.count;
    const u32 alone = part.number == 0 ? plan.first_alone : 0; // in this part
    if (alone != 0)
        add_dispatch(job, item, block, {0, 1}, GEOMETRY_SEQUENTIAL | GEOMETRY_LAST);
    const u32 odd = plan.emit_parity != 0 ? GEOMETRY_ODD : 0;
    const u32 first = part.first + alone;
    block.geometry_range = {plan.first_alone, first, plan.primitives, alone * plan.primitives};
    if (first < end)
        add_dispatch(job, item, block, {first, end - first}, GEOMETRY_LAST | odd);
    // The last invocation runs once more, for the registers that it leaves. For it the draw counts as new,
    // because the buffer still has the counters of how far an earlier draw came.
    if (end == plan.invocations && plan.invocations > plan.first_alone)
        add_dispatch(job, item, block, {end - 1, 1},
                     GEOMETRY_SEQUENTIAL | GEOMETRY_SILENT | GEOMETRY_NEW_DRAW | odd);
}

bool GeometryExecutor::make_sets(VkBuffer shaded, const VkDescriptorBufferInfo& status)
{
    for (Item& item : items_)
    {
        const VertexSets::Binding bindings[] = {
            {BINDING_SHADED, {shaded, 0, VK_WHOLE_SIZE}},
            {BINDING_STATUS, status},
            {BINDING_GEOMETRY_STATE, {parts_.registers.buffer(), 0, VK_WHOLE_SIZE}},
            {BINDING_GEOMETRY_PRIMITIVES, {item.vertices.buffer, item.vertices.offset, item.vertices.size}},
            {BINDING_VERTEX_BLOCK,
             {item.block_buffer, 0, sizeof(shadergen::VertexBlock)},
             VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC},
        };
        item.set = parts_.sets.make(ComputeStage::Geometry, bindings);
        if (item.set == VK_NULL_HANDLE)
            return false;
    }
    return true;
}

// Slots that nothing is emitted to keep the value 1.0 everywhere, which is behind the near plane. So do
// semantics that are not mapped.
void GeometryExecutor::clear_emitted(VkCommandBuffer cmd, VkBuffer shaded)
{
    for (const Item& item : items_)
        parts_.device.vk.vkCmdFillBuffer(
            cmd, shaded, VkDeviceSize{item.first_emitted - item.rows_in_front} * kShadedBytes,
            (VkDeviceSize{item.emitted} + item.rows_in_front) * kShadedBytes, 0x3F800000u);
}

// Copies registers, assembler and code of an item to the unit's state.
void GeometryExecutor::copy_start(VkCommandBuffer cmd, const Item& item)
{
    const auto copy = [&](const Slice& slice, u32 word, VkDeviceSize size)
    {
        const VkBufferCopy region{slice.offset, VkDeviceSize{word} * 4, size};
        if (slice)
            parts_.device.vk.vkCmdCopyBuffer(cmd, slice.buffer, parts_.registers.buffer(), 1, &region);
    };
    copy(item.registers, 0, STATE_ASSEMBLER * 4);
    copy(item.assembler, STATE_ASSEMBLER, (STATE_WORDS - STATE_ASSEMBLER) * 4);
    copy(item.code, STATE_PROGRAM, item.code.size);
    if (item.registers || item.assembler || item.code)
        parts_.stream.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                  VK_ACCESS_TRANSFER_READ_BIT);
}

// Copies uniforms that earlier draws fed over the guest's in the blocks of the item.
void GeometryExecutor::copy_fed_constants(VkCommandBuffer cmd, const Item& item)
{
    if (item.fed.none())
        return;
    // All of these stages may have read other parts of the ring's buffer.
    parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                              VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                          VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    std::array<VkBufferCopy, 96> regions;
    for (u32 i = 0; i < item.dispatches; i++)
    {
        u32 count = 0;
        for (u32 n = 0; n < 96; n++)
        {
            if (!item.fed[n])
                continue;
            if (n != 0 && item.fed[n - 1])
                regions[count - 1].size += 16;
            else
                regions[count++] = {(STATE_CONSTANTS + 4 * n) * 4,
                                    dispatches_[item.first_dispatch + i].block_offset +
                                        offsetof(shadergen::VertexBlock, constants) + 16 * n,
                                    16};
        }
        parts_.device.vk.vkCmdCopyBuffer(cmd, parts_.registers.buffer(), item.block_buffer, count,
                                         regions.data());
    }
    parts_.stream.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_UNIFORM_READ_BIT);
}

void GeometryExecutor::record(VkCommandBuffer cmd)
{
    const auto& vk = parts_.device.vk;
    for (const Item& item : items_)
    {
        copy_start(cmd, item);
        copy_fed_constants(cmd, item);
        vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, item.program);
        for (u32 i = 0; i < item.dispatches; i++)
        {
            const Dispatch& dispatch = dispatches_[item.first_dispatch + i];
            vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                       parts_.pipelines.compute_layout(ComputeStage::Geometry), SET_COMPUTE,
                                       1, &item.set, 1, &dispatch.block_offset);
            vk.vkCmdDispatch(cmd, divide_up(dispatch.invocations, COMPUTE_GROUP), 1, 1);
            // The next dispatch, or a copy before it, may depend on what this one leaves.
            parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                                  VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

void GeometryExecutor::reset()
{
    items_.clear();
    dispatches_.clear();
}

} // namespace renderer
