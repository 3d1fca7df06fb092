// SPDX-License-Identifier: MIT
// All probes, one function each. The table of rules (rules.h) names them.
#pragma once

#include "samples/probe/probe.h"

#include <vector>

namespace samples
{

// Programs and vertices (probes_vertex.cpp).
Probe probe_rcp();
Probe probe_rsq();
Probe probe_rsq_odd();
Probe probe_ex2();
Probe probe_lg2();
Probe probe_add_rounding();
Probe probe_mul_rounding();
Probe probe_mad_rounding();
Probe probe_dot_order();
// Fragments (probes_fragment.cpp).
Probe probe_combiner_rounding();
Probe probe_blend_rounding();

// In the order in which the console runs them: what might hang a GPU comes last.
std::vector<Probe> all_probes();

} // namespace samples
