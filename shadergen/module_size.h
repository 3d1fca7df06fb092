// SPDX-License-Identifier: MIT
// How much a driver's compiler has to do for a module: drivers put functions in the place of their calls, and
// the time and the memory that they then need grow faster than the number of instructions. Tests:
// tests/shadergen/module_size_test.cpp
#pragma once

#include "shadergen/spirv.h"

namespace shadergen
{

// Instructions of the entry points with each call replaced by the function that it calls, and so on. Counted
// is what computes, loads, stores or branches; declarations, labels and merge instructions are not. Ends at
// kEndlessInstructions: functions that call the next one twice double it each time. 0 for what is no module.
pica::u64 inlined_instructions(const Spirv& module);
inline constexpr pica::u64 kEndlessInstructions = pica::u64{1} << 40;

// What drivers are given at most of a geometry program; a larger one is interpreted on the device. Measured:
// 47,000 to 109,000 instructions take an AMD compiler 3 s and lavapipe 48 s.
inline constexpr pica::u64 kMostGeometryInstructions = 32768;
// Everything else: above the largest form of the ubershader, in whose place there is nothing smaller. A
// vertex program has some 4,000 instructions and 170 for each of its own: few of a whole program memory are
// larger, and the CPU runs those.
inline constexpr pica::u64 kMostInstructions = 65536;

} // namespace shadergen
