// SPDX-License-Identifier: MIT
#include "renderer/vertex/vertex_executor.h"

#include "pica/shader/flow.h"
#include "pica/state/draw_limits.h"
#include "pica/state/vertex_memory.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/vertex_interpreter.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

using pica::Topology;

namespace
{

constexpr u32 kStatusSections = 16;
// The most triangles of a clipped triangle: a fan over a polygon of MAX_POLYGON vertices.
constexpr u64 kTrianglesPerInput = MAX_POLYGON - 2;
constexpr VkDeviceSize kShadedBytes = SHADED_FLOATS * 4;
constexpr VkDeviceSize kPadding = 1024; // vertex fetch may read past the last record
constexpr u64 kLargestRecord = pica::kMaxRecordWords * 4;
constexpr u64 kSmallestRecord = pica::kRecordHeader * 4;
// A texel buffer view may begin at multiples of this many records. The size of a record is a multiple of 48
// bytes, and no device needs texel buffers aligned to more than 256 bytes.
constexpr u64 kViewRecords = 16;
static_assert(kViewRecords * kSmallestRecord % 256 == 0);
// Limit of the records of a batch with more than one draw.
constexpr VkDeviceSize kBatchRecordBytes = VkDeviceSize{64} << 20;

} // namespace

u32 VertexExecutor::input_triangles(const pica::Draw& draw, u32 pending)
{
    return shadergen::assembled_triangles(draw.source.topology, pending + draw.source.count);
}

std::array<shadergen::MirrorRegion, 2> VertexExecutor::mirror_regions() const
{
    std::array<shadergen::MirrorRegion, 2> regions;
    for (u32 i = 0; i < 2; i++)
        regions[i] = {mirror_.region_base(i), mirror_.region_size(i)};
    return regions;
}

bool VertexExecutor::accepts(const pica::Draw& draw)
{
    const bool emits = draw.geometry_unit.feed.enabled != 0;
    // Fans are not made in parts, because each part would need the vertex that all triangles share.
    const bool whole = emits || draw.source.topology == Topology::TriangleFan;
    return draw.program && draw.uniforms && draw.source.count <= pica::kMaxDrawVertices &&
           (!whole || input_triangles(draw, 2) <= kPartTriangles) &&
           shadergen::can_fetch(draw.source, mirror_regions()) &&
           (emits || interpret_ || programs_.vertex_ready(draw.vertex, *draw.program) ||
            programs_.vertex_interpreted(draw.vertex, *draw.program));
}

Status VertexExecutor::grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name)
{
    if (buffer.size >= size)
        return {};
    auto made = memory_.create_buffer(std::max(size, std::min(buffer.size * 2, kBatchRecordBytes)),
                                      usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryKind::Device, name);
    if (!made)
        return made.error();
    if (buffer.buffer)
        stream_.retire(std::move(buffer));
    buffer = std::move(*made);
    return {};
}

Status VertexExecutor::ensure_buffers(VkDeviceSize shaded, VkDeviceSize counts, VkDeviceSize records,
                                      VkDeviceSize positions)
{
    Status status = grow(shaded_, shaded, VK_BUFFER_USAGE_TRANSFER_DST_BIT, "shaded vertices");
    if (status)
        status = grow(counts_, counts, 0, "triangle counts");
    if (status)
    {
        const VkBuffer before = records_.buffer;
        status = grow(records_, records + kPadding,
                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                      "triangle records");
        if (records_.buffer != before && texels_)
            stream_.retire(std::move(texels_));
    }
    if (status)
        status = grow(positions_, positions, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "snapped positions");
    return status;
}

