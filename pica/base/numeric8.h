// SPDX-License-Identifier: MIT
// 8-lane C++ compilation of the shared arithmetic (numeric_lanes.inc).
#pragma once

#include "pica/base/lanes.h"
#include "pica/base/numeric.h"

#if defined(PICA_LANES_AVX2) || (defined(PICA_PAIRED_LANES) && defined(__SSE2__))
#include <immintrin.h>
#endif

namespace pica::num8
{

#define PICA_LANES 8
#include "pica/base/numeric_lanes.inc"

} // namespace pica::num8
