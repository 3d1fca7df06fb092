// SPDX-License-Identifier: MIT
// Geometry programs of the compute vertex executor: invocations side by side where the analysis allows it,
// else one after the other in one invocation of the shader, in as many dispatches as drivers' loop limits ask
// for. What is emitted lies in slots, so that primitives keep their order; empty slots vanish in clipping.
// The unit's registers stay on the device until the CPU needs them.
#include "pica/shader/flow.h"
#include "pica/soft/index_reader.h"
#include "renderer/debug.h"
#include "renderer/vertex_executor.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace renderer
{

using pica::GeometryFeed;
using pica::GeometryMode;
using pica::Topology;

namespace
{

// llvmpipe ends the loops of a shader's invocation after 65535 rounds in all.
constexpr u32 kDispatchRounds = 60000;
constexpr u32 kPartDispatches = 64;
constexpr u32 kMaxParts = 64; // more work than that is the CPU's
constexpr std::size_t kAnalysedKept = 64;
constexpr u32 kRunBit = 0x8000;

// Rounds of the shader's own loops: per invocation, over fed constants; per primitive, over its vertices.
constexpr u32 kOwnRounds = 100;
constexpr u32 kPrimitiveRounds = 3;
constexpr u32 kAssembledRounds = 6; // ... and once more over them when they are assembled
static_assert(pica::kGeometryMoves + kOwnRounds + kAssembledRounds * pica::kMaxInvocationPrimitives <=
              kDispatchRounds);

u32 divide_up(u32 a, u32 b)
{
    return (a + b - 1) / b;
}

} // namespace

const pica::GeometryAnalysis& VertexExecutor::analyse(const pica::Draw& draw)
{
    const pica::GeometryUnit& unit = draw.geometry_unit;
    for (const Analysed& a : analysed_)
        if (a.program == unit.program->hash() && a.integers == unit.uniforms->i &&
            a.bools == unit.uniforms->b && a.output_mask == unit.feed.output_mask)
            return a.analysis;
    if (analysed_.size() >= kAnalysedKept)
        analysed_.clear();
    analysed_.push_back({unit.program->hash(), unit.uniforms->i, unit.uniforms->b, unit.feed.output_mask,
                         pica::analyse_geometry(*unit.program, *unit.uniforms, unit.feed.output_mask)});
    return analysed_.back().analysis;
}

// Which vertices become which invocations. False: the draw is the CPU's.
bool VertexExecutor::plan_inputs(const pica::Draw& draw, const pica::GuestMemory& guest, bool& same_size)
{
    const GeometryFeed& feed = draw.geometry_unit.feed;
    GeometryPlan& plan = plan_;
    const u32 count = draw.source.count;
    if (feed.mode == GeometryMode::Variable)
    {
        const pica::soft::IndexReader index(draw.source, count, guest, report_);
        u32 largest = 0;
        for (u32 i = 0; i < count;)
        {
            const u32 vertices = index[i++];
            if (vertices == 0)
            {
                report_.report(pica::ReportKind::Guest, "geometry shader primitive without vertices",
                               "skipped");
                continue;
            }
            if (vertices > count - i)
            {
                report_.report(pica::ReportKind::Guest, "geometry shader primitive past the indices",
                               "dropped");
                break;
            }
            same_size = same_size && (plan.vertices.empty() || vertices == plan.vertices[1]);
            plan.vertices.push_back(i);
            plan.vertices.push_back(vertices);
            largest = std::max(largest, vertices);
            i += vertices;
        }
        plan.invocations = static_cast<u32>(plan.vertices.size() / 2);
        const u32 full = std::min<u32>(largest, feed.full_vertices);
        plan.fed = 1 + full * feed.attributes + (largest - full);
        return plan.invocations != 0;
    }
    if (feed.mode == GeometryMode::Fixed)
    {
        plan.invocations = count / feed.vertices;
        plan.first_uniform = feed.first_uniform;
        plan.fed = u32{feed.vertices} * feed.attributes;
        plan.left = count % feed.vertices;
        // The next vertices of immediate mode may complete an unfinished invocation.
        return plan.invocations != 0 && (plan.left == 0 || draw.source.inline_attributes == 0);
    }
    const u32 vertices = feed.inputs / feed.attributes;
    plan.invocations = count / vertices;
    // Vertices of immediate mode may complete an unfinished invocation.
    return plan.invocations != 0 && count % vertices == 0;
}

bool VertexExecutor::accepts_geometry(const pica::Draw& draw, const pica::soft::VertexStage& stage,
                                      const pica::GuestMemory& guest)
{
    const pica::GeometryUnit& unit = draw.geometry_unit;
    // Inputs that an earlier draw left are the CPU's.
    if (!unit.program || !unit.uniforms ||
        (unit.continues != 0 && unit.reset == 0 && stage.geometry().collected() != 0))
        return false;
    std::vector<u32> storage = std::move(plan_.vertices);
    storage.clear();
    plan_ = {};
    plan_.vertices = std::move(storage);
    GeometryPlan& plan = plan_;
    bool same_size = true;
    if (!plan_inputs(draw, guest, same_size))
        return false;

    const pica::GeometryAnalysis& analysis = analyse(draw);
    const u64 all_primitives = u64{plan.invocations} * analysis.primitives;
    const bool running = draw.source.topology != Topology::TriangleList;
    const bool goes_on = draw.source.restart == 0 && (assembler_is_here_ || stage.pending() != 0);
    plan.assembles = running || goes_on;
    plan.largest = running ? 3 : 1;
    plan.assembly = (draw.source.topology == Topology::TriangleStrip ? 1u
                     : draw.source.topology == Topology::TriangleFan ? 2u
                                                                     : 0u)
                    << GEOMETRY_TOPOLOGY_SHIFT;
    plan.assembly |= draw.source.restart != 0 ? GEOMETRY_RESTARTS : 0;
    plan.parallel =
        analysis.parallel && same_size && !plan.assembles && all_primitives <= pica::soft::kMaxDrawPrimitives;
    plan.emit_parity = plan.parallel ? analysis.emit_parity : 0;
    plan.primitives = analysis.primitives;
    const bool sees_run_bit = analysis.tests_run_bit && (unit.uniforms->b & kRunBit) == 0 &&
                              (unit.written_bools != 0 || unit.reset != 0 || !stage.geometry().has_run());
    plan.first_alone = plan.parallel && sees_run_bit ? 1 : 0;
    plan.per_dispatch =
        kDispatchRounds / (analysis.moves + kOwnRounds +
                           (plan.assembles ? kAssembledRounds : kPrimitiveRounds) * analysis.primitives);
    plan.per_part = std::max(kPartTriangles / std::max(plan.largest * plan.primitives, 1u), 1u);
    if (!plan.parallel)
        plan.per_part = std::min(plan.per_part, plan.per_dispatch * kPartDispatches);
    plan.parts = divide_up(plan.invocations, plan.per_part);
    if (plan.parts > kMaxParts)
        return false;
    begin_geometry_part(0);
    return programs_.geometry_ready(draw, plan.assembles);
}

void VertexExecutor::begin_geometry_part(u32 part)
{
    plan_.part = part;
    plan_.first = part * plan_.per_part;
    plan_.count = std::min(plan_.per_part, plan_.invocations - plan_.first);
    plan_.triangles = std::max(plan_.count * plan_.primitives * plan_.largest, 1u);
}

void VertexExecutor::take_geometry(const pica::Draw& draw, pica::soft::VertexStage& stage)
{
    pica::soft::GeometryStage& unit = stage.geometry();
    geometry_counters_.draws++;
    geometry_counters_.parallel += plan_.parallel ? 1 : 0;
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
            const pica::soft::VertexStage::AssemblerState state = stage.assembler_state();
            geometry_assembler_ = {state.word, 0};
            for (const auto& slot : state.slots)
                for (const f32 value : slot)
                    geometry_assembler_.push_back(std::bit_cast<u32>(value));
        }
        assembler_is_here_ = true;
    }
    geometry_is_here_ = true;
    unit.ran_elsewhere(plan_.invocations, plan_.first_uniform, plan_.fed, plan_.left, report_);
}

