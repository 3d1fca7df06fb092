// SPDX-License-Identifier: MIT
// Draw: everything that one draw call needs, decoded once from the registers (state_builder.h) and used by
// both backends. A plain value in the hardware's units. Addresses are guest addresses; the contents stay in
// guest memory.
#pragma once

#include "pica/base/types.h"
#include "pica/shader/uniforms.h"
#include "pica/state/geometry_unit.h"
#include "pica/state/keys.h"
#include "pica/state/luts.h"

#include <array>
#include <span>
#include <string>

namespace pica
{

using Vec4 = std::array<f32, 4>; // x, y, z, w

// The range of levels from which a texture unit with TextureUnitKey::lod chooses, in units of 1/256 level.
// low <= high, and high is one of the levels that the binding has.
struct TextureLod
{
    s16 bias = 0;
    u16 low = 0;
    u16 high = 0;

    bool operator==(const TextureLod&) const = default;
};

// Procedural texture. What the key does not use is 0. Pairs are for u and v.
struct ProcTexConstants
{
    std::array<f32, 2> amplitude{}; // of the noise
    std::array<f32, 2> phase{};
    std::array<f32, 2> frequency{}; // 9 * |frequency|
    f32 lod_scale = 0.0f;           // |width * bias|
    u32 offsets = 0;                // start of levels 0..3 in the colour table, one byte each
    u8 width = 0;                   // of level 0, entries
    u8 min_lod = 0;                 // 0..7, min <= max
    u8 max_lod = 0;

    bool operator==(const ProcTexConstants&) const = default;
};

// Gas shading. Triples are minimum, maximum and attenuation of one kind of light, each in [0, 1].
struct GasConstants
{
    f32 normalisation = 0.0f; // 1 / largest density
    f32 attenuation = 0.0f;
    std::array<f32, 3> planar{};
    std::array<f32, 3> view{};
    f32 line_of_sight = 0.0f;

    bool operator==(const GasConstants&) const = default;
};

// Colours are RGBA8 words with R in bits 0-7.
struct FragmentConstants
{
    std::array<u32, 6> texenv_color{};
    u32 texenv_buffer_color = 0;
    std::array<u32, 3> border_color{};
    std::array<TextureLod, 3> texture_lod{}; // zero for units without lod
    u32 shadow_bias = 0; // 24 bits; subtracted from the reference depth of shadow textures
    u32 blend_color = 0;
    ProcTexConstants proctex;
    GasConstants gas;
    f32 gas_depth_scale = 0.0f; // delta-Z divided by the largest depth code
    u32 fog_color = 0;          // no alpha
    f32 depth_scale = 0.0f;     // registers 0x04D, 0x04E as float24_register()
    f32 depth_offset = 0.0f;
    f32 shadow_constant = 0.0f; // register 0x130 as float16_register(), for shadow map rendering only
    f32 shadow_linear = 0.0f;
    u16 scissor_x1 = 0, scissor_y1 = 0, scissor_x2 = 0,
        scissor_y2 = 0; // inclusive, in pixels, y up; for mode exclude
    u8 alpha_reference = 0;
    u8 stencil_reference = 0;
    u8 stencil_compare_mask = 0;
    u8 stencil_write_mask = 0;

    bool operator==(const FragmentConstants&) const = default;
};

struct TextureBinding
{
    PhysAddr address = 0;
    u16 width = 0; // texels, 8..1024, powers of two (others are rounded down and reported)
    u16 height = 0;
    TextureFormat format{};
    u8 levels = 1; // stored one after the other, each half the size; the last is at least 8x8

    u32 byte_size() const; // of all levels together
    bool operator==(const TextureBinding&) const = default;
};

// Pixels [x1, x2) x [y1, y2), y up.
struct PixelRect
{
    s32 x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    bool operator==(const PixelRect&) const = default;
};

struct RenderTarget
{
    // 64-byte aligned. Has the programmed value even if no colour is written; then it may overlap the depth
    // buffer.
    PhysAddr color_address = 0;
    PhysAddr depth_address = 0;
    u16 width = 0; // pixels
    u16 height = 0;
    ColorFormat color_format{};
    DepthFormat depth_format{};
    u8 has_depth = 0; // 0: no depth buffer is touched by this draw
    u8 flip = 0;      // 0x11E bit 24: memory row = height-1-py, else py (pixels are y up)
    u8 block32 = 0;   // 0x11B: both buffers in 32x32 blocks, else in 8x8 tiles (pica/texture/morton.h)

