// SPDX-License-Identifier: MIT
// What the screens show at N times the resolution. Source: design.md, "N times the resolution". Tests:
// tests/pica/scaled_engines_test.cpp.
#pragma once

#include "pica/transfer/scanout.h"

namespace pica
{

class PlaneMemory;

// The upright picture: (N * width) * (N * 240) words row by row, otherwise as scan_out.
void scan_out_scaled(const PlaneMemory& planes, const ScreenConfig& config, u32* rgba_out, Report& report);

} // namespace pica
