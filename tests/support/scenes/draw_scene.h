// SPDX-License-Identifier: MIT
// Handmade or random draws for tests that need no registers: immediate vertices through a program that only
// copies its inputs.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/shader/program.h"
#include "pica/state/draw.h"
#include "tests/support/seeds.h"

#include <vector>

namespace tests
{

struct SceneVertex
{
    Vec4 position = {0, 0, 0, 1}; // clip space
    Vec4 color = {1, 1, 1, 1};
    Vec4 texcoord01 = {};
    Vec4 texcoord2 = {};
    Vec4 quaternion = {0, 0, 0, 1};
    Vec4 view = {}; // x, y, z; w is that of texture coordinate 0
};

// o0 = v0, ... for the members of SceneVertex.
const Program& copy_program();

class DrawScene
{
public:
    static constexpr PhysAddr kColor = 0x18000000;
    static constexpr PhysAddr kDepth = 0x18100000;
    static constexpr PhysAddr kTextures = 0x18200000; // 1 MiB apart

    // Draws opaque primary colour to an RGBA8 target of this size. Viewport and scissor cover all of it.
    DrawScene(u32 width, u32 height);
    DrawScene(const DrawScene&) = delete;
    DrawScene& operator=(const DrawScene&) = delete;

    // A clip-space position from window pixels (y up), depth in [-1, 0] as z/w, and w.
    Vec4 at(f32 x, f32 y, f32 z = -0.5f, f32 w = 1.0f) const;
    void add(const SceneVertex& vertex) { vertices.push_back(vertex); }
    // The draw, ready for a backend; valid until the scene changes.
    const Draw& draw();

    Draw state; // state.luts points to `luts`
    Luts luts;
    std::vector<SceneVertex> vertices;

private:
    std::vector<Vec4> inline_values_;
};

// Random fragment state: textures, combiners, tests, blending, formats. It is as canonical as both backends
// need.
void randomise_state(Draw& draw, Random& random);
// Random words in all tables, with a new revision.
void randomise_luts(Luts& luts, Random& random);
// Random triangles of all sizes, some sharing edges, some through pixel centres.
void random_triangles(DrawScene& scene, Random& random, u32 count);
// Random bytes in the scene's buffers and textures.
void fill_memory(GuestMemory& memory, Random& random);

} // namespace tests
