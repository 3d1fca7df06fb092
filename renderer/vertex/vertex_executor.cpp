// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_executor.h"

#include "pica/state/draw_limits.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/program_pipelines.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/vertex/geometry_executor.h"
#include "renderer/vertex/geometry_planner.h"
#include "renderer/vertex/geometry_registers.h"
#include "renderer/vertex/geometry_work.h"
#include "renderer/vertex/interpreter_blocks.h"
#include "renderer/vertex/runaway_programs.h"
#include "renderer/vertex/triangle_stages.h"
#include "renderer/vertex/vertex_budget.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_dispatches.h"
#include "renderer/vertex/vertex_pipelines.h"
#include "renderer/vertex/vertex_programs.h"
#include "renderer/vertex/vertex_sets.h"
#include "renderer/vertex/vertex_status.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/control_flow.h"
#include "shadergen/vertex_uniforms.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace renderer
{

namespace
{

constexpr BarrierScope kBetweenStages{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};

} // namespace

// The vertex work of one draw or part.
struct VertexExecutor::Item
{
    VkPipeline program = VK_NULL_HANDLE; // null: nothing is recorded for the item
    bool batched = false;                // dispatches_ has the program's invocations
    VertexItemBuffers buffers;
    u32 block_offset = 0;
    u32 program_offset = 0;
    u32 vertices = 0;
};

// A draw or part that is being added.
struct VertexExecutor::Adding
{
    const VertexJob& job;
    const VertexWork& work;
    const pica::RecordLayout& layout;
    const VertexBuffers::Place& place;
    shadergen::TriangleDraw triangles{};
};

struct VertexExecutor::Collected
{
    // Pending vertices of earlier draws, written to the shaded vertices before the vertex work.
    struct Upload
    {
        VkDeviceSize offset = 0;
        pica::PendingVertices vertices;
    };
    std::vector<Item> items;
    std::vector<Upload> uploads;
};

VertexExecutor::VertexExecutor(const Parts& parts, const Choices& choices)
    : parts_(parts), choices_(choices), fetchable_(parts.mirror),
      programs_(std::make_unique<VertexPrograms>(
          ProgramParts{parts.shaders, parts.pipelines, parts.queue, choices.program_budget, parts.title})),
      runaways_(std::make_unique<RunawayPrograms>(parts.stream)),
      geometry_planner_(std::make_unique<GeometryPlanner>(
          *programs_, *runaways_, parts.report,
          GeometryPlanner::Choices{choices.interpret, choices.serial_geometry})),
      geometry_registers_(std::make_unique<GeometryRegisters>(
          GeometryRegisters::Parts{parts.device, parts.stream, parts.memory, parts.report})),
      buffers_(std::make_unique<VertexBuffers>(parts.device, parts.stream, parts.memory)),
      status_(std::make_unique<VertexStatus>(
          VertexStatus::Parts{parts.device, parts.stream, parts.memory, *runaways_, parts.report},
          VertexBuffers::kMostDraws)),
      sets_(std::make_unique<VertexSets>(parts.device, parts.stream, parts.pipelines)),
      geometry_(std::make_unique<GeometryExecutor>(
          GeometryExecutor::Parts{parts.device, parts.stream, parts.ring, parts.pipelines, *programs_,
                                  *geometry_registers_, *sets_})),
      timer_(parts.device, parts.stream), budget_(std::make_unique<VertexBudget>(parts.device, parts.stream)),
      pipelines_(std::make_unique<VertexPipelines>(parts.device)),
      dispatches_(std::make_unique<VertexDispatches>(
          VertexDispatches::Parts{parts.device, parts.ring, parts.pipelines, *sets_})),
      triangles_(std::make_unique<TriangleStages>(
          TriangleStages::Parts{parts.device, parts.stream, parts.ring, parts.pipelines, *pipelines_, *sets_,
                                *buffers_, choices_.scale})),
      collected_(std::make_unique<Collected>()),
      blocks_(std::make_unique<InterpreterBlocks>(parts.stream, parts.ring, uniform_alignment()))
{
}

VertexExecutor::~VertexExecutor() = default;

Status VertexExecutor::create()
{
    if (choices_.timed)
        if (Status status = timer_.create(); !status)
            return status;
    if (Status status = budget_->create(); !status)
        return status;
    if (parts_.queue)
        pipelines_->create_later(*parts_.queue, parts_.shaders, parts_.pipelines);
    else if (Status status = pipelines_->create(parts_.shaders, parts_.pipelines); !status)
        return status;
    Status status = status_->create();
    if (status)
        status = geometry_registers_->create();
    return status ? buffers_->create() : status;
}

u32 VertexExecutor::input_triangles(const pica::Draw& draw, u32 pending)
{
    return shadergen::assembled_triangles(draw.source.topology, pending + draw.source.count);
}

bool VertexExecutor::is_interpreted(const VertexJob& job)
{
    if (job.geometry)
        return job.geometry->plan.interpreted;
    return choices_.interpret || programs_->vertex_interpreted(job.draw.vertex, *job.draw.program);
}

bool VertexExecutor::accepts(const pica::Draw& draw)
{
    if (const std::optional<Error> failure = pipelines_->take_failure())
        parts_.report.report(pica::ReportKind::Info, "the CPU does all vertex work", failure->message);
    // Fans are not made in parts, because each part would need the vertex that all triangles share.
    const bool whole = draw.geometry_unit.emits() || draw.source.topology == pica::Topology::TriangleFan;
    return draw.program && draw.uniforms && draw.source.count <= pica::kMaxDrawVertices &&
           (!whole || input_triangles(draw, 2) <= kMostPartTriangles) && fetchable_.can_fetch(draw) &&
           !budget_->is_too_much(budget_->work_of(draw)) &&
           (draw.geometry_unit.emits() || choices_.interpret ||
            programs_->vertex_ready(draw.vertex, *draw.program) ||
            programs_->vertex_interpreted(draw.vertex, *draw.program)) &&
           pipelines_->ready();
}

bool VertexExecutor::must_submit(const pica::Draw& draw)
{
    return budget_->must_submit(budget_->work_of(draw));
}

GeometryWork VertexExecutor::begin_geometry(const pica::Draw& draw, GeometryPlan plan,
                                            pica::VertexStage& stage)
{
    counters_.geometry_draws++;
    counters_.parallel_geometry_draws += plan.parallel ? 1 : 0;
    counters_.interpreted_geometry_draws += plan.interpreted ? 1 : 0;
    if (plan.dispatches != 0 && !choices_.interpret)
        runaways_->watch(draw.geometry_unit.program->id(), plan.dispatches);
    GeometryWork work;
    work.start = geometry_registers_->take(draw, plan, stage);
    work.part = plan.part(0);
    work.plan = std::move(plan);
    return work;
}

// Decides whether each vertex between the lowest and the highest number is shaded once. Some of these may not
// belong to the draw. Shading them has no visible effect, as long as the program cannot report anything.
bool VertexExecutor::shares_vertices(const VertexJob& job)
{
    const u64 count = job.vertices.last - job.vertices.first + 1;
    return job.draw.source.indexed && count < job.draw.source.count && is_batched(job, is_interpreted(job));
}

// Does the draw's vertex program run in one dispatch with those of other draws?
bool VertexExecutor::is_batched(const VertexJob& job, bool interpreted)
{
    if (job.geometry || interpreted)
        return false;
    const pica::Program& program = *job.draw.program;
    if (flow_of_ != program.id()) // consecutive draws mostly run the same program
    {
        flow_of_ = program.id();
        raises_events_ = shadergen::may_raise_events(program);
    }
    return !raises_events_;
}

VertexWork VertexExecutor::work_of(const VertexJob& job)
{
    const u32 elements = job.draw.source.count;
    VertexWork work;
    if (job.geometry)
    {
        work.need.triangles = job.geometry->part.triangles;
        work.need.rows = fed_rows(job.draw) + job.geometry->plan.assembler_rows() + 3 * work.need.triangles;
        return work;
    }
    work.need.triangles = input_triangles(job.draw, job.pending.count);
    work.need.rows = job.pending.count + elements;
    if (shares_vertices(job))
    {
        work.shared_first = static_cast<u32>(job.vertices.first);
        work.shared_count = static_cast<u32>(job.vertices.last - job.vertices.first + 1);
        work.need.rows =
            job.pending.count + work.shared_count + (elements + SHADED_FLOATS - 1) / SHADED_FLOATS;
    }
    return work;
}

void VertexExecutor::reserve(const VertexWork& work)
{
    buffers_->reserve(work.need);
}

u32 VertexExecutor::texel_triangles() const
{
    return buffers_->texel_triangles();
}

VkBufferView VertexExecutor::texels() const
{
    return buffers_->texels();
}

bool VertexExecutor::has_room(const VertexWork& work)
{
    return collected_->items.size() < VertexBuffers::kMostDraws && buffers_->has_room(work.need);
}

// Places what runs the vertex program: a pipeline of its own, or the interpreter and a block with the code.
bool VertexExecutor::place_program(const VertexJob& job, bool interpreted, Item& item)
{
    const pica::Draw& draw = job.draw;
    const shadergen::FeedKey feed = job.geometry ? shadergen::feed_key(draw) : shadergen::FeedKey{};
    const Result<VkPipeline> pipeline = interpreted    ? programs_->vertex_interpreter(*draw.program)
                                        : job.geometry ? programs_->feed(feed, *draw.program)
                                                       : programs_->vertex(draw.vertex, *draw.program);
    if (!pipeline)
    {
        parts_.device.fail(pipeline.error().message);
        return false;
    }
    item.program = *pipeline;
    if (!interpreted)
        return true;
    counters_.interpreted += job.geometry ? 0 : 1;
    const Slice block = job.geometry ? blocks_->place(*draw.program, draw.vertex, feed)
                                     : blocks_->place(*draw.program, draw.vertex);
    item.buffers.program = block.buffer;
    item.program_offset = static_cast<u32>(block.offset);
    return static_cast<bool>(block);
}

VkDeviceSize VertexExecutor::uniform_alignment() const
{
    return std::max<VkDeviceSize>(16, parts_.device.properties.limits.minUniformBufferOffsetAlignment);
}

VkDeviceSize VertexExecutor::block_stride() const
{
    return (sizeof(shadergen::VertexBlock) + uniform_alignment() - 1) & ~(uniform_alignment() - 1);
}

DrawGeometry VertexExecutor::add(const VertexJob& job, const VertexWork& work,
                                 const pica::RecordLayout& layout, bool with_texels)
{
    const VertexBuffers::Place place = buffers_->place(work.need, layout.words, with_texels);
    const u32 index = static_cast<u32>(collected_->items.size());
    Item item;
    Adding adding{job, work, layout, place};
    if (!place_blocks(adding, item))
        item.program = VK_NULL_HANDLE;
    adding.triangles.assembly.triangles *= item.program != VK_NULL_HANDLE ? 1 : 0;
    adding.triangles.region.command = index;
    counters_.parts++;
    counters_.texel_parts += with_texels ? 1 : 0;
    counters_.vertices += item.vertices;
    budget_->add(budget_->work_of(job.draw));
    collected_->items.push_back(item);
    triangles_->add(adding.triangles);

    DrawGeometry geometry;
    geometry.record_buffer = buffers_->records();
    geometry.position_buffer = buffers_->positions();
    geometry.record_bytes = layout.words * 4;
    geometry.first_record = place.first_texel_record;
    geometry.indirect_buffer = buffers_->records();
    geometry.indirect_offset = buffers_->slots_offset() + VkDeviceSize{index} * sizeof(VkDrawIndirectCommand);
    return geometry;
}

// Places the blocks that the shaders of an item read. False: memory ran out, or a pipeline failed.
bool VertexExecutor::place_blocks(Adding& adding, Item& item)
{
    const auto& [job, work, layout, place, triangles] = adding;
    const bool interpreted = is_interpreted(job);
    item.batched = is_batched(job, interpreted);
    // One slice, so that all blocks of the draw are in one buffer.
    const u32 blocks = job.geometry ? 1 + job.geometry->plan.dispatches_of(job.geometry->part) : 1;
    const Slice block =
        item.batched ? Slice{} : parts_.ring.allocate(blocks * block_stride(), uniform_alignment());
    const std::span<const pica::Vec4> values = job.draw.source.inline_values;
    const bool immediate = job.draw.source.inline_attributes != 0;
    const Slice inlined =
        immediate ? parts_.ring.allocate(std::max<VkDeviceSize>(16, values.size_bytes())) : Slice{};
    if ((!item.batched && !block) || (immediate && !inlined) || !place_program(job, interpreted, item))
        return false;
    shadergen::VertexPlacement placement;
    placement.mirror = fetchable_.regions();
    placement.first_shaded = place.first_vertex + job.pending.count;
    placement.pending = job.pending.count;
    placement.odd_strip = job.pending.odd_strip;
    placement.inline_offset = static_cast<u32>(inlined.offset);
    placement.draw_index = static_cast<u32>(collected_->items.size());
    placement.first_record = static_cast<u32>(place.first_record);
    placement.record_capacity = static_cast<u32>(place.records);
    adding.triangles = shadergen::triangle_draw(job.draw, triangles_->state_of(job.draw, layout), placement);
    if (immediate)
        std::memcpy(inlined.host, values.data(), values.size_bytes());
    if (job.pending.count != 0)
        collected_->uploads.push_back({place.first_vertex * kShadedBytes, job.pending});
    item.buffers.block = block.buffer;
    item.buffers.inlined = inlined.buffer;
    item.block_offset = static_cast<u32>(block.offset);
    item.vertices = job.draw.source.count;
    if (item.batched)
    {
        add_batched(adding, placement, item);
        return true;
    }
    shadergen::VertexBlock packed;
    shadergen::pack_vertex_block(job.draw, placement, packed);
    std::memcpy(block.host, &packed, sizeof packed);
    if (!job.geometry)
        return true;
    const auto first_emitted = geometry_->add({job.draw, *job.geometry, placement, block, block_stride()});
    adding.triangles.vertices.first = first_emitted.value_or(0);
    adding.triangles.assembly.topology = 0;
    adding.triangles.assembly.triangles = work.need.triangles;
    return first_emitted.has_value();
}

// Adds the invocations of an item that runs with others. If its elements share vertices, it shades these as an array.
// Behind the array is memory for the rows that elements refer to.
void VertexExecutor::add_batched(Adding& adding, const shadergen::VertexPlacement& placement, Item& item)
{
    const pica::Draw& draw = adding.job.draw;
    const VertexWork& work = adding.work;
    shadergen::BatchDraw block = dispatches_->describe(draw, placement);
    if (work.shared_count != 0)
    {
        const u32 first_row = block.draw.first_shaded;
        const u32 rows = (first_row + work.shared_count) * SHADED_FLOATS;
        block.shared_range = {first_row, work.shared_first, work.shared_count, rows};
        dispatches_->add(pipelines_->get(FixedStage::SharedRows), VK_NULL_HANDLE, block, item.vertices);
        block.draw = {work.shared_count, work.shared_first, first_row, block.draw.bools};
        block.index = {};
        item.vertices = work.shared_count;
        adding.triangles.vertices.sharing_from = adding.job.pending.count;
        adding.triangles.vertices.first_shared = first_row;
        adding.triangles.vertices.sharing_rows = rows;
    }
    dispatches_->add(item.program, item.buffers.inlined, block, item.vertices);
}

void VertexExecutor::dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                              u32 invocations)
{
    if (invocations == 0 || item.program == VK_NULL_HANDLE)
        return;
    const VkDescriptorSet set = sets_->find(item.buffers);
    const u32 offsets[2] = {block_offset, item.program_offset}; // dynamic offsets in the order of bindings
    parts_.device.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                             parts_.pipelines.compute_layout(stage), SET_COMPUTE, 1, &set,
                                             stage == ComputeStage::VertexInterpreter ? 2 : 1, offsets);
    const u32 groups = (invocations + COMPUTE_GROUP - 1) / COMPUTE_GROUP;
    const u32 columns = std::min(groups, 65535u);
    parts_.device.vk.vkCmdDispatch(cmd, columns, (groups + columns - 1) / columns, 1);
}

