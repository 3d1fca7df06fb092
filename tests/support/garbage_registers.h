// SPDX-License-Identifier: MIT
// What another program may leave behind in the GPU: garbage in all internal registers, tables, programs and uniforms.
#pragma once

#include "pica/base/types.h"

#include <functional>

namespace tests
{

// Writes it through `write`. Each bit is the other one with `flipped`, so that two runs have each bit set once. Left out is what acts at once (draws, jumps) and what belongs to the system (interrupts).
void leave_garbage(const std::function<void(pica::u32 id, pica::u32 value)>& write, pica::u32 seed,
                   bool flipped = false);

} // namespace tests
