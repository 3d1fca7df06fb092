// SPDX-License-Identifier: MIT
// The chunks of a saved state that hold the GPU's own state, field by field (SNAPSHOT.md).
#pragma once

#include "pica/base/result.h"
#include "pica/command/gpu.h"

#include <span>
#include <vector>

namespace pica
{

// In the order of the file.
enum class SnapshotSection : u8
{
    External,        // EXTR
    Registers,       // REGS
    VertexUnit,      // VSHU
    GeometryUnit,    // GSHU
    Ports,           // PORT
    Tables,          // LUTS
    Processor,       // PROC
    Primitive,       // PRIM
    CarriedGeometry, // GEOM
};
inline constexpr u32 kSnapshotSections = 9;

std::vector<u8> write_fields(SnapshotSection section, const GpuState& state);
// Error: there are too few or too many bytes, or a value is one that no run could have left. version: of the
// file (snapshot.h).
Status read_fields(SnapshotSection section, std::span<const u8> bytes, GpuState& state, u32 version);

} // namespace pica
