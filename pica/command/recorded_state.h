// SPDX-License-Identifier: MIT
// The part of a recorded GPU state that the command processor keeps, as CiTrace files have it. Source:
// pica/hardware/citrace.md, "Sections" and "Playback". Tests: tests/pica/processor_test.cpp.
#pragma once

#include "pica/command/ports.h"

#include <span>

namespace pica
{

// A state to restore without side effects. Sections may be short or empty. Floats are raw float24 values, in
// the order x y z w.
struct RecordedState
{
    std::span<const u32> registers;
    std::span<const u32> fixed_attributes;
    std::span<const u32> vertex_code, vertex_descriptors, vertex_floats;
    std::span<const u32> geometry_code, geometry_descriptors, geometry_floats;
};

// Writes the recorded values into registers and ports at power-up state. Returns false if vectors lack their
// w; then attributes have 1 there and uniforms 0.
bool load_recorded_state(const RecordedState& state, RegisterFile& regs, Ports& ports);

} // namespace pica
