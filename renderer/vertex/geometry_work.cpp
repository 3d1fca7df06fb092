// SPDX-License-Identifier: MIT
// Part of VertexExecutor: the commands for geometry programs, as planned in geometry_plan.cpp. Invocations
// run side by side where the analysis allows it. Otherwise one invocation of the compute shader runs them one
// after the other, in as many dispatches as drivers' loop limits ask for. Emitted vertices lie in slots, so
// that primitives keep their order; empty slots vanish in clipping. The registers of the geometry shader unit
// stay on the device until the CPU needs them.
#include "renderer/vertex/vertex_executor.h"

#include "pica/shader/flow.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/geometry_interpreter.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace renderer
{

namespace
{

u32 divide_up(u32 a, u32 b)
{
    return (a + b - 1) / b;
}

} // namespace

void VertexExecutor::take_geometry(const pica::Draw& draw, pica::soft::VertexStage& stage)
{
    pica::soft::GeometryStage& unit = stage.geometry();
    geometry_counters_.draws++;
    geometry_counters_.parallel += plan_.parallel ? 1 : 0;
    geometry_counters_.interpreted += plan_.interpreted ? 1 : 0;
    if (plan_.dispatches != 0 && !interpret_)
        watch_interpreted(draw.geometry_unit.program->id(), plan_.dispatches);
    if (draw.geometry_unit.reset != 0)
        geometry_is_here_ = false;
    unit.begin(draw, report_);
    geometry_uniforms_ = unit.uniforms();
    geometry_fed_ = unit.fed();
    geometry_registers_.clear();
    if (!geometry_is_here_)
    {
        geometry_registers_.resize(STATE_ASSEMBLER);
        unit.save(geometry_registers_);
    }
    geometry_assembler_.clear();
    if (plan_.assembles)
    {
        if (!assembler_is_here_ && draw.source.restart == 0)
        {
            const pica::AssemblerState state = stage.assembler_state();
            geometry_assembler_ = {state.word, 0};
            for (const auto& slot : state.slots)
                for (const f32 value : slot)
                    geometry_assembler_.push_back(std::bit_cast<u32>(value));
        }
    }
    // Without an assembler on the device the draw emits whole triangles after a restart, and the CPU's
    // assembler has restarted (VertexStage::run_tail).
    assembler_is_here_ = plan_.assembles;
    geometry_is_here_ = true;
    unit.ran_elsewhere(plan_.invocations, plan_.first_uniform, plan_.fed, plan_.left, report_);
}

// Reads back the words STATE_* as all draws so far leave them. Flushes, submits and waits. Null: the device
// failed.
const u32* VertexExecutor::read_unit_state()
{
    stream_.flush_batch();
    stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    const VkBufferCopy all{0, 0, STATE_WORDS * 4};
    device_.vk.vkCmdCopyBuffer(stream_.cmd(), geometry_state_.buffer, geometry_readback_.buffer, 1, &all);
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
    if (!stream_.wait(stream_.submit()) || !memory_.invalidate(geometry_readback_))
        return nullptr;
    return reinterpret_cast<const u32*>(geometry_readback_.mapped);
}

void VertexExecutor::return_geometry(pica::soft::GeometryStage& unit)
{
    if (!std::exchange(geometry_is_here_, false))
        return;
    if (const u32* words = read_unit_state())
        unit.load({words, STATE_WORDS});
}

void VertexExecutor::return_assembler(bool restarts, pica::soft::VertexStage& stage)
{
    if (!std::exchange(assembler_is_here_, false) || restarts)
        return;
    const u32* words = read_unit_state();
    if (!words)
        return;
    pica::AssemblerState state;
    state.word = words[STATE_ASSEMBLER];
    static_assert(sizeof state.slots == (STATE_WORDS - STATE_ASSEMBLER_SLOTS) * 4);
    std::memcpy(state.slots.data(), words + STATE_ASSEMBLER_SLOTS, sizeof state.slots);
    stage.set_assembler_state(state);
}

// The memory of fed values, in units of shaded vertices.
u32 VertexExecutor::fed_vertices(const pica::Draw& draw)
{
    return divide_up(draw.source.count * draw.geometry_unit.feed.attributes * 4, SHADED_FLOATS);
}

u32 VertexExecutor::part_dispatches() const
{
    return plan_.parallel ? 3 : dispatches_of(plan_.count);
}

u32 VertexExecutor::dispatches_of(u32 invocations) const
{
    // A dispatch of the interpreter uses all its rounds, or finishes the work.
    return plan_.interpreted
               ? static_cast<u32>(invocations * plan_.rounds / shadergen::kInterpretedRounds) + 1
               : divide_up(invocations, plan_.per_dispatch);
}

// Places what runs the geometry program: a pipeline of its own, or the interpreter and the code in rows after
// the unit's state.
bool VertexExecutor::place_geometry_program(const pica::Draw& draw, GeometryItem& work)
{
    const pica::Program& program = *draw.geometry_unit.program;
    const shadergen::GeometryKey key = shadergen::geometry_key(draw, plan_.assembles);
    const auto pipeline =
        plan_.interpreted ? programs_.geometry_interpreter(program) : programs_.geometry(key, program);
    if (!pipeline)
    {
        device_.fail(pipeline.error().message);
        return false;
    }
    work.program = *pipeline;
    if (!plan_.interpreted || interpreted_geometry_ == key)
        return true;
    const std::vector<u32> words = shadergen::pack_geometry_program(program, key);
    work.code = ring_.allocate(words.size() * 4, 16);
    if (!work.code)
        return false;
    std::memcpy(work.code.host, words.data(), words.size() * 4);
    interpreted_geometry_ = key;
    return true;
}

// Adds the geometry work of a draw or part. blocks: memory for the vertex program's block and those of all
// dispatches. False: memory ran out, or the pipeline failed.
bool VertexExecutor::add_geometry(const pica::Draw& draw, const pica::RecordLayout& layout, Item& item,
                                  const shadergen::VertexPlacement& placement, const Slice& blocks)
{
    GeometryPlan& plan = plan_;
    GeometryItem work;
    if (!place_geometry_program(draw, work))
        return false;
    work.block_buffer = blocks.buffer;
    work.first_emitted = placement.first_shaded + fed_vertices(draw) + assembler_rows();
    work.rows_in_front = assembler_rows();
    work.emitted = 3 * plan.triangles;
    work.fed = geometry_fed_;

    const VkDeviceSize storage_alignment =
        std::max<VkDeviceSize>(16, device_.properties.limits.minStorageBufferOffsetAlignment);
    work.vertices = ring_.allocate(std::max<std::size_t>(plan.vertices.size() * 4, 16), storage_alignment);
    // Copies words to upload memory. False: memory ran out.
    const auto place = [&](Slice& slice, std::vector<u32>& words)
    {
        if (words.empty())
            return true;
        slice = ring_.allocate(words.size() * 4, 16);
        if (!slice)
            return false;
        std::memcpy(slice.host, words.data(), words.size() * 4);
        words.clear();
        return true;
    };
    if (!work.vertices || !place(work.registers, geometry_registers_) ||
        !place(work.assembler, geometry_assembler_))
        return false;
    if (!plan.vertices.empty())
        std::memcpy(work.vertices.host, plan.vertices.data(), plan.vertices.size() * 4);

    shadergen::VertexPlacement emitted = placement;
    emitted.first_shaded = work.first_emitted;
    shadergen::VertexBlock block;
    shadergen::pack_vertex_block(draw, layout, emitted, block);
    std::copy(geometry_uniforms_.f.begin(), geometry_uniforms_.f.end(), block.constants);
    for (u32 i = 0; i < geometry_uniforms_.i.size(); i++)
        std::copy(geometry_uniforms_.i[i].begin(), geometry_uniforms_.i[i].end(), block.integers[i].begin());
    block.limits = {pica::kGeometryBudget, pica::kGeometryMoves, 0, 0};
    block.assembly[0] = 0;
    block.assembly[1] = plan.triangles;
    write_dispatches(work, block, blocks, placement.first_shaded * SHADED_FLOATS);
    item.unit_offset = geometry_dispatches_[work.first_dispatch].block_offset;
    geometry_items_.push_back(work);
    return true;
}

void VertexExecutor::write_dispatches(GeometryItem& work, shadergen::VertexBlock& block, const Slice& blocks,
                                      u32 fed_at)
{
    const GeometryPlan& plan = plan_;
    work.first_dispatch = static_cast<u32>(geometry_dispatches_.size());
    const auto dispatch = [&](u32 first, u32 count, u32 flags)
    {
        if (plan.part == 0 && work.dispatches == 0)
            flags |= GEOMETRY_NEW_DRAW | (plan.assembly & GEOMETRY_RESTARTS);
        if (work.dispatches == 0)
            flags |= GEOMETRY_NEW_PART;
        flags |= plan.assembly & ~GEOMETRY_RESTARTS;
        block.draw = {plan.invocations, plan.left, work.first_emitted,
                      geometry_uniforms_.b | (first != 0 ? kRunBit : 0u)};
        block.geometry = {fed_at, first, count, flags};
        const VkDeviceSize at = block_stride() * ++work.dispatches;
        std::memcpy(blocks.host + at, &block, sizeof block);
        geometry_dispatches_.push_back(
            {static_cast<u32>(blocks.offset + at), (flags & GEOMETRY_SEQUENTIAL) != 0 ? 1 : count});
    };
    const u32 end = plan.first + plan.count;
    if (!plan.parallel)
    {
        block.geometry_range = {0, 0, plan.primitives, 0};
        if (plan.interpreted)
            for (u32 n = dispatches_of(plan.count), flags = GEOMETRY_SEQUENTIAL; n != 0; n--)
            {
                dispatch(plan.first, plan.count, n == 1 ? flags | GEOMETRY_LAST : flags);
                flags |= GEOMETRY_RESUMES;
            }
        else
            for (u32 first = plan.first; first < end; first += plan.per_dispatch)
                dispatch(first, std::min(plan.per_dispatch, end - first), GEOMETRY_SEQUENTIAL);
        return;
    }
    const u32 alone = plan.first_alone;
    const u32 here = plan.part == 0 ? alone : 0; // in this part
    if (here != 0)
        dispatch(0, 1, GEOMETRY_SEQUENTIAL | GEOMETRY_LAST);
    const u32 odd = plan.emit_parity != 0 ? GEOMETRY_ODD : 0;
    const u32 first = plan.first + here;
    block.geometry_range = {alone, first, plan.primitives, here * plan.primitives};
    if (first < end)
        dispatch(first, end - first, GEOMETRY_LAST | odd);
    // The last invocation runs once more, for the registers that it leaves. For it the draw counts as new,
    // because the buffer still has the counters of how far an earlier draw came.
    if (end == plan.invocations && plan.invocations > alone)
        dispatch(end - 1, 1, GEOMETRY_SEQUENTIAL | GEOMETRY_SILENT | GEOMETRY_NEW_DRAW | odd);
}

bool VertexExecutor::make_geometry_sets()
{
    for (GeometryItem& item : geometry_items_)
    {
        item.set = allocate_set(ComputeStage::Geometry);
        if (item.set == VK_NULL_HANDLE)
            return false;
        const struct
        {
            u32 binding;
            VkDescriptorBufferInfo info;
        } buffers[] = {
            {BINDING_SHADED, {shaded_.buffer, 0, VK_WHOLE_SIZE}},
            {BINDING_STATUS, {status_.buffer, status_offset(), kStatusBytes}},
            {BINDING_GEOMETRY_STATE, {geometry_state_.buffer, 0, VK_WHOLE_SIZE}},
            {BINDING_GEOMETRY_PRIMITIVES, {item.vertices.buffer, item.vertices.offset, item.vertices.size}},
            {BINDING_VERTEX_BLOCK, {item.block_buffer, 0, sizeof(shadergen::VertexBlock)}},
        };
        VkWriteDescriptorSet writes[std::size(buffers)]{};
        for (std::size_t i = 0; i < std::size(buffers); i++)
        {
            writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            writes[i].dstSet = item.set;
            writes[i].dstBinding = buffers[i].binding;
            writes[i].descriptorCount = 1;
            writes[i].descriptorType = buffers[i].binding == BINDING_VERTEX_BLOCK
                                           ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                           : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            writes[i].pBufferInfo = &buffers[i].info;
        }
        device_.vk.vkUpdateDescriptorSets(device_.handle, static_cast<u32>(std::size(writes)), writes, 0,
                                          nullptr);
    }
    return true;
}

// Slots that nothing is emitted to keep the value 1.0 everywhere, which is behind the near plane. So do
// semantics that are not mapped.
void VertexExecutor::clear_emitted(VkCommandBuffer cmd)
{
    for (const GeometryItem& item : geometry_items_)
        device_.vk.vkCmdFillBuffer(
            cmd, shaded_.buffer, VkDeviceSize{item.first_emitted - item.rows_in_front} * SHADED_FLOATS * 4,
            (VkDeviceSize{item.emitted} + item.rows_in_front) * SHADED_FLOATS * 4, 0x3F800000u);
}

// Copies uniforms that earlier draws fed over the guest's in the blocks of the item.
void VertexExecutor::copy_fed_constants(VkCommandBuffer cmd, const GeometryItem& item)
{
    if (item.fed.none())
        return;
    // All of these stages may have read other parts of the ring's buffer.
    stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
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
                                    geometry_dispatches_[item.first_dispatch + i].block_offset +
                                        offsetof(shadergen::VertexBlock, constants) + 16 * n,
                                    16};
        }
        device_.vk.vkCmdCopyBuffer(cmd, geometry_state_.buffer, item.block_buffer, count, regions.data());
    }
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_UNIFORM_READ_BIT);
}

