// SPDX-License-Identifier: MIT
// A vertex program that multiplies positions by a constant and copies the rest.
#pragma once

#include "tests/support/programs/program_builder.h"

namespace tests
{

// Programs with other numbers of NOPs are other programs. relative: finds c<constant> by c1.x, which must be 2.
inline pica::Program scaling_program(pica::u32 nops, pica::u32 constant = 0, bool relative = false)
{
    ProgramBuilder b;
    for (pica::u32 i = 0; i < nops; ++i)
        b.nop();
    if (relative)
        b.mova("x", c(1));
    b.mul(o(0), relative ? c(constant - 2)[A0x] : c(constant), v(0));
    for (pica::u32 i = 1; i < 6; ++i)
        b.mov(o(i), v(i));
    b.end();
    return b.program();
}

} // namespace tests
