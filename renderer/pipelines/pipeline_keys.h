// SPDX-License-Identifier: MIT
// What selects a pipeline: kinds of render passes, stages of the compute executor, and what the fixed function reads.
#pragma once

#include "pica/state/keys.h"
#include "renderer/vulkan/handle.h"
#include "shadergen/fragment.h"

#include <cstring>
#include <memory>

namespace renderer
{

// How draws of the fetch class read what earlier draws of the render pass wrote.
enum class BlendPath : pica::u8
{
    RasterOrder, // VK_EXT/ARM_rasterization_order_attachment_access
    Interlock,   // VK_EXT_fragment_shader_interlock on a storage image
    Barrier,     // a by-region self-dependency before each barrier group
};

// The stages of the compute executor. Each has its own set layout, because devices may allow no more than
// four storage buffers per stage.
enum class ComputeStage : pica::u8
{
    Vertex,
    VertexBatch,       // programs that run for many draws, and the lookup of shared vertices
    Triangles,         // classify, emit, clip
    VertexInterpreter, // in place of Vertex
    Geometry,
};
inline constexpr std::size_t kComputeStages = 5;

// What the vertex shader of a graphics pipeline reads (shadergen/fragment.h).
enum class VertexInput : pica::u8
{
    FlatRecords, // positions, and the record's words as attributes
    Positions,   // positions; the fragment shader fetches the record
    Rectangles,  // three positions per instance, drawn as their bounding rectangle
};

// The kind of a render pass: its attachments and self-dependencies. Every field selects code.
struct PassKey
{
    shadergen::ColorOutput color_output = shadergen::ColorOutput::Uint;
    pica::u8 has_color = 0;
    pica::u8 has_depth = 0;
    BlendPath blend_path = BlendPath::RasterOrder;
    bool operator==(const PassKey&) const = default;
};

// What a render pass does with its attachments where it begins and ends. Render passes that differ in nothing else use
// the same pipelines and framebuffers.
struct PassLoads
{
    pica::u8 clears_color = 0; // 0: loads it
    pica::u8 clears_depth = 0; // ... and stencil
    pica::u8 has_stencil = 1;  // 0: what the stencil aspect holds has no meaning
    bool operator==(const PassLoads&) const = default;
};

// What selects a graphics pipeline. Compared as bytes.
struct PipelineKey
{
    pica::u32 fragment_shader = 0; // ShaderModule::id
    pica::u32 vertex_shader = 0;
    pica::OutputState output; // what the fixed function reads; zero where the shader does the work
    PassKey pass;
    pica::OutputClass output_class = pica::OutputClass::None;
    pica::u8 record_words = 0;
    pica::u8 interlock = 0; // 1: the shader reads and writes the destination as a storage image
    VertexInput vertex_input{};
    pica::u8 reserved[2]{};
    bool operator==(const PipelineKey& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<PipelineKey>);

// A shared pipeline, which exists as long as someone holds a reference. A holder that has recorded commands
// with it gives its reference to Stream::retire.
using PipelineRef = std::shared_ptr<const UniquePipeline>;

} // namespace renderer