// False: the host failed.
bool VertexExecutor::make_sets()
{
    const auto uses_status = [](const Item& item) { return item.program != VK_NULL_HANDLE && !item.batched; };
    if (std::ranges::any_of(collected_->items, uses_status))
        status_->select();
    const VertexBatchBuffers batch{.mirror_vram = parts_.mirror.buffer(GuestMirror::kVram),
                                   .mirror_fcram = parts_.mirror.buffer(GuestMirror::kFcram),
                                   .shaded = buffers_->shaded(),
                                   .status = status_->section()};
    for (const Item& item : collected_->items)
        if (uses_status(item) && !sets_->add(item.buffers, batch))
            return false;
    return dispatches_->prepare(batch) && triangles_->prepare() &&
           geometry_->make_sets(buffers_->shaded(), status_->section());
}

void VertexExecutor::record()
{
    if (collected_->items.empty())
        return;
    if (parts_.device.status() && make_sets())
    {
        const bool transfers = status_->is_new() || !collected_->uploads.empty() || !geometry_->empty();
        need_barriers(transfers);
        const VkCommandBuffer cmd = parts_.stream.cmd();
        const LabelScope label(parts_.device, cmd, "vertex work");
        u32 vertices = 0;
        for (const Item& item : collected_->items)
            vertices += item.vertices;
        timer_.begin(cmd, vertices);
        budget_->begin(cmd);
        if (transfers)
            record_uploads(cmd);
        dispatches_->record(cmd);
        record_programs(cmd);
        parts_.stream.barrier(kBetweenStages.from_stages, kBetweenStages.from, kBetweenStages.to_stages,
                              kBetweenStages.to);
        geometry_->record(cmd);
        triangles_->record(cmd);
        last_work_ = parts_.stream.last_place();
        budget_->end(cmd);
        timer_.end(cmd);
    }
    reset();
}

