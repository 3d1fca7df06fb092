// SPDX-License-Identifier: MIT
// The interrupts that the GPU raises. Source: pica/hardware/engines.md.
#pragma once

#include "pica/base/types.h"

namespace pica
{

enum class Interrupt : u8
{
    Psc0, // memory fills
    Psc1,
    Pdc0, // vertical blank of the top and bottom screen
    Pdc1,
    Ppf, // display transfer or texture copy
    P3d, // command list
};

} // namespace pica
