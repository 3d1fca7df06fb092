// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_executor.h"

#include "pica/state/draw_limits.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/control_flow.h"
#include "shadergen/vertex_interpreter.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace renderer
{

using pica::Topology;

namespace
{

bool emits(const pica::Draw& draw)
{
    return draw.geometry_unit.feed.enabled != 0;
}

} // namespace

VertexExecutor::VertexExecutor(const Parts& parts, const Choices& choices)
    : parts_(parts), choices_(choices),
      programs_({parts.shaders, parts.pipelines, parts.queue, choices.program_budget}),
      runaways_(parts.stream), geometry_planner_(programs_, runaways_, parts.report, choices.interpret),
      geometry_registers_({parts.device, parts.stream, parts.memory, parts.report}),
      buffers_(parts.device, parts.stream, parts.memory),
      status_({parts.device, parts.stream, parts.memory, runaways_, parts.report}, VertexBuffers::kMostDraws),
      sets_(parts.device, parts.stream, parts.pipelines),
      geometry_(
          {parts.device, parts.stream, parts.ring, parts.pipelines, programs_, geometry_registers_, sets_}),
      timer_(parts.device, parts.stream)
{
}

Status VertexExecutor::create()
{
    if (choices_.timed)
        if (Status status = timer_.create(); !status)
            return status;
    for (const auto& [stage, name] :
         {std::pair(ComputeStage::ClipCount, "clip_count"), std::pair(ComputeStage::Scan, "scan"),
          std::pair(ComputeStage::Emit, "emit")})
    {
        const Result<PipelineRef> pipeline = fixed_pipeline(stage, name);
        if (!pipeline)
            return pipeline.error();
        stage_pipelines_[static_cast<std::size_t>(stage)] = *pipeline;
    }
    const Result<PipelineRef> shared_rows = fixed_pipeline(ComputeStage::Vertex, "shared_rows");
    if (!shared_rows)
        return shared_rows.error();
    shared_rows_ = *shared_rows;
    Status status = status_.create();
    if (status)
        status = geometry_registers_.create();
    return status ? buffers_.create() : status;
}

Result<PipelineRef> VertexExecutor::fixed_pipeline(ComputeStage stage, const char* name)
{
    const auto module = parts_.shaders.fixed_stage(name);
    return module ? parts_.pipelines.compute(stage, *module) : Result<PipelineRef>(module.error());
}

u32 VertexExecutor::input_triangles(const pica::Draw& draw, u32 pending)
{
    return shadergen::assembled_triangles(draw.source.topology, pending + draw.source.count);
}

std::array<shadergen::MirrorRegion, 2> VertexExecutor::mirror_regions() const
{
    std::array<shadergen::MirrorRegion, 2> regions;
    for (u32 i = 0; i < 2; i++)
        regions[i] = {parts_.mirror.region_base(i), parts_.mirror.region_size(i)};
    return regions;
}

bool VertexExecutor::is_interpreted(const pica::Draw& draw)
{
    return choices_.interpret || programs_.vertex_interpreted(draw.vertex, *draw.program);
}

bool VertexExecutor::accepts(const pica::Draw& draw)
{
    // Fans are not made in parts, because each part would need the vertex that all triangles share.
    const bool whole = emits(draw) || draw.source.topology == Topology::TriangleFan;
    return draw.program && draw.uniforms && draw.source.count <= pica::kMaxDrawVertices &&
           (!whole || input_triangles(draw, 2) <= kMostPartTriangles) &&
           shadergen::can_fetch(draw.source, mirror_regions()) &&
           (emits(draw) || choices_.interpret || programs_.vertex_ready(draw.vertex, *draw.program) ||
            programs_.vertex_interpreted(draw.vertex, *draw.program));
}

GeometryWork VertexExecutor::begin_geometry(const pica::Draw& draw, GeometryPlan plan,
                                            pica::soft::VertexStage& stage)
{
    counters_.geometry_draws++;
    counters_.parallel_geometry_draws += plan.parallel ? 1 : 0;
    counters_.interpreted_geometry_draws += plan.interpreted ? 1 : 0;
    if (plan.dispatches != 0 && !choices_.interpret)
        runaways_.watch(draw.geometry_unit.program->id(), plan.dispatches);
    GeometryWork work;
    work.start = geometry_registers_.take(draw, plan, stage);
    work.part = plan.part(0);
    work.plan = std::move(plan);
    return work;
}

// Decides whether each vertex between the lowest and the highest number is shaded once. Some of these may not
// belong to the draw. Shading them has no visible effect, as long as the program cannot report anything.
bool VertexExecutor::shares_vertices(const VertexJob& job)
{
    const u64 count = job.vertices.last - job.vertices.first + 1;
    return job.draw.source.indexed && count < job.draw.source.count && !job.geometry &&
           !is_interpreted(job.draw) && !shadergen::may_raise_events(*job.draw.program);
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

bool VertexExecutor::has_room(const VertexWork& work)
{
    return items_.size() < VertexBuffers::kMostDraws && buffers_.has_room(work.need);
}

// Places what runs the vertex program: a pipeline of its own, or the interpreter and a block with the code.
bool VertexExecutor::place_program(const VertexJob& job, Item& item)
{
    const pica::Draw& draw = job.draw;
    const bool interpreted = job.geometry ? job.geometry->plan.interpreted : is_interpreted(draw);
    const shadergen::FeedKey feed = job.geometry ? shadergen::feed_key(draw) : shadergen::FeedKey{};
    const Result<VkPipeline> pipeline = interpreted    ? programs_.vertex_interpreter(*draw.program)
                                        : job.geometry ? programs_.feed(feed, *draw.program)
                                                       : programs_.vertex(draw.vertex, *draw.program);
    if (!pipeline)
    {
        parts_.device.fail(pipeline.error().message);
        return false;
    }
    item.program = *pipeline;
    if (!interpreted)
        return true;
    counters_.interpreted += job.geometry ? 0 : 1;
    const Slice block = place_program_block(draw, feed, job.geometry != nullptr);
    item.buffers.program = block.buffer;
    item.program_offset = static_cast<u32>(block.offset);
    return static_cast<bool>(block);
}

// The block with the code of an interpreted program. The last one is used again within its submission.
Slice VertexExecutor::place_program_block(const pica::Draw& draw, const shadergen::FeedKey& feed, bool emits)
{
    if (last_program_serial_ == parts_.stream.current() && last_program_ == draw.vertex && last_feed_ == feed)
        return last_program_slice_;
    last_program_slice_ = parts_.ring.allocate(sizeof(shadergen::ProgramBlock), uniform_alignment());
    if (!last_program_slice_)
        return {};
    shadergen::ProgramBlock& block = *last_program_slice_.as<shadergen::ProgramBlock>();
    if (emits)
        shadergen::pack_program_block(*draw.program, feed, block);
    else
        shadergen::pack_program_block(*draw.program, draw.vertex, block);
    last_program_ = draw.vertex;
    last_feed_ = feed;
    last_program_serial_ = parts_.stream.current();
    return last_program_slice_;
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
    const VertexBuffers::Place place = buffers_.place(work.need, layout.words, with_texels);
    const u32 index = static_cast<u32>(items_.size());
    Item item;
    if (!place_blocks(job, work, layout, place, item))
        item.program = VK_NULL_HANDLE;
    counters_.parts++;
    counters_.texel_parts += with_texels ? 1 : 0;
    counters_.vertices += item.vertices;
    items_.push_back(item);
    scan_.push_back({{place.first_slot, work.need.triangles, index, 0},
                     {static_cast<u32>(place.first_record), static_cast<u32>(place.records), 0, 0}});

    DrawGeometry geometry;
    geometry.record_buffer = buffers_.records();
    geometry.position_buffer = buffers_.positions();
    geometry.record_bytes = layout.words * 4;
    geometry.first_record = place.first_texel_record;
    geometry.indirect_buffer = buffers_.indirect();
    geometry.indirect_offset = VkDeviceSize{index} * sizeof(VkDrawIndirectCommand);
    return geometry;
}

// Places the blocks that the shaders of an item read. False: memory ran out, or a pipeline failed.
bool VertexExecutor::place_blocks(const VertexJob& job, const VertexWork& work,
                                  const pica::RecordLayout& layout, const VertexBuffers::Place& place,
                                  Item& item)
{
    // One slice, so that all blocks of the draw are in one buffer.
    const u32 blocks = job.geometry             ? 1 + job.geometry->plan.dispatches_of(job.geometry->part)
                       : work.shared_count != 0 ? 2
                                                : 1;
    const Slice block = parts_.ring.allocate(blocks * block_stride(), uniform_alignment());
    const std::span<const pica::Vec4> values = job.draw.source.inline_values;
    const bool immediate = job.draw.source.inline_attributes != 0;
    const Slice inlined =
        immediate ? parts_.ring.allocate(std::max<VkDeviceSize>(16, values.size_bytes())) : Slice{};
    if (!block || (immediate && !inlined) || !place_program(job, item))
        return false;
    shadergen::VertexPlacement placement;
    placement.mirror = mirror_regions();
    placement.scale = choices_.scale;
    placement.first_shaded = place.first_vertex + job.pending.count;
    placement.pending = job.pending.count;
    placement.odd_strip = job.pending.odd_strip;
    placement.inline_offset = static_cast<u32>(inlined.offset);
    placement.first_slot = place.first_slot;
    placement.draw_index = static_cast<u32>(items_.size());
    placement.first_record = static_cast<u32>(place.first_record);
    placement.record_capacity = static_cast<u32>(place.records);
    shadergen::pack_vertex_block(job.draw, layout, placement, *block.as<shadergen::VertexBlock>());
    if (immediate)
        std::memcpy(inlined.host, values.data(), values.size_bytes());
    if (job.pending.count != 0)
        uploads_.push_back({place.first_vertex * kShadedBytes, job.pending});
    item.buffers.block = block.buffer;
    item.buffers.inlined = inlined.buffer;
    item.block_offset = item.unit_offset = static_cast<u32>(block.offset);
    item.vertices = job.draw.source.count;
    item.triangles = work.need.triangles;
    if (work.shared_count != 0)
        share(work, placement.first_shaded, block, item);
    if (!job.geometry)
        return true;
    const auto unit_offset =
        geometry_.add({job.draw, *job.geometry, layout, placement, block, block_stride()});
    item.unit_offset = unit_offset.value_or(0);
    return unit_offset.has_value();
}

// Sets up an item that shades the vertices as an array. Behind the array is memory for the rows that elements
// refer to.
void VertexExecutor::share(const VertexWork& work, u32 first_row, const Slice& blocks, Item& item)
{
    shadergen::VertexBlock& elements = *blocks.as<shadergen::VertexBlock>();
    elements.shared_range = {first_row, work.shared_first, work.shared_count,
                             (first_row + work.shared_count) * SHADED_FLOATS};
    shadergen::VertexBlock vertices = elements;
    vertices.draw = {work.shared_count, work.shared_first, first_row, elements.draw[3]};
    vertices.index = {};
    std::memcpy(blocks.host + block_stride(), &vertices, sizeof vertices);
    item.block_offset = static_cast<u32>(blocks.offset + block_stride());
    item.sharing_elements = std::exchange(item.vertices, work.shared_count);
}

void VertexExecutor::dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                              u32 invocations)
{
    if (invocations == 0 || item.program == VK_NULL_HANDLE)
        return;
    const VkDescriptorSet set = sets_.find(item.buffers, stage);
    const u32 offsets[2] = {block_offset, item.program_offset}; // dynamic offsets in the order of bindings
    parts_.device.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                             parts_.pipelines.compute_layout(stage), SET_COMPUTE, 1, &set,
                                             stage == ComputeStage::VertexInterpreter ? 2 : 1, offsets);
    const u32 groups = (invocations + COMPUTE_GROUP - 1) / COMPUTE_GROUP;
    const u32 columns = std::min(groups, 65535u);
    parts_.device.vk.vkCmdDispatch(cmd, columns, (groups + columns - 1) / columns, 1);
}

