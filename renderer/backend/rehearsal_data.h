// SPDX-License-Identifier: MIT
// The fixed contents of RehearsalScene: programs, uniforms, tables, vertices, and the states of its draws that
// need more than a few lines. All keys are in the canonical form of pica/state.
#pragma once

#include "pica/shader/program.h"
#include "pica/state/draw.h"

#include <span>

namespace renderer::rehearsal
{

using pica::f32;
using pica::u32;
using pica::u8;

constexpr u32 kInputs = 3;                                  // position, colour, texture coordinate
constexpr u32 kFloats = 4 * kInputs;                        // of a vertex
constexpr u32 kTriangles = 16;                              // of a draw
constexpr u32 kVerticesOfDraw = 3 * kTriangles;             // no vertex is shared
constexpr u32 kBytesOfDraw = kVerticesOfDraw * kFloats * 4; // consecutive draws use consecutive vertices
constexpr u32 kVertexBytes = 0x20000;
constexpr u32 kVertexSets = kVertexBytes / kBytesOfDraw; // then they repeat

// A linear congruential generator: the scene is the same everywhere.
class Numbers
{
public:
    u32 next()
    {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }
    f32 between(f32 low, f32 high)
    {
        return low + (high - low) * static_cast<f32>(next() & 0xFFFF) / 65536.0f;
    }

private:
    u32 state_ = 1;
};

// Small and large triangles, some with perspective, some partly outside of the clipping volume.
void fill_vertices(std::span<u8> bytes, Numbers& numbers);
// All tables that draws read.
void fill_tables(pica::Luts& luts);

// Copies its three inputs to o0, o1, o2.
pica::ShaderCode copy_code();
// Geometry programs. point_code: a small triangle around each vertex. fixed_code: a triangle of three vertices, with
// colours and texture coordinates exchanged.
pica::ShaderCode point_code();
pica::ShaderCode fixed_code();
pica::ShaderUniforms geometry_uniforms();
pica::GeometryFeed point_feed();
pica::GeometryFeed fixed_feed();

// A combiner stage with the same operation and sources for colour and alpha.
void set_stage(pica::Draw& draw, u32 stage, pica::CombinerOp op,
               const std::array<pica::CombinerSource, 3>& sources);
// The output map of the program: o0 is the position, and o1 and o2 are colour and texture coordinates 0 and 1, and also
// the quaternion of the normal, the view, and w of texture coordinate 0.
void set_output_map(pica::VertexKey& key);

// The states of draw n of a class, n below the constant. Everything else of the draw is as RehearsalScene::begin leaves
// it. Texture unit 0, where they use it, has no binding yet.
constexpr u32 kLightingDraws = 3;
void set_lighting(pica::Draw& draw, u32 n);
constexpr u32 kProceduralDraws = 2;
void set_procedural(pica::Draw& draw, u32 n);
// Shadow map rendering.
constexpr u32 kShadowMapDraws = 2;
void set_shadow_map(pica::Draw& draw, u32 n);
// Lookups in a shadow map: a picture, then a cube.
constexpr u32 kShadowLookups = 2;
void set_shadow_lookup(pica::Draw& draw, u32 n);
constexpr u32 kGasSums = 4;
void set_gas_sum(pica::Draw& draw, u32 n);
void set_gas_shading(pica::Draw& draw);
constexpr u32 kLevelDraws = 2;
void set_levels(pica::Draw& draw, u32 n);
// A cube map with levels, and a projected texture.
constexpr u32 kCubeDraws = 2;
void set_cubes(pica::Draw& draw, u32 n);

} // namespace renderer::rehearsal
