// SPDX-License-Identifier: MIT
// Scenes of the conformance suites as command lists: a plain initial state, a vertex buffer, draws, and the
// random pieces that several suites share.
#pragma once

#include "tests/support/scenes/command_list_builder.h"
#include "tests/support/suite/suite.h"

#include <vector>

namespace tests
{

// A random value 0..count-1 of a register field.
template <typename T>
T any(Random& random, u32 count)
{
    return static_cast<T>(random.below(count));
}

struct ListVertex
{
    std::array<f32, 4> position = {0, 0, 0, 1}; // clip space
    std::array<f32, 4> color = {1, 1, 1, 1};
    std::array<f32, 4> texcoord01 = {};
    std::array<f32, 4> texcoord2 = {};
    std::array<f32, 4> quaternion = {0, 0, 0, 1};
    std::array<f32, 4> view = {0, 0, 1, 0}; // w is that of texture coordinate 0
};

// A program that copies v0..v5 from an array of ListVertex at this address.
void write_vertex_state(CommandListBuilder& list, PhysAddr vertices);

class ListScene
{
public:
    static constexpr PhysAddr kColor = kVramBase;
    static constexpr PhysAddr kDepth = kVramBase + 0x40000;
    static constexpr PhysAddr kTextures = kVramBase + 0x80000;
    static constexpr PhysAddr kVertices = kFcramBase;

    // Draws opaque primary colour to an RGBA8 target with a D24S8 buffer, without tests, with a program that
    // copies v0..v5 and a viewport over the whole target.
    ListScene(ConformanceMachine& machine, Random& random, u32 width, u32 height);

    CommandListBuilder list;

    // The targets of later draws.
    void color_target(PhysAddr address, ColorFormat format);
    void depth_target(PhysAddr address, DepthFormat format);
    void size(u32 width, u32 height, bool flip);
    void viewport(f32 half_width, f32 half_height, s32 x, s32 y);

    // The clip coordinates of window pixels (y up) with z/w in [-1, 0].
    std::array<f32, 4> at(f32 x, f32 y, f32 z = -0.5f, f32 w = 1.0f) const;
    // Adds a vertex for the next draw.
    void add(const ListVertex& vertex) { vertices_.push_back(vertex); }
    std::vector<ListVertex>& vertices() { return vertices_; }
    void quad(f32 x1, f32 y1, f32 x2, f32 y2, f32 z); // random colours and coordinates at its corners
    // Random triangles: all sizes, some sharing edges, some through pixel centres.
    void triangles(u32 count);
    ListVertex random_vertex(f32 x, f32 y, f32 z, f32 w);
    // Draws the vertices that were added.
    void draw(Topology topology = Topology::TriangleList);
    // Likewise through u16 indices in random order with repetitions. The vertices must be whole triangles.
    void draw_indexed();

    // Random pieces.
    void texture_unit(u32 unit, PhysAddr address, u32 width, u32 height, TextureFormat format);
    void random_sampler(u32 unit);
    // Stage 0 (and 1) combine the texture of unit 0 with the primary colour; the other stages pass it on.
    void textured();

    // Uploads vertices and executes the list.
    void run();

    ConformanceMachine& machine;
    Random& random;
    u32 width = 0, height = 0;
    f32 coordinate_range = 2.0f; // texture coordinates are in [-range, range]
    f32 least_alpha = -0.2f;     // of vertices; the most is 1.2
    bool perspective = false;

private:
    std::vector<ListVertex> vertices_;
    std::vector<u8> buffer_; // vertices and indices of all draws in the list
};

} // namespace tests
