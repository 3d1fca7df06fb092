// SPDX-License-Identifier: MIT
// BatchRows: what the vertex programs of a batch read besides guest memory: a BatchDraw for each draw, and behind them
// constants (BINDING_VERTEX_BLOCKS of shaders/include/layout.h). A draw has the constants that its program names: programs
// name few, homebrew assemblers give literals the registers from c95 down, and draws are many.
// Tests: tests/shadergen/batch_rows_test.cpp, tests/renderer/vertex_stage_compute_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "pica/state/draw.h"
#include "shadergen/uniforms.h"

#include <array>
#include <vector>

namespace shadergen
{

// Which row of a program's constants c<n> is, for one that the program names. Those lie one behind the other. Where a program
// addresses some relatively, all 96 are there.
pica::u32 constant_row(const pica::ProgramUsage& usage, pica::u32 n);

class BatchRows
{
public:
    // Adds constants for draws of this program with these uniforms, unless the ones added last are the same. Gives what
    // their BatchDraw::constants has to be.
    ConstantsRow add_constants(const pica::Draw& draw);
    // Adds a draw and gives its number. Draws may share constants.
    pica::u32 add(const BatchDraw& draw);

    std::size_t bytes() const { return draws_.size() * sizeof(BatchDraw) + constants_.size() * sizeof(vec4); }
    // Writes the rows to memory, without reading it, and clears them.
    void write(std::byte* to);
    void clear();

private:
    void append_constants(const pica::ProgramUsage& usage, const std::array<vec4, 96>& values);

    std::vector<BatchDraw> draws_; // constants.first counts from the first constant
    std::vector<vec4> constants_;
    // Of the constants added last.
    pica::u64 program_ = 0, revision_ = 0; // 0: none that others may share
    pica::u32 first_ = 0;
};

} // namespace shadergen
