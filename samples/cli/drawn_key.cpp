// SPDX-License-Identifier: MIT
#include "samples/cli/drawn_key.h"

#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"

namespace samples
{

using namespace pica;

FragmentKey drawn_key(const Draw& draw, SoftwareCore& core)
{
    FragmentKey key = draw.fragment;
    if (const PlaneMemory* planes = core.planes())
        set_scaled_units(key, scaled_units(planes->tracker(), core.memory(), draw, planes->scale()));
    return key;
}

RecordLayout drawn_layout(const Draw& draw, const SoftwareCore& core)
{
    return record_layout(draw.fragment, draw.geometry, core.scale());
}

} // namespace samples
