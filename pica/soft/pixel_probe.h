// SPDX-License-Identifier: MIT
// PixelProbe: runs one draw for one pixel only, through the pixel kernels, and keeps what every step computes. It
// leaves in memory what the draw leaves in that pixel. Much slower than the draw; for inspection. Source: design.md,
// "The one rule for each step". Tests: tests/pica/pixel_history_test.cpp.
#pragma once

#include "pica/soft/pixel_plan.h"
#include "pica/soft/raster.h"

#include <array>
#include <optional>
#include <vector>

namespace pica::soft
{

// Colours are RGBA8 words with R in bits 0-7.
struct TexelTap
{
    s32 s = 0, t = 0; // after the wrap mode, t upwards
    bool border = false;
    u32 texel = 0; // decoded; of a shadow texture, the raw word: depth << 8 | intensity
};

// What is read of one level.
struct TextureLevelTrace
{
    u32 level = 0;
    bool linear = false;
    u32 fraction_s = 0, fraction_t = 0; // in 1/256, with linear
    u32 tap_count = 0;                  // 1 or 4: (s, t), (s+1, t), (s, t+1), (s+1, t+1)
    std::array<TexelTap, 4> tap{};
};

struct TextureTrace
{
    u32 unit = 0;
    f32 u = 0, v = 0;       // interpolated
    f32 q = 0;              // texcoord0.w, where the type uses it
    f32 at_u = 0, at_v = 0; // after division or on the cube's face: what the texels are found with
    u32 face = 0;           // cube types
    s32 reference = 0;      // shadow types
    bool has_lod = false;
    s32 lod = 0;                           // in 1/256 level; at most 0 magnifies
    std::vector<TextureLevelTrace> levels; // one or two
    u32 level_fraction = 0;                // share of the second level, in 1/256
    u32 result = 0;                        // after the filter
};

// What lighting reads of a table.
struct LightingRead
{
    u32 slot = 0;   // the light in the order of the permutation register
    u32 number = 0; // of the table: LightingLut
    f32 x = 0;      // the input, after it was made positive for tables without sign
    s32 index = 0;  // of the entry: -128..127 of tables with sign, else 0..255
    f32 value = 0;  // after interpolation and scale
};

struct CombinerTrace
{
    std::array<u32, 3> operand{}; // after the operand's selection; only what the stage reads (TexEnvStageKey)
    u32 result = 0;
    u32 buffer = 0; // what PreviousBuffer reads in this stage
};

enum class TestResult : u8
{
    Off, // not enabled, or not reached
    Passed,
    Failed,
};

struct DepthStencilTrace
{
    TestResult stencil = TestResult::Off;
    u32 stored_stencil = 0, written_stencil = 0;
    TestResult depth = TestResult::Off;
    u32 code = 0; // of the fragment
    u32 stored_depth = 0, written_depth = 0;
};

struct BlendTrace
{
    u32 source = 0;
    u32 destination = 0;        // as it is read
    u32 source_factor = 0;      // blending only
    u32 destination_factor = 0; // blending only
    u32 result = 0;             // before the mask and the format; of gas and shadow maps the word in memory
};

// One triangle at the pixel.
struct FragmentTrace
{
    u32 triangle = 0; // number in the draw, of the visible ones
    TestResult scissor = TestResult::Passed;
    f32 weight0 = 0, weight1 = 0; // perspective weights of vertices 0 and 1 of the triangle record
    f32 window_depth = 0;         // in [0, 1]; only if the draw uses depth
    u32 primary_color = 0;
    std::array<f32, 4> quaternion{}; // only with lighting
    std::array<f32, 3> view{};
    std::vector<TextureTrace> textures;
    std::optional<TextureTrace> procedural; // levels stays empty
    // In the order of the lights. Of a light whose cone does not reach the pixel, no table behind the cone's is read, unless
    // it is the last light. Tables of black lights are read, although the core leaves them out when it draws.
    std::vector<LightingRead> lighting_reads;
    u32 fragment_primary = 0, fragment_secondary = 0;
    std::array<CombinerTrace, 6> stages{};
    u32 combined = 0; // after the last stage
    u32 fogged = 0;   // after the fog unit
    TestResult alpha = TestResult::Off;
    DepthStencilTrace depth_stencil;
    bool writes_color = false;
    BlendTrace blend;
    // The pixel in memory, as little-endian numbers.
    u32 color_before = 0, color_after = 0;
    u32 depth_before = 0, depth_after = 0;
};

// x, row: the pixel, in memory space (row 0 is the first row in memory). plan: as for the draw; its target is changed.
std::vector<FragmentTrace> probe_pixel(const Draw& draw, const PixelPlan& plan, const TriangleList& list,
                                       u32 count, s32 x, s32 row);

// The index of the pixel in the surface of the plan.
u32 probe_pixel_index(const PixelPlan& plan, s32 x, s32 row);

} // namespace pica::soft
