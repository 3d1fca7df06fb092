// SPDX-License-Identifier: MIT
// The engines beside the 3D core at N times the resolution: what each does to guest memory and to its planes. Source:
// design.md, "N times the resolution". Tests: tests/pica/scaled_engines_test.cpp.
#pragma once

#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

namespace pica
{

class PlaneMemory;

void execute_scaled(PlaneMemory& planes, const MemoryFill& fill, Report& report);
void execute_scaled(PlaneMemory& planes, const TextureCopy& copy, Report& report);
void execute_scaled(PlaneMemory& planes, const DisplayTransfer& transfer, Report& report);
// Does the transfer work on the picture of N x pixels? If not, its output counts as written by the CPU.
bool transfers_planes(const PlaneMemory& planes, const DisplayTransfer& transfer);

} // namespace pica
