// SPDX-License-Identifier: MIT
// The compute vertex executor (design D2): the draws of a batch are shaded, clipped and set up on the device,
// three barriers per batch, none per draw. Gives the records of pica/soft/vertex_stage bit for bit.
#pragma once

#include "pica/shader/geometry_analysis.h"
#include "pica/soft/vertex_stage.h"
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
    // timed: vertex_time() counts.
    Status create(bool timed);

    // Triangles that assembly makes of a draw and the vertices in front of it.
    static u32 input_triangles(const pica::Draw& draw, u32 pending);
    // Results are reserved for the worst case: draws of more triangles are made in parts.
    static constexpr u32 kPartTriangles = 32768;
    // Draws whose programs workers have yet to compile are the CPU's, and very large fans.
    bool accepts(const pica::Draw& draw);
    // Draws with a geometry program that accepts() took: can the device run it? What is planned here holds
    // for the functions below until the next call (renderer/vertex/geometry_work.cpp).
    bool accepts_geometry(const pica::Draw& draw, const pica::soft::VertexStage& stage,
                          const pica::GuestMemory& guest);
    // The draw is the device's: the unit's registers go there, where they are not yet.
    void take_geometry(const pica::Draw& draw, pica::soft::VertexStage& stage);
    // Brings the unit's registers back; waits for the device.
    void return_geometry(pica::soft::GeometryStage& unit);
    // The same for the assembler, where draws with a geometry program left its state on the device. Nobody
    // needs it where a draw restarts the assembler.
    void return_assembler(bool restarts, pica::soft::VertexStage& stage);
    // Draws that emit much are made in parts: each is required and added like a draw.
    u32 geometry_parts() const { return plan_.parts; }
    void begin_geometry_part(u32 part);
    struct GeometryCounters
    {
        u64 draws = 0, parallel = 0, interpreted = 0;
    };
    const GeometryCounters& geometry_counters() const { return geometry_counters_; }
    // Triangles in front of clipping, at most.
    u32 triangle_bound(const pica::Draw& draw, u32 pending) const
    {
        return draw.geometry_unit.feed.enabled != 0 ? plan_.triangles : input_triangles(draw, pending);
    }
    // Makes indices and attributes of these vertices current in the mirror and room for the draw's results;
    // may record the open batch.
    void require(const pica::Draw& draw, pica::soft::IndexRange range, u32 pending);
    // Triangles before clipping whose records a texel buffer can hold, whatever clipping makes of them; even.
    u32 texel_triangles() const;
    // Adds the draw to the batch. layout.words is its record size; with_texels: its records are read through
    // texels(); pending: what earlier draws left for it.
    DrawGeometry add(const pica::Draw& draw, const pica::RecordLayout& layout, bool with_texels,
                     const pica::soft::PendingVertices& pending);
    // Over the records of the last draw that was added with_texels.
    VkBufferView texels() const { return texels_.get(); }
    struct Counters
    {
        u64 parts = 0, texel_parts = 0, vertices = 0, interpreted = 0; // parts with the vertex interpreter
    };
    const Counters& counters() const { return counters_; }
    // Records the vertex work of the batch.
    void record();
    VertexPrograms& programs() { return programs_; }
    const WorkTimer::Totals& vertex_time() const { return timer_.totals(); }