void VertexExecutor::return_geometry(pica::soft::GeometryStage& unit)
{
    if (!geometry_is_here_)
        return;
    geometry_is_here_ = false;
    stream_.flush_batch();
    if (!stream_.wait(stream_.submit()) || !memory_.invalidate(geometry_state_))
        return;
    unit.load({reinterpret_cast<const u32*>(geometry_state_.mapped), STATE_WORDS});
}

void VertexExecutor::return_assembler(bool restarts, pica::soft::VertexStage& stage)
{
    if (!std::exchange(assembler_is_here_, false) || restarts)
        return;
    stream_.flush_batch();
    if (!stream_.wait(stream_.submit()) || !memory_.invalidate(geometry_state_))
        return;
    const u32* words = reinterpret_cast<const u32*>(geometry_state_.mapped);
    pica::soft::VertexStage::AssemblerState state;
    state.word = words[STATE_ASSEMBLER];
    static_assert(sizeof state.slots == (STATE_WORDS - STATE_ASSEMBLER_SLOTS) * 4);
    std::memcpy(state.slots.data(), words + STATE_ASSEMBLER_SLOTS, sizeof state.slots);
    stage.set_assembler_state(state);
}

// In units of shaded vertices.
u32 VertexExecutor::fed_vertices(const pica::Draw& draw)
{
    return divide_up(draw.source.count * draw.geometry_unit.feed.attributes * 4, SHADED_FLOATS);
}

