// SPDX-License-Identifier: MIT
// GeometryExecutor: records the commands for the geometry programs of a batch, as GeometryPlanner planned them.
// Invocations run side by side where the analysis allows it. Otherwise one invocation of the compute shader runs them
// one after the other, in as many dispatches as drivers' loop limits ask for. Emitted vertices lie in slots, so that
// primitives keep their order; empty slots vanish in clipping. Tests: tests/renderer/geometry_executor_test.cpp.
#pragma once

#include "renderer/vertex/geometry_work.h"
#include "renderer/vulkan/upload_ring.h"
#include "shadergen/vertex_uniforms.h"

#include <bitset>
#include <optional>
#include <vector>

namespace renderer
{

class GeometryRegisters;
class PipelineCache;
class VertexPrograms;
class VertexSets;

// Rows of fed attributes that lie before the assembler's, in units of shaded vertices.
u32 fed_rows(const pica::Draw& draw);

// Not thread-safe. Host failures are kept in Device::status.
class GeometryExecutor
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        UploadRing& ring;
        PipelineCache& pipelines;
        VertexPrograms& programs;
        GeometryRegisters& registers;
        VertexSets& sets;
    };
    explicit GeometryExecutor(const Parts& parts) : parts_(parts) {}

    // A draw or part. blocks: memory for the vertex program's block, and behind it for the blocks of all dispatches
    // (GeometryPlan::dispatches_of), block_stride bytes apart.
    struct Job
    {
        const pica::Draw& draw;
        const GeometryWork& work;
        const shadergen::VertexPlacement& placement;
        const Slice& blocks;
        VkDeviceSize block_stride;
    };
    // Adds the geometry work. Gives the row of the first emitted vertex. No value: memory ran out, or the pipeline
    // failed.
    std::optional<u32> add(const Job& job);
    bool empty() const { return items_.empty(); }
    // Makes the descriptor sets. False: the host failed.
    bool make_sets(VkBuffer shaded, const VkDescriptorBufferInfo& status);
    // Records the clear of the slots for emitted vertices. A barrier from transfers must follow.
    void clear_emitted(VkCommandBuffer cmd, VkBuffer shaded);
    // Records the dispatches, which follow those of the vertex programs and a barrier.
    void record(VkCommandBuffer cmd);
    // The batch was recorded.
    void reset();

private:
    struct Dispatch
    {
        u32 block_offset = 0;
        u32 invocations = 0; // of the compute shader
    };
    struct Item
    {
        VkPipeline program = VK_NULL_HANDLE;
        VkDescriptorSet set = VK_NULL_HANDLE; // complete but for the dynamic offset of the block
        VkBuffer block_buffer = VK_NULL_HANDLE;
        Slice registers; // registers of the shader unit to copy to the device before; empty: none
        Slice assembler; // ... state of the assembler
        Slice code;      // code of an interpreted program
        Slice vertices;
        u32 first_emitted = 0; // first slot of emitted vertices
        u32 emitted = 0;
        u32 rows_in_front = 0;
        u32 first_dispatch = 0; // index in dispatches_
        u32 dispatches = 0;
        std::bitset<96> fed; // float uniforms that earlier draws fed
    };
    bool place_program(const Job& job, Item& item);
    bool place_start(const GeometryWork& work, Item& item);
    Slice place_words(std::span<const u32> words);
    struct Range
    {
        u32 first = 0; // invocation
        u32 count = 0;
    };
    void add_dispatch(const Job& job, Item& item, shadergen::VertexBlock& block, const Range& range,
                      u32 flags);
    void add_sequential(const Job& job, Item& item, shadergen::VertexBlock& block);
    void add_parallel(const Job& job, Item& item, shadergen::VertexBlock& block);
    void copy_start(VkCommandBuffer cmd, const Item& item);
    void copy_fed_constants(VkCommandBuffer cmd, const Item& item);

    Parts parts_;
    std::vector<Item> items_;
    std::vector<Dispatch> dispatches_;
};

} // namespace renderer