    // The side of a tile or block in pixels.
    u32 unit() const { return block32 != 0 ? 32 : 8; }
    u32 color_bytes() const;
    u32 depth_bytes() const;
    bool operator==(const RenderTarget&) const = default;
};

// Constants of the vertex stage.
struct GeometryConstants
{
    f32 half_width = 0.0f; // 0x041, 0x043 as float24_register()
    f32 half_height = 0.0f;
    s32 viewport_x = 0; // 0x068
    s32 viewport_y = 0;
    CullMode cull{};
    u8 clip_plane_enable = 0;
    u8 flat_color = 0;               // 0x058 bit 0: colour of the third assembled vertex
    std::array<f32, 4> clip_plane{}; // 0x048-0x04B as float24_register()

    bool operator==(const GeometryConstants&) const = default;
};

// Where one input register v0..v15 of the vertex program comes from.
struct FetchInput
{
    enum class Source : u8
    {
        Zero,   // is not loaded: (0, 0, 0, 0) for every vertex [our rule, pica/hardware/vertex-input.md]
        Memory, // elements at address + stride * vertex; missing components are 0, 0, 0, 1
        Fixed,  // constant value
        Inline, // immediate mode: attribute number `attribute` of VertexSource::inline_values
    };
    Source source = Source::Zero;
    AttributeType type{};
    u8 components = 0; // 1..4
    u8 stride = 0;     // bytes
    u8 attribute = 0;  // Inline only
    PhysAddr address = 0;
    Vec4 fixed{};

    bool operator==(const FetchInput&) const = default;
};

struct VertexSource
{
    std::array<FetchInput, 16> input;
    u32 count = 0;        // vertices to run: NUMVERTICES
    u32 first_vertex = 0; // array draws: VERTEX_OFFSET
    PhysAddr index_address = 0;
    u8 indexed = 0;
    u8 index16 = 0; // 1: u16 indices, 0: u8
    Topology topology{};
    // 1: the primitive assembler starts empty; 0: it continues from the previous draw (primitives.md).
    u8 restart = 1;
    // Immediate mode (pica/hardware/vertex-input.md, "Immediate mode"): attribute a of vertex i is
    // inline_values[i * inline_attributes + a]. Valid during the call.
    std::span<const Vec4> inline_values;
    u8 inline_attributes = 0;
};

struct Draw
{
    FragmentKey fragment;
    OutputState output;
    FragmentConstants constants;
    LightingConstants lighting;
    std::array<TextureBinding, 3> texture;
    // Gas accumulation: the depth buffer as a texture of the target's size (pica/state/gas.cpp says where its
    // code is). It must not overlap the colour buffer.
    TextureBinding gas_depth;
    std::array<PhysAddr, 6> cube_faces{}; // +X, -X, +Y, -Y, +Z, -Z; used if unit 0 is of a cube type
    RenderTarget target;
    PixelRect scissor; // already intersected with the include rectangle (mode 3)

    VertexKey vertex;
    GeometryConstants geometry;
    VertexSource source;
    const Program* program = nullptr; // valid during the call
    const ShaderUniforms* uniforms = nullptr;
    u64 uniforms_revision = 0; // changes whenever *uniforms changes
    // Tables with their revisions; valid during the call. May be null only if fragment.luts() names none.
    const Luts* luts = nullptr;
    GeometryUnit geometry_unit;
    // Numbers for the parts of the draw that they name, so that what was decided for an earlier draw need not be decided
    // again: where they are equal, in whatever draws of the process, so are those. 0: unknown, equal to nothing.
    u64 keys_revision = 0;      // fragment, output, target, scissor, geometry
    u64 constants_revision = 0; // constants, lighting, texture, gas_depth, cube_faces
    u64 inputs_revision = 0;    // source.input, source.inline_attributes
    u64 serial = 0;             // number of the draw; never used twice

    std::string text() const; // keys and bindings as text, for reports
};

} // namespace pica
