// SPDX-License-Identifier: MIT
// 16-lane C++ compilation of the shared arithmetic (numeric_lanes.inc), for AVX-512.
#pragma once

#include "pica/base/lanes.h"
#include "pica/base/numeric.h"

#include <immintrin.h>

namespace pica::num16
{

#define PICA_LANES 16
#include "pica/base/numeric_lanes.inc"

} // namespace pica::num16
