// SPDX-License-Identifier: MIT
// Finds where two sides part: the first operation, and the block of the pipeline. Tests: tests/cli/bisect_test.cpp.
#pragma once

#include "samples/cli/golden/side.h"

#include <array>

namespace samples
{

using Sides = std::array<Side, 2>;

// An object with "a", "b" (the sides in words), "operations", "scale" and "equal". "results" is where what is left behind parts
// first; "state", where it is another place, is where what a draw is given does. Both have "place", the entries "a" and
// "b", and for draws "given", "registers" and "block", or "no_blocks", and "all_registers" of each side that is played.
// failure: as in Renderer::create.
pica::Result<DigestEntry> bisect(Sides sides, renderer::CreateFailure* failure);

} // namespace samples
