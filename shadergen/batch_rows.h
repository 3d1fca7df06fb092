// SPDX-License-Identifier: MIT
// BatchRows: what the vertex programs of a batch read besides guest memory: a BatchDraw for each draw, and behind them
// descriptions of inputs, and constants (BINDING_VERTEX_BLOCKS of shaders/include/layout.h). A draw has those that its program
// names: programs name few, homebrew assemblers give literals the registers from c95 down, and draws are many. Consecutive draws
// mostly have the inputs in common.
// Tests: tests/shadergen/batch_rows_test.cpp, tests/renderer/vertex_stage_compute_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "pica/state/draw.h"
#include "shadergen/uniforms.h"
#include "shadergen/vertex_uniforms.h"

#include <cstddef>
#include <span>
#include <vector>

namespace shadergen
{

// Which row of a program's constants c<n> is, for one that the program names. Those lie one behind the other, behind the four
// integer registers if the program reads any. Where a program addresses some relatively, all 96 are there.
pica::u32 constant_row(const pica::ProgramUsage& usage, pica::u32 n);

class BatchRows
{
public:
    // Adds what the draw's program reads, and gives the BatchDraw of a draw whose vertices are not shared.
    BatchDraw describe(const pica::Draw& draw, const VertexPlacement& placement);
    // Adds integer registers and constants for draws of this program with these uniforms, unless the ones added last are the same. Gives what
    // their PlacesRow::constants has to be.
    pica::u32 add_constants(const pica::Draw& draw);
    // Adds the inputs that a program reads, unless the ones added last are the same. Gives PlacesRow::inputs.
    pica::u32 add_inputs(std::span<const BatchInput> inputs);
    // Adds a draw and gives its number. Draws may share what was added for them.
    pica::u32 add(const BatchDraw& draw);

    std::size_t bytes() const;
    // Writes the rows to memory, without reading it, and clears them.
    void write(std::byte* to);
    void clear();

private:
    void append_constants(const pica::ProgramUsage& usage, const pica::ShaderUniforms& uniforms);
    pica::u32 inputs_of(const pica::Draw& draw, const VertexPlacement& placement);

    std::vector<BatchDraw> draws_; // places count from the first constant and the first input
    std::vector<uvec4> constants_; // bits
    std::vector<BatchInput> inputs_;
    std::vector<BatchInput> packed_; // of one draw
    // Of the constants added last.
    pica::u64 program_ = 0, revision_ = 0; // 0: none that others may share
    pica::u32 first_ = 0;
    // Of the inputs added last: the number of the first, and which draws they were found for.
    std::size_t first_input_ = 0;
    pica::u64 inputs_program_ = 0, inputs_revision_ = 0; // 0: unknown
};

} // namespace shadergen
