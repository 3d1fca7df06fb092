// SPDX-License-Identifier: MIT
// Is there memory behind a draw's buffers? Both backends ask before they draw, so that both leave out the
// same draws. Tests: tests/pica/software_core_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/state/draw.h"

namespace pica
{

class GuestMemory;

// Returns false, and reports, if the draw must be left out [our rule]. The reasons: a width of 0, or one that
// is not a multiple of 8 (of 32 with 32x32 blocks), because rows of tiles would overlap; a buffer that the
// draw uses and that is not wholly inside memory; a colour and a depth buffer that the draw both uses and
// that share bytes, because the result would depend on the order of pixels.
bool target_in_memory(const Draw& draw, const GuestMemory& memory, Report& report);

} // namespace pica
