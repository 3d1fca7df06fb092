// SPDX-License-Identifier: MIT
#include "samples/probe/probes.h"

namespace samples
{

std::vector<Probe> all_probes()
{
    return {
        probe_rcp(),
        probe_rsq(),
        probe_rsq_odd(),
        probe_ex2(),
        probe_lg2(),
        probe_add_rounding(),
        probe_mul_rounding(),
        probe_mad_rounding(),
        probe_dot_order(),
        probe_combiner_rounding(),
        probe_blend_rounding(),
    };
}

} // namespace samples
