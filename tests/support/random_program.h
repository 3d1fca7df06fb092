// SPDX-License-Identifier: MIT
// Seeded shader programs, uniforms and float24 values for differential tests of program executors.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"
#include "tests/support/seeds.h"

#include <array>
#include <span>

namespace tests
{

enum class RandomFlow : u8
{
    None,       // straight code and END
    Structured, // IF, LOOP, CALL, BREAKC, forward JMP and END as an assembler writes them
    Wild,       // flow instructions with any nearby target: most such programs break S1-S10 of cfg.h
    Noise,      // every word of the memory is random
};

// At most 128 words of main and functions (Noise: all 512), entry 0. All descriptors are random; opcodes
// include undefined ones.
// Short ones have about a third of the words: for executors that compile them.
ShaderCode random_program(Random& random, RandomFlow flow, bool is_short = false);

// The same for the geometry unit: SETEMIT, EMIT and positions (o0 = one of the source registers `positions`)
// are spread over the program, which nothing else changes o0 in; it begins with one triangle of the first
// three positions, which repeat where there are fewer. tidy: in front of that it writes every register and
// output, and it emits nothing else under conditions, so that its invocations may run side by side.
// Noise: all 4096 words behind the first triangle.
ShaderCode random_geometry_program(Random& random, RandomFlow flow, std::span<const u8> positions,
                                   bool is_short = false, bool tidy = false);

// A float24 value as binary32: special values, small integers, numbers around 1, any pattern.
f32 random_float24(Random& random);
// Loop counts stay small (at most 4 rounds).
ShaderUniforms random_uniforms(Random& random);

} // namespace tests
