// SPDX-License-Identifier: MIT
// Text of a draw, for reports.
#include "pica/state/draw.h"

#include "pica/regs/enum_names.h"
#include "pica/shader/program.h"
#include "pica/texture/format.h"

#include <cstdio>

namespace pica
{

std::string Draw::text() const
{
    char part[256];
    std::snprintf(part, sizeof part, "draw %llu: %u %s%s vertices, %s%s; ",
                  static_cast<unsigned long long>(serial), source.count,
                  !source.inline_values.empty() ? "immediate"
                  : source.indexed != 0         ? "indexed"
                                                : "array",
                  source.indexed == 0   ? ""
                  : source.index16 != 0 ? " (u16)"
                                        : " (u8)",
                  name_or_number(kTopologyNames, u32(source.topology)).c_str(),
                  source.restart != 0 ? "" : ", continued");
    std::string text = part;
    if (geometry_unit.emits())
    {
        constexpr const char* kModes[] = {"point", "variable", "fixed", "undefined"};
        std::snprintf(part, sizeof part, "geometry shader, %s mode%s; ",
                      kModes[static_cast<u32>(geometry_unit.feed.mode) & 3],
                      geometry_unit.continues != 0 ? ", continued" : "");
        text += part;
    }
    std::snprintf(part, sizeof part, "target %ux%u color %08x %s", target.width, target.height,
                  target.color_address, name_or_number(kColorFormatNames, u32(target.color_format)).c_str());
    text += part;
    if (target.has_depth != 0)
    {
        std::snprintf(part, sizeof part, " depth %08x %s", target.depth_address,
                      name_or_number(kDepthFormatNames, u32(target.depth_format)).c_str());
        text += part;
    }
    std::snprintf(part, sizeof part, " scissor %d,%d-%d,%d", scissor.x1, scissor.y1, scissor.x2, scissor.y2);
    text += part;
    for (u32 unit = 0; unit < texture.size(); ++unit)
    {
        const TextureBinding& binding = texture[unit];
        if (binding.address == 0)
            continue;
        std::snprintf(part, sizeof part, " tex%u %08x %ux%u levels %u %s", unit, binding.address,
                      binding.width, binding.height, binding.levels,
                      std::string(format_name(binding.format)).c_str());
        text += part;
    }
    text += "; fragment: " + fragment.text() + "; output: " + output.text() + "; vertex: ";
    if (program != nullptr)
    {
        std::snprintf(part, sizeof part, "program=%016llx ",
                      static_cast<unsigned long long>(program->hash()));
        text += part;
    }
    return text + vertex.text();
}

} // namespace pica
