// SPDX-License-Identifier: MIT
// VertexExecutor: the compute executor (design D2), which does the vertex work of a draw batch on the device.
// Compute shaders shade, clip and set up all draws of the batch, with three barriers per batch and none per
// draw. The triangle records equal those of pica/vertex/vertex_stage bit for bit.
#pragma once

#include "pica/state/pending_vertices.h"
#include "pica/state/vertex_memory.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/vertex/draw_geometry.h"
#include "renderer/vertex/geometry_executor.h"
#include "renderer/vertex/geometry_planner.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_status.h"
#include "renderer/vulkan/work_timer.h"

namespace renderer
{

// The vertex work of one draw, or of a part of one.
struct VertexJob
{
    const pica::Draw& draw;
    pica::IndexRange vertices;              // vertex numbers
    const pica::PendingVertices& pending;   // vertices that earlier draws left for it
    const GeometryWork* geometry = nullptr; // null: the draw has no geometry program
};

// What the executor decided for a job.
struct VertexWork
{
    // The vertices of an indexed draw that are shaded once each, because the draw has more elements than vertices. Count
    // 0: each element is shaded on its own.
    u32 shared_first = 0; // lowest vertex number
    u32 shared_count = 0;
    VertexNeed need;
};

// The calls for a draw or part come in this order: work_of, has_room, reserve, add; then record at the end of the batch.
// Not thread-safe. Host failures are kept in Device::status.
class VertexExecutor
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        Memory& memory;
        UploadRing& ring;
        GuestMirror& mirror;
        ShaderCache& shaders;
        PipelineCache& pipelines;
        CompileQueue* queue; // null: a draw compiles its program when it needs it
        pica::Report& report;
    };
    struct Choices
    {
        u32 scale = 1;                  // internal resolution
        bool interpret = false;         // programs are always interpreted
        std::size_t program_budget = 0; // pipelines that are kept of each kind
        bool timed = false;             // measure the vertex work on the device (vertex_time)
    };
    VertexExecutor(const Parts& parts, const Choices& choices);
    VertexExecutor(const VertexExecutor&) = delete;
    VertexExecutor& operator=(const VertexExecutor&) = delete;
    // Creates buffers and fixed pipelines.
    Status create();

    // The number of triangles that assembly makes of a draw and of the `pending` vertices of earlier draws
    // that precede it.
    static u32 input_triangles(const pica::Draw& draw, u32 pending);
    // The most triangles before clipping whose records fit into a texel buffer. The number is even.
    u32 texel_triangles() const { return buffers_.texel_triangles(); }
    // May the device do the draw's vertex work? Not where workers have yet to compile its program (they are
    // asked for it), and not for very large fans, very large draws, and attributes that shaders cannot fetch.
    bool accepts(const pica::Draw& draw);
    GeometryPlanner& geometry_planner() { return geometry_planner_; }
    GeometryRegisters& geometry_registers() { return geometry_registers_; }
    // The draw goes to the device, with its geometry program as planned. The first part is selected.
    GeometryWork begin_geometry(const pica::Draw& draw, GeometryPlan plan, pica::soft::VertexStage& stage);

    VertexWork work_of(const VertexJob& job);
    // Can the work join what was added? If not, the collected draws must be flushed before reserve().
    bool has_room(const VertexWork& work);
    // Reserves memory for the results.
    void reserve(const VertexWork& work) { buffers_.reserve(work.need); }
    // Adds the work to the batch. with_texels: its records are read through texels(). Does not wait.
    DrawGeometry add(const VertexJob& job, const VertexWork& work, const pica::RecordLayout& layout,
                     bool with_texels);
    // View of the records of the last draw that was added with_texels. Owned by the executor, valid for the
    // submission being recorded.
    VkBufferView texels() const { return buffers_.texels(); }
    // Records the vertex work of the batch, which must come before its render pass. Does not submit.
    void record();

    // Parts of draws: all, those whose records are read through texels(), and those whose vertex program was
    // interpreted. vertices: shaded in all parts. geometry_draws: draws whose geometry program the device runs: all,
    // those with invocations side by side, those interpreted.
    struct Counters
    {
        u64 parts = 0, texel_parts = 0, vertices = 0, interpreted = 0;
        u64 geometry_draws = 0, parallel_geometry_draws = 0, interpreted_geometry_draws = 0;
    };
    const Counters& counters() const { return counters_; }
    VertexPrograms& programs() { return programs_; } // pipelines of programs
    // Time of the vertex work in submissions that are done.
    const WorkTimer::Totals& vertex_time() const { return timer_.totals(); }

private:
    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE; // null: nothing is recorded for the item
        VertexItemBuffers buffers;
        u32 block_offset = 0;
        u32 program_offset = 0;
        u32 unit_offset = 0; // block of the stages after the vertex program
        u32 vertices = 0;
        // Elements that share the `vertices` shaded vertices. 0: each element is shaded on its own.
        u32 sharing_elements = 0;
        u32 triangles = 0;
    };
    // Pending vertices of earlier draws, written to the shaded vertices before the vertex work.
    struct Upload
    {
        VkDeviceSize offset = 0;
        pica::PendingVertices vertices;
    };

    std::array<shadergen::MirrorRegion, 2> mirror_regions() const;
    // Is the vertex program of a draw without a geometry program interpreted?
    bool is_interpreted(const pica::Draw& draw);
    bool shares_vertices(const VertexJob& job);
    bool place_program(const VertexJob& job, Item& item);
    Slice place_program_block(const pica::Draw& draw, const shadergen::FeedKey& feed, bool emits);
    bool place_blocks(const VertexJob& job, const VertexWork& work, const pica::RecordLayout& layout,
                      const VertexBuffers::Place& place, Item& item);
    void share(const VertexWork& work, u32 first_row, const Slice& blocks, Item& item);
    VkDeviceSize uniform_alignment() const;
    VkDeviceSize block_stride() const; // bytes of a VertexBlock, aligned
    Slice place_scan();
    bool make_sets(const Slice& scan);
    void record_uploads(VkCommandBuffer cmd);
    void record_programs(VkCommandBuffer cmd);
    void record_shared_rows(VkCommandBuffer cmd);
    void record_triangles(VkCommandBuffer cmd);
    void dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                  u32 invocations);
    void next_stage();
    Result<PipelineRef> fixed_pipeline(ComputeStage stage, const char* name);
    void bind(VkCommandBuffer cmd, ComputeStage stage);
    void reset();

    Parts parts_;
    const Choices choices_;
    VertexPrograms programs_;
    RunawayPrograms runaways_;
    GeometryPlanner geometry_planner_;
    GeometryRegisters geometry_registers_;
    VertexBuffers buffers_;
    VertexStatus status_;
    VertexSets sets_;
    GeometryExecutor geometry_;
    WorkTimer timer_;
    std::array<PipelineRef, kComputeStages> stage_pipelines_{}; // of the stages that run no guest program
    PipelineRef shared_rows_;
    Counters counters_;

    // Of the batch.
    std::vector<Item> items_;
    std::vector<shadergen::ScanDraw> scan_;
    std::vector<Upload> uploads_;
    // The last program block of the interpreter and what it was made of.
    pica::VertexKey last_program_;
    shadergen::FeedKey last_feed_;
    u64 last_program_serial_ = 0;
    Slice last_program_slice_;
};

} // namespace renderer
