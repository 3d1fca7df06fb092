// SPDX-License-Identifier: MIT
#include "pica/shader/batch_kernel.h"

#include "pica/base/lanes.h"
#include "pica/base/numeric8.h"

namespace pica::batch
{

namespace
{

#include "pica/shader/batch_kernel.inc"

} // namespace

const Kernel& generic_kernel()
{
    return kKernel;
}

} // namespace pica::batch
