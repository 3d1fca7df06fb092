// SPDX-License-Identifier: MIT
// The same loops for AVX2; pica/CMakeLists.txt gives this file its flag on x86-64 (never -mfma: fused
// operations change bits). Called only after a run-time check of the processor.
#include "pica/shader/batch_kernel.h"

#if defined(__AVX2__)

#include "pica/base/numeric8.h"

namespace pica::batch
{

namespace
{

#include "pica/shader/batch_kernel.inc"

} // namespace

const Kernel* avx2_kernel()
{
    return &kKernel;
}

} // namespace pica::batch

#else

namespace pica::batch
{

const Kernel* avx2_kernel()
{
    return nullptr;
}

} // namespace pica::batch

#endif
