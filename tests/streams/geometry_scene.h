// SPDX-License-Identifier: MIT
// Geometry shaders in generated streams: the registers of a draw that has one, and pieces of programs.
#pragma once

#include "tests/streams/scene.h"

namespace tests
{

inline constexpr u32 kGeometryMatrix = 80; // c80-c83 of the geometry shader unit

struct Feed
{
    GeometryMode mode;
    u32 vertices = 1; // vertices of an invocation (variable mode: full ones)
    u32 first_uniform = 0;
    u32 attributes = 3; // position, colour, texture coordinate; 2: without the last
};

// Draws from now on go through the program. Its matrix transforms pixels of the upright top screen.
void begin_geometry(StreamScene& scene, const ProgramBuilder& program, const Feed& feed);
void geometry_matrix(StreamScene& scene, const Matrix& m);
// Returns to the scene's own program.
void end_geometry(StreamScene& scene);

// o0 = matrix * position.
void project(ProgramBuilder& b, const ShaderOperand& position);
// Emits corner k of a quad in the order of a strip: two triangles, the second one with the winding flag.
void emit_corner(ProgramBuilder& b, u32 k);

} // namespace tests
