// SPDX-License-Identifier: MIT
// The compute vertex executor (design D2): the draws of a batch are shaded, clipped and set up on the device,
// three barriers per batch, none per draw. Gives the records of pica/soft/vertex_stage bit for bit.
#pragma once

#include "pica/soft/vertex_stage.h"
#include "renderer/batch.h"
#include "renderer/guest_mirror.h"
#include "renderer/upload_ring.h"
#include "shadergen/vertex_uniforms.h"

#include <vector>

namespace renderer
{

class VertexExecutor
{
public:
    VertexExecutor(Device& device, Stream& stream, Memory& memory, UploadRing& ring, GuestMirror& mirror,
                   ShaderCache& shaders, PipelineCache& pipelines, u32 scale, pica::Report& report)
        : device_(device), stream_(stream), memory_(memory), ring_(ring), mirror_(mirror), shaders_(shaders),
          pipelines_(pipelines), scale_(scale), report_(report)
    {
    }
    VertexExecutor(const VertexExecutor&) = delete;
    VertexExecutor& operator=(const VertexExecutor&) = delete;
    Status create();

    // Triangles that assembly makes of a draw that starts with an empty assembler.
    static u32 input_triangles(const pica::Draw& draw);
    // Draws that continue a primitive of an earlier draw, and very large ones, are the CPU's.
    bool accepts(const pica::Draw& draw, const pica::soft::VertexStage& stage) const;
    // Makes indices and attributes of these vertices current in the mirror and room for the draw's results;
    // may record the open batch.
    void require(const pica::Draw& draw, pica::soft::IndexRange range);
    // Adds the draw to the batch. layout.words is its record size.
    DrawGeometry add(const pica::Draw& draw, const pica::RecordLayout& layout);
    // Records the vertex work of the batch.
    void record();

private:
    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkBuffer block_buffer = VK_NULL_HANDLE;
        u32 block_offset = 0;
        u32 vertices = 0;
        u32 triangles = 0;
    };
    struct Sets
    {
        VkBuffer block_buffer = VK_NULL_HANDLE;
        VkDescriptorSet set[kComputeStages]{};
    };

    Status grow(Buffer& buffer, VkDeviceSize size, VkBufferUsageFlags usage, const char* name);
    Status ensure_buffers(VkDeviceSize shaded, VkDeviceSize counts, VkDeviceSize records,
                          VkDeviceSize positions);
    std::array<shadergen::MirrorRegion, 2> mirror_regions() const;
    const Sets* sets_for(VkBuffer block_buffer, const Slice& scan);
    void dispatch(VkCommandBuffer cmd, ComputeStage stage, const Item& item, u32 invocations);
    bool bind(VkCommandBuffer cmd, ComputeStage stage);
    void report_status(u32 section);

    Device& device_;
    Stream& stream_;
    Memory& memory_;
    UploadRing& ring_;
    GuestMirror& mirror_;
    ShaderCache& shaders_;
    PipelineCache& pipelines_;
    u32 scale_;
    pica::Report& report_;

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
    std::vector<Sets> sets_; // of the batch being recorded
    UniqueDescriptorPool pool_;
    u32 pool_used_ = 0;
    u32 next_vertex_ = 0;
    u32 next_slot_ = 0;
    u64 next_record_ = 0; // in records of the size of the last draw
    u32 last_words_ = 0;
};

} // namespace renderer
