// SPDX-License-Identifier: MIT
#include "pica/state/triangle_record.h"

#include <cmath>

namespace pica
{

RecordLayout record_layout(const FragmentKey& key, const GeometryConstants& geometry, u32 scale)
{
    RecordLayout layout;
    // Clipping bounds the snapped coordinates by the viewport; 32 covers its rounding. All exact in double or
    // far from the limit.
    const double sixteenths = 16.0 * scale;
    const double width = std::ceil(std::fabs(2.0 * geometry.half_width) * sixteenths + 32.0);
    const double height = std::ceil(std::fabs(2.0 * geometry.half_height) * sixteenths + 32.0);
    layout.wide = 2.0 * width * height >= 2147483648.0;

    u32 words = kRecordHeader + (layout.wide != 0 ? 3 : 0);
    const auto add = [&](u32 scalars)
    {
        const u32 offset = words;
        words += 3 * scalars;
        return static_cast<u8>(offset);
    };
    if (key.depth != DepthMode::None)
        layout.depth = add(1);
    if (key.uses_primary_color())
        layout.color = add(4);
    for (u32 set = 0; set < 3; ++set)
    {
        for (const TextureUnitKey& unit : key.texture)
        {
            if (unit.enabled() && unit.null_address == 0 && unit.texcoord == set)
            {
                layout.texcoord[set] = add(2);
                break;
            }
        }
    }
    layout.words = static_cast<u8>((words + 11) / 12 * 12);
    return layout;
}

} // namespace pica