Status VertexExecutor::create(bool timed)
{
    if (timed)
        if (Status status = timer_.create(); !status)
            return status;
    if (Status status = grow(indirect_, kMaxDraws * sizeof(VkDrawIndirectCommand),
                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "indirect draws");
        !status)
        return status;
    auto status_buffer = memory_.create_buffer(
        kStatusSections * kStatusBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        MemoryKind::Readback, "vertex status");
    if (!status_buffer)
        return status_buffer.error();
    status_ = std::move(*status_buffer);
    auto state_buffer =
        memory_.create_buffer(STATE_BUFFER_WORDS * 4,
                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                  VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              MemoryKind::Device, "geometry unit");
    if (!state_buffer)
        return state_buffer.error();
    geometry_state_ = std::move(*state_buffer);
    auto readback = memory_.create_buffer(STATE_WORDS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                          MemoryKind::Readback, "geometry unit, read back");
    if (!readback)
        return readback.error();
    geometry_readback_ = std::move(*readback);
    for (const ComputeStage stage : {ComputeStage::ClipCount, ComputeStage::Scan, ComputeStage::Emit})
    {
        const Result<PipelineRef> pipeline = fixed_pipeline(stage);
        if (!pipeline)
            return pipeline.error();
        stage_pipelines_[static_cast<std::size_t>(stage)] = *pipeline;
    }
    const auto shared_rows = shaders_.fixed_stage("shared_rows");
    const Result<PipelineRef> names_rows = shared_rows
                                               ? pipelines_.compute(ComputeStage::Vertex, *shared_rows)
                                               : Result<PipelineRef>(shared_rows.error());
    if (!names_rows)
        return names_rows.error();
    shared_rows_ = *names_rows;
    return ensure_buffers(VkDeviceSize{4096} * kShadedBytes, 65536, VkDeviceSize{4} << 20,
                          VkDeviceSize{2} << 20);
}

void VertexExecutor::require(const pica::Draw& draw, pica::IndexRange range, u32 pending)
{
    const pica::VertexSource& source = draw.source;
    shared_ = share_vertices(draw, range);
    const u32 triangles = triangle_bound(draw, pending);
    const VkDeviceSize vertices = shaded_vertices(draw, pending);
    const u64 worst = triangles * kTrianglesPerInput;
    // The end of the draw's records for any record size.
    const VkDeviceSize end_bytes =
        std::max(next_byte_, next_record_ * kLargestRecord) + (worst + 2 * kViewRecords) * kLargestRecord;
    const VkDeviceSize end_shaded = (next_vertex_ + vertices) * kShadedBytes;
    const VkDeviceSize end_counts = (next_slot_ + VkDeviceSize{triangles}) * 4;
    const bool full = items_.size() >= kMaxDraws || (!items_.empty() && end_bytes > kBatchRecordBytes);
    const bool fits = end_shaded <= shaded_.size && end_counts <= counts_.size &&
                      end_bytes + kPadding <= records_.size &&
                      end_bytes / kSmallestRecord * kPositionBytes <= positions_.size;
    if (!items_.empty() && (full || !fits))
        stream_.flush_batch(); // the open batch keeps its results in the present buffers
    if (!fits)
    {
        // Reserves what the batch would have held, so that the next batch need not end here.
        const VkDeviceSize records = full ? (worst + 2 * kViewRecords) * kLargestRecord : end_bytes;
        if (Status status = ensure_buffers(end_shaded, end_counts, records,
                                           (records / kSmallestRecord + 1) * kPositionBytes);
            !status)
            device_.fail(status.error().message);
    }

    if (source.indexed)
        mirror_.require_for_batch(source.index_address, index_bytes(source));
    for_each_attribute_range(source, range,
                             [&](const pica::FetchInput&, PhysAddr address, u64 size)
                             { mirror_.require_for_batch(address, size); });
}

// Places what runs the vertex program: a pipeline of its own, or the interpreter and a block with the code.
bool VertexExecutor::place_program(const pica::Draw& draw, Item& item)
{
    const bool emits = draw.geometry_unit.feed.enabled != 0;
    const bool interpreted = emits ? plan_.interpreted : is_interpreted(draw);
    const shadergen::FeedKey feed = emits ? shadergen::feed_key(draw) : shadergen::FeedKey{};
    const Result<VkPipeline> pipeline = interpreted ? programs_.vertex_interpreter(*draw.program)
                                        : emits     ? programs_.feed(feed, *draw.program)
                                                    : programs_.vertex(draw.vertex, *draw.program);
    if (!pipeline)
    {
        device_.fail(pipeline.error().message);
        return false;
    }
    item.program = *pipeline;
    if (!interpreted)
        return true;
    counters_.interpreted += emits ? 0 : 1;
    if (last_program_serial_ != stream_.current() || !(last_program_ == draw.vertex && last_feed_ == feed))
    {
        last_program_slice_ = ring_.allocate(sizeof(shadergen::ProgramBlock), uniform_alignment());
        if (!last_program_slice_)
            return false;
        shadergen::ProgramBlock& block = *last_program_slice_.as<shadergen::ProgramBlock>();
        if (emits)
            shadergen::pack_program_block(*draw.program, feed, block);
        else
            shadergen::pack_program_block(*draw.program, draw.vertex, block);
        last_program_ = draw.vertex;
        last_feed_ = feed;
        last_program_serial_ = stream_.current();
    }
    item.program_buffer = last_program_slice_.buffer;
    item.program_offset = static_cast<u32>(last_program_slice_.offset);
    return true;
}