void VertexExecutor::bind(VkCommandBuffer cmd, ComputeStage stage)
{
    parts_.device.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                       stage_pipelines_[static_cast<std::size_t>(stage)]->get());
}

// Places the list of draws for the scan of triangle counts.
Slice VertexExecutor::place_scan()
{
    const u32 header[4] = {static_cast<u32>(scan_.size()), 0, 0, 0};
    const std::size_t bytes = scan_.size() * sizeof(shadergen::ScanDraw);
    const Slice scan = parts_.ring.allocate(
        sizeof header + bytes,
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minStorageBufferOffsetAlignment));
    if (scan)
    {
        std::memcpy(scan.host, header, sizeof header);
        std::memcpy(scan.host + sizeof header, scan_.data(), bytes);
    }
    return scan;
}

// False: the host failed, or there is nothing to record.
bool VertexExecutor::make_sets(const Slice& scan)
{
    status_.select();
    const VertexBatchBuffers batch{.mirror_vram = parts_.mirror.buffer(GuestMirror::kVram),
                                   .mirror_fcram = parts_.mirror.buffer(GuestMirror::kFcram),
                                   .shaded = buffers_.shaded(),
                                   .counts = buffers_.counts(),
                                   .records = buffers_.records(),
                                   .positions = buffers_.positions(),
                                   .indirect = buffers_.indirect(),
                                   .status = status_.section(),
                                   .scan_draws = {scan.buffer, scan.offset, scan.size}};
    for (const Item& item : items_)
        if (item.program != VK_NULL_HANDLE && !sets_.add(item.buffers, batch))
            return false;
    return sets_.any(ComputeStage::Scan) != VK_NULL_HANDLE &&
           geometry_.make_sets(buffers_.shaded(), status_.section());
}

