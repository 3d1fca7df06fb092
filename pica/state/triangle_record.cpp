// SPDX-License-Identifier: MIT
#include "pica/state/triangle_record.h"

#include <algorithm>

namespace pica
{

namespace
{

struct Range
{
    s32 low, high;
};

// All values are exact in double or far from the limit.
Range snap_range(f32 half_size, s32 origin, u32 scale)
{
    const double sixteenths = 16.0 * scale;
    const double limit = 65536.0 * scale;
    const double extent = 2.0 * static_cast<double>(half_size);
    const double low = std::clamp((origin + std::min(extent, 0.0)) * sixteenths, -limit, limit);
    const double high = std::clamp((origin + std::max(extent, 0.0)) * sixteenths, -limit, limit);
    // Rounded down and up; limits are integers. Faster than floor and ceil of the baseline, and every draw asks.
    const s32 to_zero_low = static_cast<s32>(low), to_zero_high = static_cast<s32>(high);
    return {to_zero_low - (to_zero_low > low ? 1 : 0), to_zero_high + (to_zero_high < high ? 1 : 0)};
}

} // namespace

SnapBounds snap_bounds(const GeometryConstants& geometry, u32 scale)
{
    const Range x = snap_range(geometry.half_width, geometry.viewport_x, scale);
    const Range y = snap_range(geometry.half_height, geometry.viewport_y, scale);
    return {x.low, y.low, x.high, y.high};
}

RecordLayout record_layout(const FragmentKey& key, const GeometryConstants& geometry, u32 scale)
{
    RecordLayout layout;
    // Edges are evaluated up to two pixels outside a triangle, and on the way there at pixels below or left of it.
    const SnapBounds bounds = snap_bounds(geometry, scale);
    const s64 width = std::max(s64{bounds.high_x}, s64{0}) - std::min(s64{bounds.low_x}, s64{0}) + 32;
    const s64 height = std::max(s64{bounds.high_y}, s64{0}) - std::min(s64{bounds.low_y}, s64{0}) + 32;
    const s64 limit = width * height; // twice the area of any triangle between the bounds is at most that
    layout.wide = limit < s64{1} << 27 ? kEdges32 : limit < s64{1} << 34 ? kEdges36 : kEdges64;

    u32 words = kRecordHeader + (layout.wide != 0 ? 3 : 0);
    const auto add = [&](u32 scalars)
    {
        const u32 offset = words;
        words += 3 * scalars;
        return static_cast<u8>(offset);
    };
    if (key.depth_mode() != DepthMode::None)
        layout.depth = add(1);
    if (key.uses_primary_color())
        layout.color = add(4);
    for (u32 set = 0; set < 3; ++set)
    {
        if (key.proctex.enabled && key.proctex.texcoord == set)
        {
            layout.texcoord[set] = add(2);
            continue;
        }
        for (const TextureUnitKey& unit : key.texture)
        {
            if (unit.enabled() && unit.null_address == 0 && unit.texcoord == set)
            {
                layout.texcoord[set] = add(2);
                break;
            }
        }
    }
    if (key.texture[0].uses_texcoord_w())
        layout.texcoord0_w = add(1);
    if (key.lighting.lights != 0)
    {
        layout.quaternion = add(4);
        layout.view = add(3);
    }
    layout.words = static_cast<u8>((words + 11) / 12 * 12);
    return layout;
}

u32 used_words(const RecordLayout& layout)
{
    u32 used = kRecordHeader + (layout.wide ? 3u : 0u);
    if (layout.depth)
        used = std::max(used, layout.depth + 3u);
    if (layout.color)
        used = std::max(used, layout.color + 12u);
    for (const u8 texcoord : layout.texcoord)
        if (texcoord)
            used = std::max(used, texcoord + 6u);
    if (layout.texcoord0_w)
        used = std::max(used, layout.texcoord0_w + 3u);
    if (layout.quaternion)
        used = std::max(used, layout.quaternion + 12u);
    if (layout.view)
        used = std::max(used, layout.view + 9u);
    return used;
}

} // namespace pica