VkDeviceSize VertexExecutor::uniform_alignment() const
{
    return std::max<VkDeviceSize>(16, device_.properties.limits.minUniformBufferOffsetAlignment);
}

VkDeviceSize VertexExecutor::block_stride() const
{
    return (sizeof(shadergen::VertexBlock) + uniform_alignment() - 1) & ~(uniform_alignment() - 1);
}

u32 VertexExecutor::texel_triangles() const
{
    const u64 records = u64{device_.properties.limits.maxTexelBufferElements} * kTexelBytes / kLargestRecord;
    return static_cast<u32>(std::min<u64>(records / kTrianglesPerInput & ~u64{1}, kPartTriangles));
}

// Makes texels_ a view that covers the draw's records. It mostly covers the whole buffer; where the limit of
// texels is smaller, it moves. Gives the number that shaders add to record numbers. first_record may increase
// for alignment.
s32 VertexExecutor::place_texels(u32 record_bytes, u64 capacity, u64& first_record)
{
    const u64 end = (first_record + capacity) * record_bytes;
    if (texels_ && texels_from_ % record_bytes == 0 && texels_from_ <= first_record * record_bytes &&
        end <= texels_from_ + texels_size_)
        return -static_cast<s32>(texels_from_ / record_bytes);
    if (texels_)
        stream_.retire(std::move(texels_));
    const u64 limit = u64{device_.properties.limits.maxTexelBufferElements} * kTexelBytes;
    first_record = (first_record + kViewRecords - 1) / kViewRecords * kViewRecords;
    texels_from_ = records_.size / kTexelBytes * kTexelBytes <= limit ? 0 : first_record * record_bytes;
    texels_size_ = std::min((records_.size - texels_from_) / kTexelBytes * kTexelBytes, limit);
    auto info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = records_.buffer;
    info.format = VK_FORMAT_R32G32B32A32_SINT;
    info.offset = texels_from_;
    info.range = texels_size_;
    VkBufferView view = VK_NULL_HANDLE;
    if (device_.check(device_.vk.vkCreateBufferView(device_.handle, &info, nullptr, &view),
                      "vkCreateBufferView"))
        texels_ = UniqueBufferView(device_.handle, device_.vk, view);
    return -static_cast<s32>(texels_from_ / record_bytes);
}

