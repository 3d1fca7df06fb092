// SPDX-License-Identifier: MIT
// DrawKinds: a set of kinds of draws, by what a device must compute for their pixels beside what it computes
// for every draw. The rehearsal finds the kinds that a device does not compute exactly; the software renderer
// draws those (DrawPlanner::is_for_host).
#pragma once

#include "pica/state/draw.h"

namespace renderer
{

struct DrawKinds
{
    bool lighting = false;   // fragment lighting
    bool procedural = false; // procedural textures
    bool shadows = false;    // shadow maps: those that are drawn, and those that are looked up
    bool gas = false;        // gas: its accumulation, and its shading
    bool levels = false;     // textures with levels of detail
    bool cubes = false;      // cube maps and projected textures

    bool operator==(const DrawKinds&) const = default;
    bool meets(const DrawKinds& other) const;
};

// The kinds that the draw is of.
DrawKinds kinds_of(const pica::Draw& draw);

} // namespace renderer
