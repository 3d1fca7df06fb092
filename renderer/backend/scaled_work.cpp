// SPDX-License-Identifier: MIT
#include "renderer/backend/scaled_work.h"

#include "pica/soft/software_core.h"
#include "pica/state/target_memory.h"
#include "pica/upscale/plane_rules.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/residency.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>

namespace renderer
{

void ScaledWork::begin(const pica::Draw& draw, PreparedDraw& prepared)
{
    DevicePlanes& planes = parts_.planes;
    if (planes.has_spreads())
    {
        parts_.collected.flush();
        spread();
    }
    const u32 scale = planes.scale();
    prepared.scaled_units = pica::scaled_units(planes.tracker(), parts_.guest, draw, scale);
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    const bool evicts = planes.may_evict(u64{draw.target.color_bytes()} + draw.target.depth_bytes());
    prepared.for_host = evicts || std::max(draw.target.width, draw.target.height) * scale > limit;
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding)
                     {
                         const bool scaled = unit == kGasDepthView || prepared.scaled_units[unit];
                         const CubeFaces* faces = is_cube(draw, unit) ? &draw.cube_faces : nullptr;
                         prepared.for_host |= scaled && !parts_.textures.can_scale(binding, faces, scale);
                     });
    if (evicts)
    {
        parts_.collected.flush();
        parts_.residency.prepare_for_eviction();
    }
    make_room(draw);
}

// Lines are counted only where the buffer may be too small.
void ScaledWork::make_room(const pica::Draw& draw)
{
    const u64 bytes = u64{draw.target.color_bytes()} + draw.target.depth_bytes();
    if (parts_.planes.has_room(DevicePlanes::most_pages(bytes)))
        return;
    u32 pages = 0;
    const pica::DrawnLines lines = pica::drawn_lines(draw);
    for (const auto& ranges : {lines.color, lines.depth})
        for (const pica::ByteRange& range : ranges)
            pages += parts_.planes.pages_without(range);
    make_room(pages);
}

// Makes room for the planes of so many more pages. They must have it before anything is drawn, because surfaces are stored
// with their planes.
void ScaledWork::make_room(u32 more_pages)
{
    using Growth = DevicePlanes::Growth;
    DevicePlanes& planes = parts_.planes;
    if (planes.make_room(more_pages, Growth::Generous))
        return;
    // The device is short of memory. Surfaces give theirs back, because they are made of planes again.
    parts_.collected.flush();
    bool has_room;
    while (!(has_room = planes.make_room(more_pages, Growth::Least)) && parts_.residency.give_surfaces_back())
        ;
    if (has_room)
    {
        (void)parts_.stream.finish(); // frees the old buffer
        return;
    }
    // The old buffer and the new one need not fit at once.
    parts_.host_access.make_planes_current(0, u64{1} << 32);
    planes.leave_device();
    (void)parts_.stream.finish();
    if (!planes.make_room(more_pages, Growth::Least) && parts_.device.status())
        parts_.device.fail("no memory is left for planes: a lower internal resolution needs less");
}

void ScaledWork::give(const pica::Draw& draw)
{
    pica::OnceReport silent{nullptr};
    if (pica::target_in_memory(draw, parts_.guest, silent))
        pica::give_target(parts_.planes.tracker(), parts_.guest, draw);
}

void ScaledWork::begin_operation(const pica::ByteRange& input, const pica::ByteRange& output)
{
    DevicePlanes& planes = parts_.planes;
    parts_.residency.spread_planes();
    if (planes.tracker().any(input.begin, input.size))
        make_room(planes.pages_without(output));
}

void ScaledWork::spread()
{
    parts_.residency.spread_planes();
}

void ScaledWork::forget(const pica::Carryover& carryover)
{
    parts_.collected.flush();
    parts_.residency.prepare_for_eviction();
    parts_.core.load_carryover(carryover);
}

void ScaledWork::take_planes(const pica::PlaneMemory& planes)
{
    parts_.collected.flush();
    parts_.residency.prepare_for_eviction(); // planes that are here leave
    (void)parts_.planes.take_spreads();      // of planes that are gone
    parts_.planes.host().take_over(planes);
    for (const pica::MemoryRegion& region : parts_.guest.regions())
        parts_.planes.host_wrote(region.base, region.bytes.size());
    make_room(0);
}

const pica::PlaneMemory* ScaledWork::current_planes(const pica::ByteRange& range)
{
    parts_.host_access.make_planes_current(range.begin, range.size);
    return parts_.device.status() ? &parts_.planes.host() : nullptr;
}

} // namespace renderer