DrawGeometry VertexExecutor::add(const pica::Draw& draw, const pica::RecordLayout& layout, bool with_texels,
                                 const pica::PendingVertices& pending)
{
    const bool emits = draw.geometry_unit.feed.enabled != 0;
    const u32 triangles = triangle_bound(draw, pending.count);
    const u32 words = layout.words;
    // The draw's region begins at a multiple of its own record size. Regions of draws overlap neither as
    // records nor as positions.
    u64 first_record = std::max(next_record_, (next_byte_ + words * 4 - 1) / (words * 4));
    const u32 index = static_cast<u32>(items_.size());
    const u64 capacity = triangles * kTrianglesPerInput;
    const s32 first_texel_record = with_texels ? place_texels(words * 4, capacity, first_record) : 0;
    counters_.parts++;
    counters_.texel_parts += with_texels ? 1 : 0;

    Item item;
    // One slice, so that all blocks of the draw are in one buffer.
    const u32 blocks = emits ? 1 + part_dispatches() : shared_.count != 0 ? 2 : 1;
    const Slice block = ring_.allocate(blocks * block_stride(), uniform_alignment());
    const std::span<const pica::Vec4> values = draw.source.inline_values;
    const bool immediate = draw.source.inline_attributes != 0;
    const Slice inlined =
        immediate ? ring_.allocate(std::max<VkDeviceSize>(16, values.size_bytes())) : Slice{};
    if (block && (inlined || !immediate) && place_program(draw, item))
    {
        shadergen::VertexPlacement placement;
        placement.mirror = mirror_regions();
        placement.scale = scale_;
        placement.first_shaded = next_vertex_ + pending.count;
        placement.pending = pending.count;
        placement.odd_strip = pending.odd_strip;
        placement.inline_offset = static_cast<u32>(inlined.offset);
        placement.first_slot = next_slot_;
        placement.draw_index = index;
        placement.first_record = static_cast<u32>(first_record);
        placement.record_capacity = static_cast<u32>(capacity);
        shadergen::pack_vertex_block(draw, layout, placement, *block.as<shadergen::VertexBlock>());
        if (immediate)
            std::memcpy(inlined.host, values.data(), values.size_bytes());
        if (pending.count != 0)
            uploads_.push_back({next_vertex_ * kShadedBytes, pending});
        item.block_buffer = block.buffer;
        item.block_offset = item.unit_offset = static_cast<u32>(block.offset);
        item.inline_buffer = inlined.buffer;
        item.vertices = draw.source.count;
        item.triangles = triangles;
        if (shared_.count != 0)
            share(item, placement, block);
        if (emits && !add_geometry(draw, layout, item, placement, block))
            item.program = VK_NULL_HANDLE;
    }
    counters_.vertices += item.vertices;
    items_.push_back(item);
    scan_.push_back({{next_slot_, triangles, index, 0},
                     {static_cast<u32>(first_record), static_cast<u32>(capacity), 0, 0}});
    next_vertex_ += shaded_vertices(draw, pending.count);
    next_slot_ += triangles;
    next_record_ = first_record + capacity;
    next_byte_ = next_record_ * words * 4;

    DrawGeometry geometry;
    geometry.record_buffer = records_.buffer;
    geometry.position_buffer = positions_.buffer;
    geometry.record_bytes = words * 4;
    geometry.first_record = first_texel_record;
    geometry.indirect_buffer = indirect_.buffer;
    geometry.indirect_offset = VkDeviceSize{index} * sizeof(VkDrawIndirectCommand);
    return geometry;
}

void VertexExecutor::dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                              u32 invocations)
{
    if (invocations == 0 || item.program == VK_NULL_HANDLE)
        return;
    const auto found =
        std::find_if(sets_.begin(), sets_.end(), [&](const Sets& sets) { return sets.serve(item); });
    const u32 offsets[2] = {block_offset, item.program_offset}; // dynamic offsets in the order of bindings
    device_.vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_.compute_layout(stage),
                                       SET_COMPUTE, 1, &found->set[static_cast<std::size_t>(stage)],
                                       stage == ComputeStage::VertexInterpreter ? 2 : 1, offsets);
    const u32 groups = (invocations + COMPUTE_GROUP - 1) / COMPUTE_GROUP;
    const u32 columns = std::min(groups, 65535u);
    device_.vk.vkCmdDispatch(cmd, columns, (groups + columns - 1) / columns, 1);
}

Result<PipelineRef> VertexExecutor::fixed_pipeline(ComputeStage stage)
{
    constexpr const char* kNames[kComputeStages] = {"", "clip_count", "scan", "emit", "", ""};
    const auto module = shaders_.fixed_stage(kNames[static_cast<std::size_t>(stage)]);
    return module ? pipelines_.compute(stage, *module) : Result<PipelineRef>(module.error());
}

void VertexExecutor::bind(VkCommandBuffer cmd, ComputeStage stage)
{
    device_.vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                 stage_pipelines_[static_cast<std::size_t>(stage)]->get());
}