void VertexExecutor::record_geometry(VkCommandBuffer cmd)
{
    const auto& vk = device_.vk;
    for (const GeometryItem& item : geometry_items_)
    {
        if (item.registers)
        {
            const VkBufferCopy copy{item.registers.offset, 0, STATE_ASSEMBLER * 4};
            vk.vkCmdCopyBuffer(cmd, item.registers.buffer, geometry_state_.buffer, 1, &copy);
        }
        if (item.assembler)
        {
            const VkBufferCopy copy{item.assembler.offset, STATE_ASSEMBLER * 4,
                                    (STATE_WORDS - STATE_ASSEMBLER) * 4};
            vk.vkCmdCopyBuffer(cmd, item.assembler.buffer, geometry_state_.buffer, 1, &copy);
        }
        if (item.code)
        {
            const VkBufferCopy copy{item.code.offset, STATE_PROGRAM * 4, item.code.size};
            vk.vkCmdCopyBuffer(cmd, item.code.buffer, geometry_state_.buffer, 1, &copy);
        }
        if (item.registers || item.assembler || item.code)
        {
            stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                VK_ACCESS_TRANSFER_READ_BIT);
        }
        copy_fed_constants(cmd, item);
        vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, item.program);
        for (u32 i = 0; i < item.dispatches; i++)
        {
            const GeometryDispatch& dispatch = geometry_dispatches_[item.first_dispatch + i];
            vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                       pipelines_.compute_layout(ComputeStage::Geometry), SET_COMPUTE, 1,
                                       &item.set, 1, &dispatch.block_offset);
            vk.vkCmdDispatch(cmd, divide_up(dispatch.invocations, COMPUTE_GROUP), 1, 1);
            // The next dispatch, or a copy before it, may depend on what this one leaves.
            stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

} // namespace renderer
