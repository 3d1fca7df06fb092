// SPDX-License-Identifier: MIT
// The fragment program that a draw gets at the resolution of a core: above 1x, programs read N x texels where a texture
// has them (design.md, "N times the resolution").
#pragma once

#include "pica/soft/software_core.h"
#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"

namespace samples
{

// To be called before the core executes the draw, with planes as the operations before left them.
pica::FragmentKey drawn_key(const pica::Draw& draw, pica::SoftwareCore& core);
// Of the triangle records that this program reads.
pica::RecordLayout drawn_layout(const pica::Draw& draw, const pica::SoftwareCore& core);

} // namespace samples