u32 VertexExecutor::part_dispatches() const
{
    return plan_.parallel ? 3 : divide_up(plan_.count, plan_.per_dispatch);
}

// blocks: room for the vertex program's block and those of all dispatches.
bool VertexExecutor::add_geometry(const pica::Draw& draw, const pica::RecordLayout& layout, Item& item,
                                  const shadergen::VertexPlacement& placement, const Slice& blocks)
{
    GeometryPlan& plan = plan_;
    const auto pipeline =
        programs_.geometry(shadergen::geometry_key(draw, plan.assembles), *draw.geometry_unit.program);
    if (!pipeline)
    {
        device_.fail(pipeline.error().message);
        return false;
    }
    GeometryItem work;
    work.program = *pipeline;
    work.block_buffer = blocks.buffer;
    work.first_emitted = placement.first_shaded + fed_vertices(draw) + assembler_rows();
    work.rows_in_front = assembler_rows();
    work.emitted = 3 * plan.triangles;
    work.fed = geometry_fed_;

    const VkDeviceSize storage_alignment =
        std::max<VkDeviceSize>(16, device_.properties.limits.minStorageBufferOffsetAlignment);
    work.vertices = ring_.allocate(std::max<std::size_t>(plan.vertices.size() * 4, 16), storage_alignment);
    // false: no room.
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
        for (u32 first = plan.first; first < end; first += plan.per_dispatch)
            dispatch(first, std::min(plan.per_dispatch, end - first), GEOMETRY_SEQUENTIAL);
        return;
    }
    const u32 alone = plan.first_alone;
    const u32 here = plan.part == 0 ? alone : 0; // of this part
    if (here != 0)
        dispatch(0, 1, GEOMETRY_SEQUENTIAL);
    const u32 odd = plan.emit_parity != 0 ? GEOMETRY_ODD : 0;
    const u32 first = plan.first + here;
    block.geometry_range = {alone, first, plan.primitives, here * plan.primitives};
    if (first < end)
        dispatch(first, end - first, odd);
    // The last one once more, for what it leaves behind.
    if (end == plan.invocations && plan.invocations > alone)
        dispatch(end - 1, 1, GEOMETRY_SEQUENTIAL | GEOMETRY_SILENT | odd);
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

// Slots that nothing is emitted to stay all ones: behind the near plane. So do semantics that are not mapped.
void VertexExecutor::clear_emitted(VkCommandBuffer cmd)
{
    for (const GeometryItem& item : geometry_items_)
        device_.vk.vkCmdFillBuffer(
            cmd, shaded_.buffer, VkDeviceSize{item.first_emitted - item.rows_in_front} * SHADED_FLOATS * 4,
            (VkDeviceSize{item.emitted} + item.rows_in_front) * SHADED_FLOATS * 4, 0x3F800000u);
}

// What earlier draws fed replaces the guest's constants in the item's blocks.
void VertexExecutor::copy_fed_constants(VkCommandBuffer cmd, const GeometryItem& item)
{
    if (item.fed.none())
        return;
    // Other parts of the ring's buffer have been read by all of these.
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
        if (item.registers || item.assembler)
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
            // The next one may depend on what this leaves behind, also a copy over it.
            stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        }
    }
}

} // namespace renderer
