// SPDX-License-Identifier: MIT
#include "renderer/draw/draw_kinds.h"

namespace renderer
{

using pica::TextureType;

bool DrawKinds::meets(const DrawKinds& other) const
{
    return (lighting && other.lighting) || (procedural && other.procedural) || (shadows && other.shadows) ||
           (gas && other.gas) || (levels && other.levels) || (cubes && other.cubes);
}

DrawKinds kinds_of(const pica::Draw& draw)
{
    const pica::FragmentKey& key = draw.fragment;
    DrawKinds kinds;
    kinds.lighting = key.lighting.lights != 0;
    kinds.procedural = key.proctex.enabled != 0;
    kinds.shadows = key.shadow_map != pica::DepthMode::None;
    kinds.gas = key.gas.accumulate != 0 || key.fog.mode == pica::FogMode::Gas;
    for (const pica::TextureUnitKey& unit : key.texture)
    {
        if (!unit.samples())
            continue;
        kinds.shadows |= unit.is_shadow();
        kinds.levels |= unit.lod != 0;
        kinds.cubes |= unit.is_cube() || unit.type == TextureType::Projection;
    }
    return kinds;
}

} // namespace renderer
