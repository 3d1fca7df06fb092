// SPDX-License-Identifier: MIT
#include "pica/soft/pixel_counter.h"

namespace pica::soft
{

u64 PixelCounter::count(const Draw& draw, const Carryover& carryover, const GuestMemory& memory)
{
    stage_.load(carryover);
    stage_.run(draw, memory, silent_);
    return stage_.covered_pixels(draw.scissor);
}

} // namespace pica::soft
