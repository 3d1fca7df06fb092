// SPDX-License-Identifier: MIT
// How much work a module is for a driver's compiler. Drivers inline functions, and the time and memory that
// they need afterwards grow faster than the number of instructions. Tests:
// tests/shadergen/module_size_test.cpp
#pragma once

#include "shadergen/spirv.h"

namespace shadergen
{

// Number of instructions in the entry points with every call replaced by the called function, recursively.
// Counts what computes, loads, stores or branches, but not declarations, labels and merge instructions. At
// most kEndlessInstructions: functions that call the next one twice double the number each time. 0 if the
// words are not a module.
pica::u64 inlined_instructions(const Spirv& module);
inline constexpr pica::u64 kEndlessInstructions = pica::u64{1} << 40;

// The largest geometry program that drivers compile; a larger one is interpreted on the device. Measured:
// 47,000 to 109,000 instructions take an AMD compiler 3 s and lavapipe 48 s.
inline constexpr pica::u64 kMostGeometryInstructions = 32768;
// The limit for everything else. It is above the largest form of the ubershader, which nothing smaller could
// replace. A vertex program has some 4,000 instructions and 170 for each of its own, so few programs of a
// whole program memory are larger, and the device's interpreter or the CPU runs those.
inline constexpr pica::u64 kMostInstructions = 65536;

} // namespace shadergen
