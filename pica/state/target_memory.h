// SPDX-License-Identifier: MIT
// Is there memory behind a draw's buffers? Both backends ask before they draw, so that both skip the same
// draws. Tests: tests/pica/software_core_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/state/draw.h"

namespace pica
{

class GuestMemory;

// False, and reported, where nothing may be drawn: a width of 0 or one that is no multiple of 8, with 32x32
// blocks of 32 (rows of tiles would overlap), a buffer that the draw touches and that is not wholly inside
// memory, or a colour and a depth buffer that the draw both touches and that share bytes (what remains there
// depends on the order of pixels). [our rule]
bool target_in_memory(const Draw& draw, const GuestMemory& memory, Report& report);

} // namespace pica
