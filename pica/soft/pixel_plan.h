// SPDX-License-Identifier: MIT
// PixelPlan: what the pixel kernels need to know about one draw, decoded once, so that no enumeration of the
// guest's is examined per pixel where a per-draw value does. Plain data, read by the kernels of every
// instruction set. Source: design.md, rows "Coverage" to "Pack". Tests: soft_fragment_ops_test.cpp,
// reference_pixel_test.cpp.
#pragma once

#include "pica/soft/channel_select.h"
#include "pica/soft/lighting_plan.h"
#include "pica/soft/texenv_program.h"
#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "pica/texture/format.h"

#include <array>

namespace pica::soft
{

// The coordinates of unit 0 after division or face selection, which follow sets 0-2.
inline constexpr u32 kUnit0Coordinates = 3;

struct TexturePlan
{
    bool enabled = false;
    TextureType type = TextureType::Texture2D;
    bool divides = false; // projection and shadow 2D: coordinates are divided by texcoord0.w
    bool linear = false;  // the filter; with lod, that of magnification
    bool lod = false;     // level and filter are chosen per pixel
    bool min_linear = false;
    bool mip_linear = false;
    bool scaled = false; // sampled at N x: the sizes are N times those of the binding
    u8 texcoord = 0;     // the set that is interpolated
    u8 coordinates = 0;  // the set of the block batch: texcoord, or kUnit0Coordinates
    TextureWrap wrap_s{};
    TextureWrap wrap_t{};
    s32 width = 8;
    s32 height = 8;
    u32 width_log2 = 3;
    u32 border = 0;
    TextureLod bounds;
    s32 shadow_bias = 0;
    const u32* texels = nullptr;                       // rows t upwards, one level after the other
    std::array<const u32*, 6> face_texels{};           // cube types: one for each face
    std::array<s32, kMaxTextureLevels> level_texels{}; // index of each level's first texel
};

// factor = (select(source) | select(destination) | constant) ^ invert
struct BlendFactorPlan
{
    bool uses_source = false;
    bool uses_destination = false;
    bool saturate = false; // colour factor 14
    std::array<u16, 4> constant{};
    std::array<u16, 4> invert{};
    ChannelSelect source{};
    ChannelSelect destination{};
};

struct BlendPlan
{
    enum class Kind : u8
    {
        None,   // no channel is written
        Store,  // the source replaces all channels
        Masked, // the source replaces some channels
        Blend,
        BlendBySource, // sums whose factors are made of the source and constants: the usual blending
        Logic,
        Gas,       // densities are added
        ShadowMap, // depth or intensity of shadow texels
    };
    Kind kind = Kind::None;
    LogicOp logic_op{};
    BlendEquation color{};
    BlendEquation alpha{};
    bool read_destination = true;
    u32 write_mask = 0; // the bytes that change
    BlendFactorPlan source;
    BlendFactorPlan destination;
};

// A comparison as the set of outcomes that pass: less, equal, greater.
struct ComparePlan
{
    s32 less = -1; // all ones or zero
    s32 equal = -1;
    s32 greater = -1;
};
ComparePlan compare_plan(CompareFunc func);

struct ProcTexPlan
{
    ProcTexKey key;   // enabled is 0 if nothing is shaded
    bool lod = false; // levels are chosen per pixel
    ProcTexConstants constants;
    const LutEntry* noise = nullptr; // null if the key does not read them
    const LutEntry* rgb_map = nullptr;
    const LutEntry* alpha_map = nullptr;
    const LutEntry* color = nullptr;
};

struct GasPlan
{
    bool shade = false; // the fog unit shades gas
    bool attenuated = false;
    bool by_light = false;
    GasConstants constants;
    const LutEntry* table = nullptr; // 8 entries

    bool accumulate = false;
    GasDepthFunc func{};
    DepthFormat format{};
    f32 depth_scale = 0.0f;
    f32 largest = 0.0f;         // the largest depth code
    s32 width = 0;              // of the target
    s32 height = 0;             // of the decoded depth buffer
    const u32* depth = nullptr; // the decoded depth buffer, rows t upwards
};

struct FogPlan
{
    bool enabled = false;
    bool flip = false;
    std::array<s32, 3> color{};
    const LutEntry* table = nullptr; // 128 entries
};

struct DepthPlan
{
    DepthMode mode = DepthMode::None; // how the depth code is computed
    DepthFormat format{};
    bool test = false;
    bool write = false;
    bool stencil = false;
    bool touches = false;         // memory is read or written at all
    bool reads_zero = false;      // gate 0x114: the stored depth counts as 0
    bool changes_stencil = false; // some outcome of the stencil test has an operation
    bool plain = false;           // D24S8, depth test, no stencil test, the stored depth counts
    bool late = false;            // because of the alpha test, it is decided and stored after shading
    bool reject_early = false;    // with `late`: a failed depth test may drop the pixel before shading
    f32 scale = 0.0f;
    f32 offset = 0.0f;
    f32 maximum = 16777215.0f;
    ComparePlan compare;
    ComparePlan stencil_compare;
    StencilOp fail{}, depth_fail{}, pass{};
    u8 reference = 0, compare_mask = 0, write_mask = 0;
};

// Everything is in memory space: row 0 is the first row in memory. At N times the resolution everything counts N x
// pixels, and tiles lie row by row.
struct PixelPlan
{
    u8* color = nullptr; // null if nothing is read or written
    u8* depth = nullptr;
    ColorFormat color_format{};
    u32 tiles_per_row = 0;
    u32 first_tile = 0;   // the tile with which color and depth begin, if it is not that of row 0
    bool block32 = false; // tiles lie in 32x32 blocks, otherwise row by row
    s32 height = 0;
    bool flip = false;
    PixelRect rect; // the pixels that may change
    bool exclude = false;
    PixelRect excluded;

    RecordLayout layout;
    bool shades = false; // colour or alpha is needed
    bool lod = false;    // some texture unit needs the level of detail
    bool alpha_test = false;
    ComparePlan alpha_compare;
    s32 alpha_reference = 0;
    std::array<TexturePlan, 3> texture;
    ProcTexPlan proctex;
    bool lit = false;
    LightingPlan lighting; // only if lit; filled in by the caller, who has the tables
    TexEnvProgram texenv;
    DepthMode depth_mode = DepthMode::None; // how the window depth is computed, for test, write and fog
    FogPlan fog;
    GasPlan gas;
    f32 shadow_constant = 0.0f; // only for blend.kind ShadowMap
    f32 shadow_linear = 0.0f;
    u8 result = 0; // register or constant with the colour after combiners and fog
    DepthPlan depth_stencil;
    BlendPlan blend;
};

// Fills in everything except the pointers to memory, texels and tables. Returns false if the draw cannot
// change anything. scale: N.
bool make_pixel_plan(const Draw& draw, const RecordLayout& layout, u32 scale, PixelPlan& plan);

// A part of it, separate for tests.
void make_blend_plan(const BlendState& state, OutputClass output, ColorFormat format, u32 blend_color,
                     BlendPlan& plan);

} // namespace pica::soft