void VertexExecutor::reset()
{
    collected_->items.clear();
    dispatches_->reset();
    triangles_->reset();
    collected_->uploads.clear();
    sets_->reset();
    geometry_->reset();
    buffers_->reset();
}

// Asks for the barriers before the vertex work. transfers: it begins with some.
void VertexExecutor::need_barriers(bool transfers)
{
    parts_.mirror.use_all(kComputeRead);
    // The last batch may still read its results, and its vertex work the shaded vertices.
    const u64 last_batch = std::exchange(last_batch_, parts_.stream.batch());
    if (transfers || !parts_.stream.compute_follows(last_batch) ||
        !parts_.stream.has_barrier(last_work_, kBetweenStages))
        parts_.stream.need(
            VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
            VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

// Records what the shaders find in their buffers, and the barrier behind it.
void VertexExecutor::record_uploads(VkCommandBuffer cmd)
{
    status_->clear_new(cmd);
    for (const Collected::Upload& upload : collected_->uploads)
        parts_.device.vk.vkCmdUpdateBuffer(cmd, buffers_->shaded(), upload.offset,
                                           upload.vertices.count * kShadedBytes, upload.vertices.rows.data());
    geometry_->clear_emitted(cmd, buffers_->shaded());
    parts_.mirror.use_all(kComputeRead); // behind this barrier
    parts_.stream.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

// Records the programs that run for one draw at a time.
void VertexExecutor::record_programs(VkCommandBuffer cmd)
{
    VkPipeline bound = VK_NULL_HANDLE;
    for (const Item& item : collected_->items)
    {
        if (item.batched)
            continue;
        if (item.program != bound && item.program != VK_NULL_HANDLE)
            parts_.device.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, bound = item.program);
        dispatch(cmd, item.buffers.vertex_stage(), item, item.block_offset, item.vertices);
    }
}

} // namespace renderer
