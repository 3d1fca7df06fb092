// SPDX-License-Identifier: MIT
// Which block of the fragment pipeline makes a difference: variants of a draw, each with one block more than the one
// before it. A variant writes a block's output as the colour, without what comes after the block. It is made of
// registers, so that every backend and every version can draw it. Tests: tests/cli/bisect_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"

#include <string>
#include <vector>

namespace samples
{

struct BlockProbe
{
    std::string block; // "combiner 2"
    pica::RegisterFile registers;
};

// In the order of the pipeline, the whole draw last. Blocks that the draw does not use are left out. draw: what the
// registers decode to.
std::vector<BlockProbe> block_probes(const pica::RegisterFile& registers, const pica::Draw& draw);

} // namespace samples