void VertexExecutor::record()
{
    if (items_.empty())
        return;
    if (const Slice scan = place_scan(); scan && parts_.device.status() && make_sets(scan))
    {
        const VkCommandBuffer cmd = parts_.stream.cmd();
        const LabelScope label(parts_.device, cmd, "vertex work");
        u32 vertices = 0;
        for (const Item& item : items_)
            vertices += item.vertices;
        timer_.begin(cmd, vertices);
        record_uploads(cmd);
        record_programs(cmd);
        record_shared_rows(cmd);
        next_stage();
        geometry_.record(cmd);
        record_triangles(cmd);
        timer_.end(cmd);
    }
    reset();
}

void VertexExecutor::reset()
{
    items_.clear();
    scan_.clear();
    uploads_.clear();
    sets_.reset();
    geometry_.reset();
    buffers_.reset();
}

// Records what the shaders find in their buffers, and the barriers before them.
void VertexExecutor::record_uploads(VkCommandBuffer cmd)
{
    const auto& vk = parts_.device.vk;
    parts_.mirror.use(GuestMirror::kVram, kComputeRead);
    parts_.mirror.use(GuestMirror::kFcram, kComputeRead);
    // The last batch may still read its results.
    parts_.stream.barrier(
        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
            VK_PIPELINE_STAGE_HOST_BIT,
        VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    const bool cleared = status_.clear_new(cmd);
    for (const Upload& upload : uploads_)
        vk.vkCmdUpdateBuffer(cmd, buffers_.shaded(), upload.offset, upload.vertices.count * kShadedBytes,
                             upload.vertices.rows.data());
    geometry_.clear_emitted(cmd, buffers_.shaded());
    if (cleared || !uploads_.empty() || !geometry_.empty())
        parts_.stream.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

void VertexExecutor::record_programs(VkCommandBuffer cmd)
{
    VkPipeline bound = VK_NULL_HANDLE;
    for (const Item& item : items_)
    {
        if (item.program != bound && item.program != VK_NULL_HANDLE)
            parts_.device.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, bound = item.program);
        dispatch(cmd, item.buffers.vertex_stage(), item, item.block_offset, item.vertices);
    }
}

// Records the dispatches that look up which shaded vertex each element names. They need no barrier after the
// vertex programs, because they read only indices.
void VertexExecutor::record_shared_rows(VkCommandBuffer cmd)
{
    bool bound = false;
    for (const Item& item : items_)
    {
        if (item.sharing_elements == 0)
            continue;
        if (!std::exchange(bound, true))
            parts_.device.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, shared_rows_->get());
        dispatch(cmd, ComputeStage::Vertex, item, item.unit_offset, item.sharing_elements);
    }
}

// Records the barrier between two stages of the vertex work.
void VertexExecutor::next_stage()
{
    parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

// Records clipping, the scan that places records, and their set-up; then the barrier before the render pass.
void VertexExecutor::record_triangles(VkCommandBuffer cmd)
{
    const auto& vk = parts_.device.vk;
    bind(cmd, ComputeStage::ClipCount);
    for (const Item& item : items_)
        dispatch(cmd, ComputeStage::ClipCount, item, item.unit_offset, item.triangles);
    next_stage();
    bind(cmd, ComputeStage::Scan);
    const VkDescriptorSet set = sets_.any(ComputeStage::Scan);
    vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                               parts_.pipelines.compute_layout(ComputeStage::Scan), SET_COMPUTE, 1, &set, 0,
                               nullptr);
    vk.vkCmdDispatch(cmd, 1, 1, 1);
    next_stage();
    bind(cmd, ComputeStage::Emit);
    for (const Item& item : items_)
        dispatch(cmd, ComputeStage::Emit, item, item.unit_offset, item.triangles);
    parts_.stream.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                              VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                          VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

} // namespace renderer
