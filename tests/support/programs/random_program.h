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

// A random program with entry 0 and at most 128 words of main and functions (Noise: all 512). All descriptors
// are random; opcodes include undefined ones. Short programs have about a third of the words, for executors
// that compile them.
ShaderCode random_program(Random& random, RandomFlow flow, bool is_short = false);

// Likewise for the geometry shader unit. SETEMIT, EMIT and positions are spread over the program; nothing
// else in it changes o0, which is always one of the source registers `positions`. It begins with one triangle
// of the first three positions, which repeat if there are fewer. tidy: before that the program writes every
// register and output, and it emits nothing else under conditions, so that its invocations can run in
// parallel. Noise: all 4096 words after the first triangle are random.
ShaderCode random_geometry_program(Random& random, RandomFlow flow, std::span<const u8> positions,
                                   bool is_short = false, bool tidy = false);

// A float24 value as binary32: special values, small integers, numbers near 1, or any bit pattern.
f32 random_float24(Random& random);
// Loop counts are small (at most 4 rounds).
ShaderUniforms random_uniforms(Random& random);

} // namespace tests
