// SPDX-License-Identifier: MIT
// A vertex program that multiplies positions by c0 and copies the rest.
#pragma once

#include "tests/support/programs/program_builder.h"

namespace tests
{

// Programs with other numbers of NOPs are other programs.
inline pica::Program scaling_program(pica::u32 nops)
{
    ProgramBuilder b;
    for (pica::u32 i = 0; i < nops; ++i)
        b.nop();
    b.mul(o(0), c(0), v(0));
    for (pica::u32 i = 1; i < 6; ++i)
        b.mov(o(i), v(i));
    b.end();
    return b.program();
}

} // namespace tests