private:
    static constexpr u32 kMaxDraws = 4096; // per batch
    static constexpr u32 kRunBit = 0x8000; // b15, which the first invocation sets
    static constexpr VkDeviceSize kStatusBytes = kMaxDraws * 4;
    static constexpr u64 kTexelBytes = 16;

    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkBuffer block_buffer = VK_NULL_HANDLE;
        u32 block_offset = 0;
        // The block of an interpreted program; no buffer where it is compiled.
        VkBuffer program_buffer = VK_NULL_HANDLE;
        u32 program_offset = 0;
        VkBuffer inline_buffer = VK_NULL_HANDLE; // values of immediate mode, in place of the mirror of VRAM
        u32 unit_offset = 0; // the block of the stages behind the vertex program, in block_buffer
        u32 vertices = 0;
        u32 sharing_elements = 0; // that these vertices are shaded for; 0: the vertices are the elements
        u32 triangles = 0;
    };
    // Vertices of an indexed draw that are shaded once, because its elements outnumber them.
    struct SharedVertices
    {
        u32 first = 0; // number
        u32 count = 0; // 0: each element is shaded
    };
    // How a draw with a geometry program runs.
    struct GeometryPlan
    {
        bool parallel = false;
        bool interpreted = false;
        u64 rounds = 0;         // interpreted: those of an invocation, at most
        u32 dispatches = 0;     // ... one after the other: of the draw, at most
        bool assembles = false; // strips, fans and lists that go on from earlier draws
        u32 assembly = 0;       // GEOMETRY_TOPOLOGY_SHIFT, GEOMETRY_RESTARTS
        u32 largest = 1;        // triangles that a primitive makes
        u32 invocations = 0;
        u32 first_alone = 0;  // 1: the first one runs before the others, because it sees b15 = 0
        u32 primitives = 0;   // reserved for each
        u32 per_dispatch = 0; // one after the other: so many in one
        u32 per_part = 0;
        u32 parts = 1;
        u32 emit_parity = 0;
        u32 first_uniform = 0; // what is fed
        u32 fed = 0;
        u32 left = 0;              // vertices behind the last invocation (fixed mode)
        std::vector<u32> vertices; // variable mode: first element and number, per invocation
        // The part in work.
        u32 part = 0;
        u32 first = 0; // invocation
        u32 count = 0;
        u32 triangles = 0; // reserved, at least 1
    };
    struct GeometryDispatch
    {
        u32 block_offset = 0;
        u32 invocations = 0; // of the shader
    };
    struct GeometryItem
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkDescriptorSet set = VK_NULL_HANDLE; // but for the block's offset
        VkBuffer block_buffer = VK_NULL_HANDLE;
        Slice registers; // the unit's, to bring to the device before it
        Slice assembler; // ... the assembler's
        Slice code;      // of an interpreted program
        Slice vertices;
        u32 first_emitted = 0; // vertices in shaded_
        u32 emitted = 0;
        u32 rows_in_front = 0;
        u32 first_dispatch = 0; // in geometry_dispatches_
        u32 dispatches = 0;
        std::bitset<96> fed; // c registers that earlier draws fed
    };
    // Descriptor sets differ in buffers only.
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
    // Pending vertices of an item, written to the shaded vertices before its work starts.
    struct Upload
    {
        VkDeviceSize offset = 0;
        pica::soft::PendingVertices vertices;
    };

    Status grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name);
    Status ensure_buffers(VkDeviceSize shaded, VkDeviceSize counts, VkDeviceSize records,
                          VkDeviceSize positions);
    std::array<shadergen::MirrorRegion, 2> mirror_regions() const;
    // The vertex program of a draw without a geometry program.
    bool is_interpreted(const pica::Draw& draw)
    {
        return interpret_ || programs_.vertex_interpreted(draw.vertex, *draw.program);
    }
    bool place_program(const pica::Draw& draw, Item& item);
    VkDescriptorSet allocate_set(ComputeStage stage);
    bool make_sets(const Item& item, const Slice& scan);
    // Room that a draw needs in shaded_.
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
    bool divide_geometry(); // into parts; false: too many
    void watch_interpreted(u64 program, u32 dispatches);
    bool is_runaway(u64 program) const;
    void find_runaways(u32 events, u64 serial);
    SharedVertices share_vertices(const pica::Draw& draw, pica::soft::IndexRange range);
    static u32 fed_vertices(const pica::Draw& draw);
    u32 part_dispatches() const;
    u32 dispatches_of(u32 invocations) const; // one after the other
    bool place_geometry_program(const pica::Draw& draw, GeometryItem& work);
    const u32* read_unit_state();
    // Shaded vertices in front of what is assembled: the slots, and what an invocation emits.
    u32 assembler_rows() const { return plan_.assembles ? 2 + 3 * plan_.primitives : 0; }
    bool add_geometry(const pica::Draw& draw, const pica::RecordLayout& layout, Item& item,
                      const shadergen::VertexPlacement& placement, const Slice& blocks);
    void write_dispatches(GeometryItem& work, shadergen::VertexBlock& block, const Slice& blocks, u32 fed_at);
    bool make_geometry_sets();
    void clear_emitted(VkCommandBuffer cmd);
    void copy_fed_constants(VkCommandBuffer cmd, const GeometryItem& item);
    void record_geometry(VkCommandBuffer cmd);
    // Of the submission being recorded.
    VkDeviceSize status_offset() const { return VkDeviceSize{status_section_} * kStatusBytes; }
    VkDeviceSize uniform_alignment() const;
    VkDeviceSize block_stride() const; // VertexBlock, aligned
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
    bool interpret_; // programs are interpreted on the device, not compiled
    pica::Report& report_;
    VertexPrograms programs_;
    WorkTimer timer_;
    std::array<PipelineRef, kComputeStages> stage_pipelines_{}; // of the stages that no program enters
    PipelineRef shared_rows_;
    SharedVertices shared_; // of the draw in work

    Buffer shaded_;
    Buffer counts_;
    Buffer records_;
    Buffer positions_;
    UniqueBufferView texels_; // of records_, from byte texels_from_ on
    u64 texels_from_ = 0;
    u64 texels_size_ = 0;
    Counters counters_;
    Buffer indirect_;
    Buffer status_; // sections of kMaxDraws words, used in turn
    u32 status_section_ = 0;
    u64 status_serial_ = 0; // submission that the section belongs to

    Buffer geometry_state_;                       // words STATE_*
    Buffer geometry_readback_;                    // ... of which the CPU has copies
    shadergen::GeometryKey interpreted_geometry_; // the program in geometry_state_
    bool geometry_is_here_ = false;               // ... newer than the CPU's
    GeometryCounters geometry_counters_;
    GeometryPlan plan_;
    pica::ShaderUniforms geometry_uniforms_; // of the draw that was taken, with what is fed
    std::bitset<96> geometry_fed_;
    // Words STATE_*, to bring to the device; empty: they are there.
    std::vector<u32> geometry_registers_;
    std::vector<u32> geometry_assembler_; // from STATE_ASSEMBLER on
    bool assembler_is_here_ = false;      // newer than the CPU's
    // Interpreted one after the other: how many dispatches are not known to be done, and of which programs.
    // Those that ran out of their budget are the CPU's from then on.
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
    std::vector<Analysed> analysed_; // the last ones

    std::vector<Item> items_;
    std::vector<shadergen::ScanDraw> scan_;
    std::vector<Upload> uploads_;
    std::vector<Sets> sets_; // of the batch being recorded
    UniqueDescriptorPool pool_;
    u32 pool_used_ = 0;
    u32 next_vertex_ = 0;
    u32 next_slot_ = 0;
    u64 next_record_ = 0; // number behind those of the last draw
    u64 next_byte_ = 0;   // ... and where they end
    // Interpreted: what the last program block was made of.
    pica::VertexKey last_program_;
    shadergen::FeedKey last_feed_;
    u64 last_program_serial_ = 0;
    Slice last_program_slice_;
};

} // namespace renderer
