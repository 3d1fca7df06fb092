// SPDX-License-Identifier: MIT
// VertexExecutor: the compute executor (design D2), which does the vertex work of a draw batch on the device.
// Compute shaders shade, clip and set up all draws of the batch, with three barriers per batch and none per
// draw. The triangle records equal those of pica/soft/vertex_stage bit for bit.
#pragma once

#include "pica/shader/geometry_analysis.h"
#include "pica/soft/vertex_stage.h"
#include "pica/state/pending_vertices.h"
#include "pica/state/vertex_memory.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/vertex/draw_geometry.h"
#include "renderer/vertex/vertex_programs.h"
#include "renderer/vulkan/upload_ring.h"
#include "renderer/vulkan/work_timer.h"
#include "shadergen/vertex_uniforms.h"
#include "shaders/include/layout.h"

#include <vector>

namespace renderer
{

// The calls for a draw come in this order: accepts, accepts_geometry (with a geometry program), take_geometry
// (the same), then for each part require and add; record at the end of the batch. Not thread-safe. Host
// failures are kept in Device::status.
class VertexExecutor
{
public:
    VertexExecutor(Device& device, Stream& stream, Memory& memory, UploadRing& ring, GuestMirror& mirror,
                   ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, u32 scale,
                   bool interpret, std::size_t program_budget, pica::Report& report)
        : device_(device), stream_(stream), memory_(memory), ring_(ring), mirror_(mirror), shaders_(shaders),
          pipelines_(pipelines), scale_(scale), interpret_(interpret), report_(report),
          programs_(shaders, pipelines, queue, program_budget), timer_(device, stream)
    {
    }
    VertexExecutor(const VertexExecutor&) = delete;
    VertexExecutor& operator=(const VertexExecutor&) = delete;
    // Creates buffers and fixed pipelines. timed: measure the vertex work on the device (vertex_time).
    Status create(bool timed);

    // The number of triangles that assembly makes of a draw and of the `pending` vertices of earlier draws
    // that precede it.
    static u32 input_triangles(const pica::Draw& draw, u32 pending);
    // The most triangles of a part before clipping. Results are reserved for the worst case, so larger draws
    // are made in parts.
    static constexpr u32 kPartTriangles = 32768;
    // May the device do the draw's vertex work? Not where workers have yet to compile its program (they are
    // asked for it), and not for very large fans, very large draws, and attributes that shaders cannot fetch.
    bool accepts(const pica::Draw& draw);
    // May the device also run the geometry program of a draw that accepts() accepted? If so, the plan is
    // kept, and the functions below refer to it until the next call (renderer/vertex/geometry_plan.cpp).
    bool accepts_geometry(const pica::Draw& draw, const pica::soft::VertexStage& stage,
                          const pica::GuestMemory& guest);
    // The draw goes to the device. Takes the registers of the geometry shader unit and the assembler's
    // vertices from the stage, unless the device has them already.
    void take_geometry(const pica::Draw& draw, pica::soft::VertexStage& stage);
    // Reads the registers of the geometry shader unit back, if the device has newer ones. Then it flushes,
    // submits and waits.
    void return_geometry(pica::soft::GeometryStage& unit);
    // The same for the assembler, if draws with a geometry program left its state on the device. restarts:
    // the next draw restarts the assembler, so the state is dropped without a readback.
    void return_assembler(bool restarts, pica::soft::VertexStage& stage);
    // The number of parts of the planned draw. Each part is required and added like a draw.
    u32 geometry_parts() const { return plan_.parts; }
    // Selects the part for the next calls of require and add.
    void begin_geometry_part(u32 part);
    // Draws whose geometry program the device runs: all, those with invocations side by side, those
    // interpreted.
    struct GeometryCounters
    {
        u64 draws = 0, parallel = 0, interpreted = 0;
    };
    const GeometryCounters& geometry_counters() const { return geometry_counters_; }
    // An upper bound of the draw's triangles before clipping; with a geometry program, of its selected part.
    u32 triangle_bound(const pica::Draw& draw, u32 pending) const
    {
        return draw.geometry_unit.feed.enabled != 0 ? plan_.triangles : input_triangles(draw, pending);
    }
    // Makes indices and attributes of the vertices in `range` current in the mirror, and reserves memory for
    // the draw's results. May flush the open batch.
    void require(const pica::Draw& draw, pica::IndexRange range, u32 pending);
    // The most triangles before clipping whose records fit into a texel buffer, whatever clipping makes of
    // them. The number is even.
    u32 texel_triangles() const;
    // Adds the draw to the batch. layout.words: size of its records. with_texels: its records are read
    // through texels(). pending: vertices that earlier draws left for it. Does not wait.
    DrawGeometry add(const pica::Draw& draw, const pica::RecordLayout& layout, bool with_texels,
                     const pica::PendingVertices& pending);
    // View of the records of the last draw that was added with_texels. Owned by the executor, valid for the
    // submission being recorded.
    VkBufferView texels() const { return texels_.get(); }
    // Parts of draws: all, those whose records are read through texels(), and those whose vertex program was
    // interpreted. vertices: shaded in all parts.
    struct Counters
    {
        u64 parts = 0, texel_parts = 0, vertices = 0, interpreted = 0;
    };
    const Counters& counters() const { return counters_; }
    // Records the vertex work of the batch, which must come before its render pass. Does not submit.
    void record();
    VertexPrograms& programs() { return programs_; } // pipelines of programs
    // Time of the vertex work in submissions that are done.
    const WorkTimer::Totals& vertex_time() const { return timer_.totals(); }

private:
    static constexpr u32 kMaxDraws = 4096; // per batch
    static constexpr u32 kRunBit = 0x8000; // b15 of the bool uniforms, 1 once an invocation has run [HW, HB]
    static constexpr VkDeviceSize kStatusBytes = kMaxDraws * 4;
    static constexpr u64 kTexelBytes = 16;

