// SPDX-License-Identifier: MIT
#include "pica/soft/scaled_draws.h"

#include "pica/base/work_sharer.h"
#include "pica/texture/format.h"
#include "pica/upscale/plane_rules.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

// Columns x1 to x2 - 1 of pixels; none if x2 is not above x1.
struct Columns
{
    s32 x1, x2;
};

// Where a triangle may cover pixels of the rows y1 to y2 - 1 of memory: between its edges there, with a pixel more on both
// sides. So a long slope does not touch all tiles of its bounding box.
Columns touched_columns(const PixelPlan& plan, const s32* position, const PixelRect& bounds, s32 y1, s32 y2)
{
    // In sixteenths of pixels, y upwards from the target's first row where that is flipped.
    const s64 low = s64{16} * (plan.flip ? plan.height - y2 : y1);
    const s64 high = s64{16} * (plan.flip ? plan.height - y1 : y2);
    s64 least = s64{1} << 40;
    s64 most = -least;
    const auto reach = [&](s64 x)
    {
        least = std::min(least, x);
        most = std::max(most, x);
    };
    for (u32 i = 0; i < 3; ++i)
    {
        const s64 x = position[2 * i], y = position[2 * i + 1];
        const s64 to_x = position[2 * ((i + 1) % 3)], to_y = position[2 * ((i + 1) % 3) + 1];
        if (y >= low && y <= high)
            reach(x);
        for (const s64 border : {low, high})
            if ((y < border) != (to_y < border))
                reach(x + (to_x - x) * (border - y) / (to_y - y));
    }
    if (least > most)
        return {0, 0};
    return {std::max(bounds.x1, static_cast<s32>(least >> 4) - 1),
            std::min(bounds.x2, static_cast<s32>(most >> 4) + 2)};
}

} // namespace

void ScaledDraws::begin(const Draw& draw)
{
    textures_.begin_draw();
    units_ = scaled_units(planes_.tracker(), planes_.memory(), draw, planes_.scale());
    target_.begin(draw.target, draw.fragment.output != OutputClass::None, draw.target.has_depth != 0);
}

bool ScaledDraws::bind_texture(const Draw& draw, u32 unit, TexturePlan& texture)
{
    if (!units_[unit])
        return false;
    TextureBinding binding = draw.texture[unit];
    texture.texels = textures_.get(binding);
    for (u32 face = 0; draw.fragment.texture[unit].is_cube() && face < 6; ++face)
    {
        binding.address = draw.cube_faces[face];
        texture.face_texels[face] = textures_.get(binding);
    }
    const s32 n = static_cast<s32>(planes_.scale());
    texture.width = binding.width * n;
    texture.height = binding.height * n;
    s32 begin = 0;
    for (u32 level = 0; level < binding.levels; ++level)
    {
        texture.level_texels[level] = begin;
        begin += (binding.width >> level) * (binding.height >> level) * n * n;
    }
    return true;
}

const u32* ScaledDraws::gas_depth(const Draw& draw)
{
    return textures_.get_gas_depth(draw.gas_depth, draw.target);
}

void ScaledDraws::give_target(const Draw& draw)
{
    pica::give_target(planes_.tracker(), planes_.memory(), draw);
}

// Which triangles and tiles each band has.
void ScaledDraws::sort_triangles(const PixelPlan& plan, const TriangleList& list, u32 count)
{
    const u32 side = 8 * planes_.scale(); // of a guest tile, in N x pixels
    work_.resize(std::max<std::size_t>(work_.size(), target_.bands()));
    for (u32 band = 0; band < target_.bands(); ++band)
    {
        work_[band].triangles.clear();
        work_[band].tiles.assign(plan.tiles_per_row / planes_.scale(), 0);
    }
    for (u32 i = 0; i < count; ++i)
    {
        const PixelRect r = triangle_bounds(plan, list.positions + std::size_t{6} * i);
        if (r.x1 >= r.x2 || r.y1 >= r.y2)
            continue;
        for (u32 band = static_cast<u32>(r.y1) / side; band <= static_cast<u32>(r.y2 - 1) / side; ++band)
        {
            const s32 top = static_cast<s32>(band * side);
            const Columns columns = touched_columns(plan, list.positions + std::size_t{6} * i, r, top,
                                                    top + static_cast<s32>(side));
            if (columns.x1 >= columns.x2)
                continue;
            work_[band].triangles.push_back(i);
            std::fill(work_[band].tiles.begin() + columns.x1 / static_cast<s32>(side),
                      work_[band].tiles.begin() + (columns.x2 - 1) / static_cast<s32>(side) + 1, u8{1});
        }
    }
}

void ScaledDraws::draw_band(const PixelPlan& plan, RasterFunction raster, const TriangleList& list, u32 band)
{
    const BandWork& work = work_[band];
    thread_local ScaledTarget::Band pixels; // keeps its memory
    target_.load(band, work.tiles, pixels);
    PixelPlan part = plan;
    part.color = pixels.color.empty() ? nullptr : pixels.color.data();
    part.depth = pixels.depth.empty() ? nullptr : pixels.depth.data();
    part.first_tile = target_.first_tile(band);
    const s32 rows = static_cast<s32>(8 * planes_.scale());
    const s32 begin = static_cast<s32>(band) * rows;
    raster(part, list, work.triangles.data(), static_cast<u32>(work.triangles.size()), begin,
           std::min(begin + rows, plan.height));
    target_.store(band, work.tiles, pixels);
}

void ScaledDraws::draw(const PixelPlan& plan, RasterFunction raster, const TriangleList& list, u32 count,
                       WorkSharer* sharer)
{
    sort_triangles(plan, list, count);
    for (u32 band = 0; band < target_.bands(); ++band)
        if (!work_[band].triangles.empty())
            target_.hold(band, work_[band].tiles);
    share_parts(sharer, target_.bands(), true,
                [&](u32 band, u32)
                {
                    if (!work_[band].triangles.empty())
                        draw_band(plan, raster, list, band);
                });
}

void ScaledDraws::forget()
{
    planes_.tracker().take(0, u64{1} << 32);
    textures_.forget();
}

void ScaledDraws::did_write(PhysAddr address, u64 size)
{
    if (size < GuestMemory::kLargeAnnouncement)
        planes_.wrote(address, size);
    else
        planes_.may_have_written(address, size);
}

} // namespace pica::soft
