// SPDX-License-Identifier: MIT
// The first place where the planes of two backends differ. Both backends keep the same planes (design.md, "N times the
// resolution"), so there must be none. Tests: tests/pica/plane_comparison_test.cpp.
#pragma once

#include "pica/transfer/engine_range.h"

#include <optional>
#include <string>

namespace pica
{

class PlaneMemory;

struct PlaneDifference
{
    std::string place;
    std::string values; // "first ..., second ..."
};
// Of what the range touches, for backends that work above 1x. Differences are: a backend without planes (null), scales,
// lines that have planes in one only, and bytes of lines that have some.
std::optional<PlaneDifference> first_difference(const PlaneMemory* first, const PlaneMemory* second,
                                                const ByteRange& range);

} // namespace pica