    // The vertex work of one draw or part.
    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkBuffer block_buffer = VK_NULL_HANDLE;
        u32 block_offset = 0;
        // The block with the code of an interpreted program; null if the program is compiled.
        VkBuffer program_buffer = VK_NULL_HANDLE;
        u32 program_offset = 0;
        // Values of immediate mode, bound in place of the mirror of VRAM.
        VkBuffer inline_buffer = VK_NULL_HANDLE;
        u32 unit_offset = 0; // block of the stages after the vertex program, in block_buffer
        u32 vertices = 0;
        // Elements that share the `vertices` shaded vertices. 0: each element is shaded on its own.
        u32 sharing_elements = 0;
        u32 triangles = 0;
    };
    // The vertices of an indexed draw that are shaded once each, because the draw has more elements than
    // vertices.
    struct SharedVertices
    {
        u32 first = 0; // lowest vertex number
        u32 count = 0; // 0: each element is shaded on its own
    };
    // How a draw with a geometry program runs.
    struct GeometryPlan
    {
        bool parallel = false;
        bool interpreted = false;
        u64 rounds = 0;     // interpreted: the most loop rounds of an invocation
        u32 dispatches = 0; // ... and one after the other: the most dispatches of the draw
        // An assembler runs: for strips, fans, and lists that continue an earlier draw.
        bool assembles = false;
        u32 assembly = 0; // flags GEOMETRY_TOPOLOGY_SHIFT and GEOMETRY_RESTARTS
        u32 largest = 1;  // the most triangles that an emitted primitive makes
        u32 invocations = 0;
        // 1: the first invocation runs before the others, because it sees b15 = 0.
        u32 first_alone = 0;
        u32 primitives = 0;   // primitives reserved per invocation
        u32 per_dispatch = 0; // one after the other: invocations per dispatch
        u32 per_part = 0;     // invocations per part
        u32 parts = 1;
        u32 emit_parity = 0;
        u32 first_uniform = 0;     // fixed mode: first uniform that vertices are fed to
        u32 fed = 0;               // uniforms that an invocation is fed
        u32 left = 0;              // vertices after the last whole invocation (fixed mode)
        std::vector<u32> vertices; // variable mode: first element and number of vertices of each invocation
        // The selected part.
        u32 part = 0;
        u32 first = 0; // first invocation
        u32 count = 0;
        // Triangles reserved, at least 1.
        u32 triangles = 0;
    };
    struct GeometryDispatch
    {
        u32 block_offset = 0;
        u32 invocations = 0; // of the compute shader
    };
    struct GeometryItem
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkDescriptorSet set = VK_NULL_HANDLE; // complete but for the dynamic offset of the block
        VkBuffer block_buffer = VK_NULL_HANDLE;
        Slice registers; // registers of the shader unit to copy to the device before; empty: none
        Slice assembler; // ... state of the assembler
        Slice code;      // code of an interpreted program
        Slice vertices;
        u32 first_emitted = 0; // first slot of emitted vertices in shaded_
        u32 emitted = 0;
        u32 rows_in_front = 0;
        u32 first_dispatch = 0; // index in geometry_dispatches_
        u32 dispatches = 0;
        std::bitset<96> fed; // float uniforms that earlier draws fed
    };
    // Descriptor sets for items with the same buffers.
    struct Sets
    {
        VkBuffer block_buffer = VK_NULL_HANDLE;
        VkBuffer program_buffer = VK_NULL_HANDLE;
        VkBuffer inline_buffer = VK_NULL_HANDLE;
        VkDescriptorSet set[kComputeStages]{};

        bool serve(const Item& item) const
        {
            return block_buffer == item.block_buffer && program_buffer == item.program_buffer &&
                   inline_buffer == item.inline_buffer;
        }
    };
    // Pending vertices of earlier draws, written to shaded_ before the vertex work.
    struct Upload
    {
        VkDeviceSize offset = 0;
        pica::PendingVertices vertices;
    };

    Status grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name);
    Status ensure_buffers(VkDeviceSize shaded, VkDeviceSize counts, VkDeviceSize records,
                          VkDeviceSize positions);
    std::array<shadergen::MirrorRegion, 2> mirror_regions() const;
    // Is the vertex program of a draw without a geometry program interpreted?
    bool is_interpreted(const pica::Draw& draw)
    {
        return interpret_ || programs_.vertex_interpreted(draw.vertex, *draw.program);
    }
    bool place_program(const pica::Draw& draw, Item& item);
    VkDescriptorSet allocate_set(ComputeStage stage);
    bool make_sets(const Item& item, const Slice& scan);
    // The number of shaded vertices to reserve in shaded_ for a draw.
    u32 shaded_vertices(const pica::Draw& draw, u32 pending) const
    {
        return draw.geometry_unit.feed.enabled != 0
                   ? fed_vertices(draw) + assembler_rows() + 3 * plan_.triangles
               : shared_.count != 0
                   ? pending + shared_.count + (draw.source.count + SHADED_FLOATS - 1) / SHADED_FLOATS
                   : pending + draw.source.count;
    }
    const pica::GeometryAnalysis& analyse(const pica::Draw& draw);
    bool plan_inputs(const pica::Draw& draw, const pica::GuestMemory& guest, bool& same_size);
    bool divide_geometry(); // into parts; false: there would be too many
    void watch_interpreted(u64 program, u32 dispatches);
    bool is_runaway(u64 program) const;
    void find_runaways(u32 events, u64 serial);
    SharedVertices share_vertices(const pica::Draw& draw, pica::IndexRange range);
    static u32 fed_vertices(const pica::Draw& draw);
    u32 part_dispatches() const;
    u32 dispatches_of(u32 invocations) const; // where invocations run one after the other
    bool place_geometry_program(const pica::Draw& draw, GeometryItem& work);
    const u32* read_unit_state();
    // Rows in shaded_ before the assembled vertices: the assembler's two slots, and what an invocation emits.
    u32 assembler_rows() const { return plan_.assembles ? 2 + 3 * plan_.primitives : 0; }
    bool add_geometry(const pica::Draw& draw, const pica::RecordLayout& layout, Item& item,
                      const shadergen::VertexPlacement& placement, const Slice& blocks);
    void write_dispatches(GeometryItem& work, shadergen::VertexBlock& block, const Slice& blocks, u32 fed_at);
    bool make_geometry_sets();
    void clear_emitted(VkCommandBuffer cmd);
    void copy_fed_constants(VkCommandBuffer cmd, const GeometryItem& item);
    void record_geometry(VkCommandBuffer cmd);
    // The place in status_ of the submission being recorded.
    VkDeviceSize status_offset() const { return VkDeviceSize{status_section_} * kStatusBytes; }
    VkDeviceSize uniform_alignment() const;
    VkDeviceSize block_stride() const; // bytes of a VertexBlock, aligned
    s32 place_texels(u32 record_bytes, u64 capacity, u64& first_record);
    void dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 block_offset,
                  u32 invocations);
    void name_shared_rows(VkCommandBuffer cmd);
    void share(Item& item, const shadergen::VertexPlacement& placement, const Slice& blocks);
    Result<PipelineRef> fixed_pipeline(ComputeStage stage);
    void bind(VkCommandBuffer cmd, ComputeStage stage);
    void report_status(u32 section, u64 serial);

    Device& device_;
    Stream& stream_;
    Memory& memory_;
    UploadRing& ring_;
    GuestMirror& mirror_;
    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    u32 scale_;
    bool interpret_; // interpretation is forced
    pica::Report& report_;
    VertexPrograms programs_;
    WorkTimer timer_;
    std::array<PipelineRef, kComputeStages> stage_pipelines_{}; // of the stages that run no guest program
    PipelineRef shared_rows_;
    SharedVertices shared_; // of the draw that was required last

    Buffer shaded_;
    Buffer counts_;
    Buffer records_;
    Buffer positions_;
    UniqueBufferView texels_; // of records_, beginning at byte texels_from_
    u64 texels_from_ = 0;
    u64 texels_size_ = 0;
    Counters counters_;
    Buffer indirect_;
    Buffer status_; // sections of kMaxDraws words, one per submission, used in turn
    u32 status_section_ = 0;
    u64 status_serial_ = 0; // the submission of the current section

    Buffer geometry_state_;                       // state of the geometry shader unit, words STATE_*
    Buffer geometry_readback_;                    // ... its copy for readbacks
    shadergen::GeometryKey interpreted_geometry_; // key of the program code in geometry_state_
    bool geometry_is_here_ = false;               // geometry_state_ is newer than the CPU's unit
    GeometryCounters geometry_counters_;
    GeometryPlan plan_;
    pica::ShaderUniforms geometry_uniforms_; // of the draw that was taken last, with values that vertices fed
    std::bitset<96> geometry_fed_;
    // Words STATE_* to copy to the device with the next part; empty: the device has them.
    std::vector<u32> geometry_registers_;
    std::vector<u32> geometry_assembler_; // ... beginning with STATE_ASSEMBLER
    bool assembler_is_here_ = false;      // the assembler state there is newer than the CPU's
    // Draws that are interpreted one after the other: the number of dispatches that are not known to be done,
    // and the programs that these run. Programs that ran out of their budget (runaways_) are left to the CPU
    // afterwards.
    u32 dispatches_in_work_ = 0;
    struct Watched
    {
        u64 serial = 0;
        u64 program = 0;
    };
    std::vector<Watched> watched_;
    std::vector<u64> runaways_;
    std::vector<GeometryItem> geometry_items_;
    std::vector<GeometryDispatch> geometry_dispatches_;
    struct Analysed
    {
        u64 program = 0;
        std::array<std::array<u8, 4>, 4> integers{};
        u16 bools = 0;
        u16 output_mask = 0;
        pica::GeometryAnalysis analysis;
    };
    std::vector<Analysed> analysed_; // the most recent analyses

    std::vector<Item> items_;
    std::vector<shadergen::ScanDraw> scan_;
    std::vector<Upload> uploads_;
    std::vector<Sets> sets_; // of the batch being recorded
    UniqueDescriptorPool pool_;
    u32 pool_used_ = 0;
    u32 next_vertex_ = 0;
    u32 next_slot_ = 0;
    u64 next_record_ = 0; // number of the first free record
    u64 next_byte_ = 0;   // ... and its byte offset
    // The last program block of the interpreter and what it was made of.
    pica::VertexKey last_program_;
    shadergen::FeedKey last_feed_;
    u64 last_program_serial_ = 0;
    Slice last_program_slice_;
};

} // namespace renderer
