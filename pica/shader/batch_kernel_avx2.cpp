// SPDX-License-Identifier: MIT
// The same loops, compiled for AVX2. pica/CMakeLists.txt compiles this file on x86-64 only, with -mavx2
// (never -mfma: fused operations change bits). Called only after a run-time check of the processor.
#include "pica/shader/batch_kernel.h"

#include "pica/base/lanes.h"
#include "pica/base/numeric8.h"

namespace pica::batch
{

namespace
{

#include "pica/shader/batch_kernel.inc"

} // namespace

const Kernel& avx2_kernel()
{
    return kKernel;
}

} // namespace pica::batch