void VertexExecutor::record()
{
    if (items_.empty())
        return;
    const auto& vk = device_.vk;
    const u32 draws = static_cast<u32>(items_.size());
    // Each submission has a section of status words. Its draws share words, which only gather bits.
    const bool fresh_section = status_serial_ != stream_.current();
    if (fresh_section)
        status_section_ = (status_section_ + 1) % kStatusSections;
    const Slice scan =
        ring_.allocate(16 + scan_.size() * sizeof(shadergen::ScanDraw),
                       std::max<VkDeviceSize>(16, device_.properties.limits.minStorageBufferOffsetAlignment));
    bool ready = static_cast<bool>(scan) && static_cast<bool>(device_.status());
    if (ready)
    {
        const u32 header[4] = {draws, 0, 0, 0};
        std::memcpy(scan.host, header, sizeof header);
        std::memcpy(scan.host + sizeof header, scan_.data(), scan_.size() * sizeof(shadergen::ScanDraw));
        for (const Item& item : items_)
            ready = ready && (item.program == VK_NULL_HANDLE || make_sets(item, scan));
        ready = ready && !sets_.empty() && make_geometry_sets();
    }
    if (ready)
    {
        const VkCommandBuffer cmd = stream_.cmd();
        const LabelScope label(device_, cmd, "vertex work");
        u32 vertices = 0;
        for (const Item& item : items_)
            vertices += item.vertices;
        timer_.begin(cmd, vertices);
        mirror_.use(GuestMirror::kVram, kComputeRead);
        mirror_.use(GuestMirror::kFcram, kComputeRead);
        // The last batch may still read its results.
        stream_.barrier(
            VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        if (fresh_section)
        {
            status_serial_ = stream_.current();
            vk.vkCmdFillBuffer(cmd, status_.buffer, status_offset(), kStatusBytes, 0);
            stream_.defer([this, section = status_section_, serial = status_serial_]
                          { report_status(section, serial); });
        }
        for (const Upload& upload : uploads_)
            vk.vkCmdUpdateBuffer(cmd, shaded_.buffer, upload.offset, upload.vertices.count * kShadedBytes,
                                 upload.vertices.rows.data());
        clear_emitted(cmd);
        if (fresh_section || !uploads_.empty() || !geometry_items_.empty())
            stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        VkPipeline bound = VK_NULL_HANDLE;
        for (const Item& item : items_)
        {
            if (item.program != bound && item.program != VK_NULL_HANDLE)
                vk.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, bound = item.program);
            dispatch(cmd, item.program_buffer ? ComputeStage::VertexInterpreter : ComputeStage::Vertex, item,
                     item.block_offset, item.vertices);
        }
        name_shared_rows(cmd);
        const auto next_stage = [&]
        {
            stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        };
        next_stage();
        record_geometry(cmd);
        bind(cmd, ComputeStage::ClipCount);
        for (const Item& item : items_)
            dispatch(cmd, ComputeStage::ClipCount, item, item.unit_offset, item.triangles);
        next_stage();
        bind(cmd, ComputeStage::Scan);
        const VkDescriptorSet set = sets_.front().set[static_cast<std::size_t>(ComputeStage::Scan)];
        vk.vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                   pipelines_.compute_layout(ComputeStage::Scan), SET_COMPUTE, 1, &set, 0,
                                   nullptr);
        vk.vkCmdDispatch(cmd, 1, 1, 1);
        next_stage();
        bind(cmd, ComputeStage::Emit);
        for (const Item& item : items_)
            dispatch(cmd, ComputeStage::Emit, item, item.unit_offset, item.triangles);
        stream_.barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                        VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
        timer_.end(cmd);
    }
    items_.clear();
    geometry_items_.clear();
    geometry_dispatches_.clear();
    scan_.clear();
    uploads_.clear();
    sets_.clear();
    next_vertex_ = next_slot_ = 0;
    next_record_ = next_byte_ = 0;
}

void VertexExecutor::report_status(u32 section, u64 serial)
{
    if (!memory_.invalidate(status_))
        return;
    u32 bits = 0;
    const auto* words = reinterpret_cast<const u32*>(status_.mapped) + std::size_t{section} * kMaxDraws;
    for (u32 i = 0; i < kMaxDraws; i++)
        bits |= words[i];
    static_assert(STATUS_BUDGET == pica::kBudgetExhausted && STATUS_BREAK == pica::kBreakOutsideLoop);
    static_assert(STATUS_PRIMITIVES_LOST == pica::kPrimitivesLost && STATUS_BAD_SLOT == pica::kBadVertexSlot);
    pica::report_run_events(bits & ~(STATUS_RECORDS_LOST | STATUS_UNFINISHED), "on the device", report_);
    find_runaways(bits, serial);
    if (bits & STATUS_UNFINISHED)
        device_.fail("a geometry program needed more dispatches than were planned for it");
    if (bits & STATUS_RECORDS_LOST)
        device_.fail("triangle records did not fit the room reserved for a draw");
}

} // namespace renderer
