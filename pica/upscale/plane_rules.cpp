// SPDX-License-Identifier: MIT
#include "pica/upscale/plane_rules.h"

#include "pica/memory/guest_memory.h"
#include "pica/state/sampled_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/upscale/plane_tracker.h"

#include <algorithm>

namespace pica
{

namespace
{

constexpr u32 kLine = PlaneTracker::kLineBytes;

// Joins ranges that follow each other.
void append(std::vector<ByteRange>& ranges, PhysAddr begin, u64 size)
{
    if (!ranges.empty() && ranges.back().begin + ranges.back().size == begin)
        ranges.back().size += size;
    else
        ranges.push_back({begin, size});
}

// The bytes of a unit's texture, or of each face: visit(address, size).
template <typename Visit>
void for_each_picture(const Draw& draw, const GuestMemory& memory, u32 unit, Visit visit)
{
    const TextureBinding& binding = draw.texture[unit];
    const bool cube = draw.fragment.texture[unit].is_cube();
    for (u32 face = 0; face < (cube ? 6u : 1u); ++face)
    {
        const PhysAddr address = cube ? draw.cube_faces[face] : binding.address;
        visit(address, memory.clamp_size(address, binding.byte_size()));
    }
}

} // namespace

DrawnLines drawn_lines(const Draw& draw)
{
    const RenderTarget& target = draw.target;
    DrawnLines lines;
    const bool color = draw.fragment.output != OutputClass::None;
    const bool depth = target.has_depth != 0 && (draw.output.depth_write || draw.output.stencil_test);
    PixelRect r{std::max(draw.scissor.x1, 0), std::max(draw.scissor.y1, 0),
                std::min(draw.scissor.x2, s32{target.width}), std::min(draw.scissor.y2, s32{target.height})};
    if (r.x1 >= r.x2 || r.y1 >= r.y2)
        return lines;
    if (target.flip)
        r = {r.x1, target.height - r.y2, r.x2, target.height - r.y1};
    const u32 color_tile = 64 * bytes_per_pixel(target.color_format);
    const u32 depth_tile = 64 * bytes_per_pixel(target.depth_format);
    const u32 tiles = target.width / 8u;
    for (u32 y = static_cast<u32>(r.y1) / 8; y < (static_cast<u32>(r.y2) + 7) / 8; ++y)
        for (u32 x = static_cast<u32>(r.x1) / 8; x < (static_cast<u32>(r.x2) + 7) / 8; ++x)
        {
            const u32 tile = target.block32 ? block32_tile(x, y, tiles) : y * tiles + x;
            if (color)
                append(lines.color, target.color_address + tile * color_tile, color_tile);
            if (depth)
                append(lines.depth, target.depth_address + tile * depth_tile, depth_tile);
        }
    return lines;
}

void use_textures(PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw)
{
    for_each_sampled_range(draw, [&](PhysAddr address, u32 size)
                           { tracker.touch(address, memory.clamp_size(address, size)); });
}

void give_target(PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw)
{
    use_textures(tracker, memory, draw);
    const DrawnLines lines = drawn_lines(draw);
    for (const ByteRange& range : lines.color)
        tracker.give(range.begin, range.size);
    for (const ByteRange& range : lines.depth)
        tracker.give(range.begin, range.size);
}

std::array<bool, 3> scaled_units(const PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw,
                                 u32 scale)
{
    std::array<bool, 3> scaled{};
    u64 sum = 0;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        if (!draw.fragment.texture[unit].samples())
            continue;
        const TextureBinding& binding = draw.texture[unit];
        u64 texels = 0; // of one picture
        for (u32 level = 0; level < binding.levels; ++level)
            texels += u64{level_dimension(binding.width, level)} * level_dimension(binding.height, level);
        u64 pictures = 0;
        bool found = false;
        for_each_picture(draw, memory, unit,
                         [&](PhysAddr address, u32 size)
                         {
                             ++pictures;
                             found = found || tracker.any(address, size);
                         });
        const u64 own = texels * pictures * scale * scale;
        scaled[unit] = found && sum + own <= kMostScaledTexels;
        sum += scaled[unit] ? own : 0;
    }
    return scaled;
}

CopiedLines copied_lines(const PlaneTracker& tracker, const TextureCopy& copy)
{
    CopiedLines lines;
    const auto piece = [&](PhysAddr from, PhysAddr to, u32 bytes)
    {
        if (tracker.any(from, bytes))
            append(lines.planes, to & ~(kLine - 1), kLine);
        else if (bytes == kLine)
            append(lines.plain, to, kLine);
    };
    for_each_run(copy,
                 [&](u64 from, u64 to, u32 bytes)
                 {
                     PhysAddr source = static_cast<PhysAddr>(copy.input + from);
                     PhysAddr target = static_cast<PhysAddr>(copy.output + to);
                     while (bytes != 0)
                     {
                         const u32 part = std::min(bytes, kLine - target % kLine);
                         piece(source, target, part);
                         source += part;
                         target += part;
                         bytes -= part;
                     }
                 });
    return lines;
}

} // namespace pica
