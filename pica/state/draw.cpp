// SPDX-License-Identifier: MIT
// Text of a draw, for reports.
#include "pica/state/draw.h"

#include <cstdio>

namespace pica
{

std::string Draw::text() const
{
    char part[256];
    std::snprintf(part, sizeof part, "draw %llu: %u %s%s vertices, topology %u%s; ",
                  static_cast<unsigned long long>(serial), source.count,
                  !source.inline_values.empty() ? "immediate"
                  : source.indexed != 0         ? "indexed"
                                                : "array",
                  source.indexed == 0   ? ""
                  : source.index16 != 0 ? " (u16)"
                                        : " (u8)",
                  static_cast<u32>(source.topology), source.restart != 0 ? "" : ", continued");
    std::string text = part;
    std::snprintf(part, sizeof part, "target %ux%u color %08x format %u", target.width, target.height,
                  target.color_address, static_cast<u32>(target.color_format));
    text += part;
    if (target.has_depth != 0)
    {
        std::snprintf(part, sizeof part, " depth %08x format %u", target.depth_address,
                      static_cast<u32>(target.depth_format));
        text += part;
    }
    std::snprintf(part, sizeof part, " scissor %d,%d-%d,%d", scissor.x1, scissor.y1, scissor.x2, scissor.y2);
    text += part;
    for (u32 unit = 0; unit < texture.size(); ++unit)
    {
        const TextureBinding& binding = texture[unit];
        if (binding.address == 0)
            continue;
        std::snprintf(part, sizeof part, " tex%u %08x %ux%u format %u", unit, binding.address, binding.width,
                      binding.height, static_cast<u32>(binding.format));
        text += part;
    }
    return text + "; fragment: " + fragment.text() + "; output: " + output.text() +
           "; vertex: " + vertex.text();
}

} // namespace pica
