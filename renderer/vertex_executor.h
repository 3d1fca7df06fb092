// SPDX-License-Identifier: MIT
// The compute vertex executor (design D2): the draws of a batch are shaded, clipped and set up on the device,
// three barriers per batch, none per draw. Gives the records of pica/soft/vertex_stage bit for bit.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "renderer/batch.h"
#include "renderer/guest_mirror.h"
#include "renderer/upload_ring.h"
#include "renderer/vertex_programs.h"
#include "shadergen/vertex_uniforms.h"

#include <vector>

namespace renderer
{

class VertexExecutor
{
public:
    VertexExecutor(Device& device, Stream& stream, Memory& memory, UploadRing& ring, GuestMirror& mirror,
                   ShaderCache& shaders, PipelineCache& pipelines, CompileQueue* queue, u32 scale,
                   bool interpret, pica::Report& report)
        : device_(device), stream_(stream), memory_(memory), ring_(ring), mirror_(mirror), shaders_(shaders),
          pipelines_(pipelines), scale_(scale), interpret_(interpret), report_(report),
          programs_(shaders, pipelines, queue)
    {
    }
    VertexExecutor(const VertexExecutor&) = delete;
    VertexExecutor& operator=(const VertexExecutor&) = delete;
    Status create();

    // Triangles that assembly makes of a draw and the vertices in front of it.
    static u32 input_triangles(const pica::Draw& draw, u32 pending);
    // Very large draws, and those whose program workers have yet to compile, are the CPU's.
    bool accepts(const pica::Draw& draw);
    // Makes indices and attributes of these vertices current in the mirror and room for the draw's results;
    // may record the open batch.
    void require(const pica::Draw& draw, pica::soft::IndexRange range, u32 pending);
    // Adds the draw to the batch. layout.words is its record size; pending: what earlier draws left for it.
    DrawGeometry add(const pica::Draw& draw, const pica::RecordLayout& layout,
                     const pica::soft::PendingVertices& pending);
    // Records the vertex work of the batch.
    void record();
    VertexPrograms& programs() { return programs_; }

private:
    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkBuffer block_buffer = VK_NULL_HANDLE;
        u32 block_offset = 0;
        // The block of an interpreted program; no buffer where it is compiled.
        VkBuffer program_buffer = VK_NULL_HANDLE;
        u32 program_offset = 0;
        VkBuffer inline_buffer = VK_NULL_HANDLE; // values of immediate mode, in place of the mirror of VRAM
        u32 vertices = 0;
        u32 triangles = 0;
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
    bool place_program(const pica::Draw& draw, Item& item);
    bool make_sets(const Item& item, const Slice& scan);
    VkDeviceSize uniform_alignment() const;
    void dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 invocations);
    Result<VkPipeline> fixed_pipeline(ComputeStage stage);
    void bind(VkCommandBuffer cmd, ComputeStage stage);
    void report_status(u32 section);

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
    std::array<VkPipeline, kComputeStages> stage_pipelines_{}; // of the stages that no program enters

    Buffer shaded_;
    Buffer counts_;
    Buffer records_;
    Buffer positions_;
    Buffer indirect_;
    Buffer status_; // sections of kMaxDraws words, used in turn
    u32 status_section_ = 0;
    u64 status_serial_ = 0; // submission that the section belongs to

    std::vector<Item> items_;
    std::vector<shadergen::ScanDraw> scan_;
    std::vector<Upload> uploads_;
    std::vector<Sets> sets_; // of the batch being recorded
    UniqueDescriptorPool pool_;
    u32 pool_used_ = 0;
    u32 next_vertex_ = 0;
    u32 next_slot_ = 0;
    u64 next_record_ = 0; // in records of the size of the last draw
    u32 last_words_ = 0;
    pica::VertexKey last_program_; // interpreted: what the last program block was made of
    u64 last_program_serial_ = 0;
    Slice last_program_slice_;
};

} // namespace renderer
