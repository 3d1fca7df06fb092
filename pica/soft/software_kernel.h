// SPDX-License-Identifier: MIT
// Which compilation of the pixel kernels runs. All leave the same bytes.
#pragma once

#include "pica/base/types.h"

namespace pica
{

enum class SoftwareKernel : u8
{
    Best, // AVX-512, AVX2 or the baseline
    Avx2, // the baseline, if the processor lacks AVX2
    Baseline,
};

} // namespace pica
