// SPDX-License-Identifier: MIT
// The last vertices of a draw that a device executes, before the vertex program has run for them. They wait in the assembler
// for a next draw that continues its primitives, which almost none does. What they depend on may change until then, so
// it is copied. Source: pica/hardware/primitives.md, "Assembly". Tests: vertex_stage_test.cpp
#pragma once

#include "pica/vertex/assembler_slots.h"
#include "pica/vertex/vertex_fetch.h"

#include <array>
#include <optional>
#include <span>

namespace pica
{

class KeptTail
{
public:
    // Do vertices wait for the program?
    bool waits() const { return count_ != 0; }
    void drop() { count_ = 0; }

    // missing: at least one. `numbers` are the vertex numbers of its elements.
    void keep(const Draw& draw, std::span<const AssemblerSlots::Missing> missing,
              std::span<const u64> numbers, const GuestMemory& memory, Report& report);

    u32 count() const { return count_; }
    // The slot of the assembler that vertex i is in.
    u32 slot(u32 i) const { return slots_[i]; }
    // What runs for them. The program stays valid until 8 others were kept.
    const Program& program() const { return *programs_[program_]; }
    const ShaderUniforms& uniforms() const { return uniforms_; } // those that the program may read
    const VertexKey& vertex() const { return vertex_; }
    const GeometryConstants& geometry() const { return geometry_; }
    // Copies the inputs that the program reads.
    void load(BatchInterpreter& batch) const;

private:
    void keep_program(const Program& program);
    void keep_uniforms(const ShaderUniforms& uniforms);
    InputRows rows();

    u32 count_ = 0;
    std::array<u32, 2> slots_{};
    std::array<std::optional<Program>, 8> programs_; // of a draw they are valid during the call
    u32 program_ = 0, next_program_ = 0;
    // What is kept for the program that ran last: of its uniforms and its inputs those of these revisions; 0: unknown.
    u64 kept_program_ = 0, uniforms_revision_ = 0, inputs_revision_ = 0;
    ShaderUniforms uniforms_; // those that the program may read
    VertexKey vertex_;
    GeometryConstants geometry_;
    VertexFetch fetch_;
    std::array<std::array<std::array<f32, 2>, 4>, 16> inputs_{}; // register, component, vertex
};

} // namespace pica
