// SPDX-License-Identifier: MIT
// RehearsalScene: a few dozen fixed operations, in classes by the methods of the device that they need. Any
// backend can play them, and all exact backends leave the same bytes.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/shader/program.h"
#include "pica/state/draw.h"

#include <array>

namespace pica
{
class Backend;
}

namespace renderer
{

using pica::u32;

// What an operation of the scene needs beside what all draws need.
enum class RehearsalClass : pica::u8
{
    Plain,      // fills, transfers, copies, textures, combiners, fog, the depth test
    Repeated,   // draws that differ in their vertices only
    Stencil,    // the stencil test and its operations
    LogicOp,    // fixed-function logic operations
    FixedBlend, // fixed-function blending on the UNORM view
    Fetch,      // blending that reads the destination in the shader
    Lighting,   // fragment lighting
    Procedural, // procedural textures
    Levels,     // textures with levels of detail
    Cubes,      // cube maps and projected textures
    Shadows,    // shadow maps: drawn, and looked up
    Gas,        // its accumulation and shading
    Geometry,   // geometry programs
};
inline constexpr u32 kRehearsalClasses = 13;

class RehearsalScene
{
public:
    RehearsalScene();
    RehearsalScene(const RehearsalScene&) = delete;
    RehearsalScene& operator=(const RehearsalScene&) = delete;

    // The memory that the scene uses: kBytes from kBase on.
    static constexpr pica::PhysAddr kBase = 0x18000000;
    static constexpr u32 kBytes = 0x40000;

    // Writes vertices, textures and the first content of targets. To be called before any backend knows the
    // memory.
    static void fill(pica::GuestMemory& memory);
    // Plays the operations of a class: fills a target, draws, and, in class Plain, transfers and copies.
    void play(RehearsalClass which, pica::Backend& backend);

private:
    void begin(pica::Backend& backend);
    void reset();
    void fill(pica::Backend& backend, pica::PhysAddr target, u32 value);
    void bind(pica::PhysAddr address, pica::u16 size, pica::u8 texture_levels = 1);
    void bind_cube(pica::u8 texture_levels);
    void draw(pica::Backend& backend);
    void plain(pica::Backend& backend);
    void plain_textures(pica::Backend& backend);
    void engines(pica::Backend& backend);
    void repeated(pica::Backend& backend);
    void stencil(pica::Backend& backend);
    void logic(pica::Backend& backend);
    void fixed_blend(pica::Backend& backend);
    void fetch(pica::Backend& backend);
    void lighting(pica::Backend& backend);
    void procedural(pica::Backend& backend);
    void levels(pica::Backend& backend);
    void cubes(pica::Backend& backend);
    void shadows(pica::Backend& backend);
    void gas(pica::Backend& backend);
    void geometry(pica::Backend& backend);
    void blend(pica::OutputClass output, const std::array<pica::BlendEquation, 2>& equations,
               const std::array<pica::BlendFactor, 2>& factors);

    const pica::Program program_;
    const pica::Program point_program_;
    const pica::Program fixed_program_;
    const pica::ShaderUniforms uniforms_{};
    const pica::ShaderUniforms geometry_uniforms_;
    pica::Luts luts_;
    pica::Draw draw_;
    u32 draws_ = 0;
};

} // namespace renderer
