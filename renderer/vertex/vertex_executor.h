// SPDX-License-Identifier: MIT
// VertexExecutor: the compute executor (design D2), which does the vertex work of a draw batch on the device.
// Compute shaders shade, clip and set up all draws of the batch, with a few barriers per batch and none per
// draw. The triangle records equal those of pica/vertex/vertex_stage bit for bit.
#pragma once

#include "renderer/vertex/draw_geometry.h"
#include "renderer/vertex/fetchable_memory.h"
#include "renderer/vertex/vertex_job.h"
#include "renderer/vulkan/work_timer.h"

#include <memory>

namespace pica
{
class Report;
class VertexStage;
struct RecordLayout;
} // namespace pica

namespace shadergen
{
struct VertexPlacement;
}

namespace renderer
{

class CompileQueue;
class GeometryExecutor;
class GeometryPlanner;
class GeometryRegisters;
class GuestMirror;
class InterpreterBlocks;
class Memory;
class PipelineCache;
class RunawayPrograms;
class ShaderCache;
class TriangleStages;
class UploadRing;
class VertexBudget;
class VertexBuffers;
class VertexDispatches;
class VertexPipelines;
class TitleStates;
class VertexPrograms;
class VertexSets;
class VertexStatus;
enum class ComputeStage : pica::u8;
struct GeometryPlan;
struct Slice;

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
        TitleStates* title = nullptr; // is told which programs draws use
    };
    struct Choices
    {
        u32 scale = 1;                  // internal resolution
        bool interpret = false;         // programs are always interpreted
        bool serial_geometry = false;   // geometry programs may run one invocation after the other
        std::size_t program_budget = 0; // pipelines that are kept of each kind
        bool timed = false;             // measure the vertex work on the device (vertex_time)
    };
    VertexExecutor(const Parts& parts, const Choices& choices);
    ~VertexExecutor();
    VertexExecutor(const VertexExecutor&) = delete;
    VertexExecutor& operator=(const VertexExecutor&) = delete;
    // Creates buffers and, if there is no queue, the pipelines that run no guest program. Workers make those
    // otherwise.
    Status create();

    // The number of triangles that assembly makes of a draw and of the `pending` vertices of earlier draws
    // that precede it.
    static u32 input_triangles(const pica::Draw& draw, u32 pending);
    // The most triangles before clipping whose records fit into a texel buffer. The number is even.
    u32 texel_triangles() const;
    // May the device do the draw's vertex work? Not where workers have yet to make a pipeline (they are asked
    // for that of its program), and not for very large fans, very large draws, and attributes that shaders cannot fetch.
    bool accepts(const pica::Draw& draw);
    // Must the submission being recorded end before it gets this draw or part too, so that the device does not need too
    // long for it?
    bool must_submit(const pica::Draw& draw);
    GeometryPlanner& geometry_planner() { return *geometry_planner_; }
    GeometryRegisters& geometry_registers() { return *geometry_registers_; }
    // The draw goes to the device, with its geometry program as planned. The first part is selected.
    GeometryWork begin_geometry(const pica::Draw& draw, GeometryPlan plan, pica::VertexStage& stage);

    VertexWork work_of(const VertexJob& job);
    // Can the work join what was added? If not, the collected draws must be flushed before reserve().
    bool has_room(const VertexWork& work);
    // Reserves memory for the results.
    void reserve(const VertexWork& work);
    // Adds the work to the batch. with_texels: its records are read through texels(). Does not wait.
    DrawGeometry add(const VertexJob& job, const VertexWork& work, const pica::RecordLayout& layout,
                     bool with_texels);
    // View of the records of the last draw that was added with_texels. Owned by the executor, valid for the
    // submission being recorded.
    VkBufferView texels() const;
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
    VertexPrograms& programs() { return *programs_; } // pipelines of programs
    VertexBuffers& buffers() { return *buffers_; }    // memory for the results
    // Time of the vertex work in submissions that are done.
    const WorkTimer::Totals& vertex_time() const { return timer_.totals(); }

private:
    struct Item;
    struct Adding;
    struct Collected;

    // Is the vertex program of a draw without a geometry program interpreted?
    bool is_interpreted(const VertexJob& job);
    bool is_batched(const VertexJob& job, bool interpreted);
    bool shares_vertices(const VertexJob& job);
    bool place_program(const VertexJob& job, bool interpreted, Item& item);
    bool place_blocks(Adding& adding, Item& item);
    void add_batched(Adding& adding, const shadergen::VertexPlacement& placement, Item& item);
    VkDeviceSize uniform_alignment() const;
    VkDeviceSize block_stride() const; // bytes of a VertexBlock, aligned
    bool make_sets();
    void need_barriers(bool transfers);
    void record_uploads(VkCommandBuffer cmd);
    void record_programs(VkCommandBuffer cmd);
    void dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                  u32 invocations);
    void reset();

    Parts parts_;
    const Choices choices_;
    FetchableMemory fetchable_;
    std::unique_ptr<VertexPrograms> programs_;
    std::unique_ptr<RunawayPrograms> runaways_;
    std::unique_ptr<GeometryPlanner> geometry_planner_;
    std::unique_ptr<GeometryRegisters> geometry_registers_;
    std::unique_ptr<VertexBuffers> buffers_;
    std::unique_ptr<VertexStatus> status_;
    std::unique_ptr<VertexSets> sets_;
    std::unique_ptr<GeometryExecutor> geometry_;
    WorkTimer timer_;
    std::unique_ptr<VertexBudget> budget_;
    std::unique_ptr<VertexPipelines> pipelines_;
    std::unique_ptr<VertexDispatches> dispatches_;
    std::unique_ptr<TriangleStages> triangles_;
    std::unique_ptr<Collected> collected_; // the work of the batch
    std::unique_ptr<InterpreterBlocks> blocks_;
    u64 last_batch_ = 0; // that was recorded (Stream::batch)
    u64 last_work_ = 0;  // ... the place of its vertex work (Stream::last_place)
    u64 flow_of_ = 0;    // the program that raises_events_ is about
    bool raises_events_ = true;
    Counters counters_;
};

} // namespace renderer
