// SPDX-License-Identifier: MIT
// The registers of the geometry shader unit as words, on their way to a device and back. The order of the
// words is STATE_* of shaders/include/layout.h. Tests: tests/renderer/geometry_executor_test.cpp.
#pragma once

#include "pica/shader/geometry_program.h"

#include <array>
#include <span>

namespace pica
{

// Values that vertices fed to the c registers.
using FedConstants = std::array<Vec4, 96>;

void store_words(const GeometryRegisters& registers, const FedConstants& constants, std::span<u32> words);
void load_words(std::span<const u32> words, GeometryRegisters& registers, FedConstants& constants);

} // namespace pica
