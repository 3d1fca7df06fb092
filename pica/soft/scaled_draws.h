// SPDX-License-Identifier: MIT
// Draws at N times the resolution: what the software core adds to the kernels for it. The kernels are those of 1x; they
// draw N x pixels into bands, and sample pictures of N x texels. Source: design.md, "N times the resolution". Tests:
// tests/pica/scaled_draw_test.cpp.
#pragma once

#include "pica/soft/raster.h"
#include "pica/soft/scaled_target.h"
#include "pica/soft/scaled_textures.h"

#include <array>
#include <vector>

namespace pica
{
class WorkSharer;
}

namespace pica::soft
{

class ScaledDraws
{
public:
    // memory must outlive this object. scale: N, above 1.
    ScaledDraws(GuestMemory& memory, u32 scale) : planes_(memory, scale), textures_(planes_), target_(planes_)
    {
    }

    PlaneMemory& planes() { return planes_; }
    const PlaneMemory& planes() const { return planes_; }
    const ScaledTextures& textures() const { return textures_; }
    const ScaledTarget& target() const { return target_; }

    // For a draw whose target is in memory: begin, then bind_texture and gas_depth, then give_target, then its triangles.
    void begin(const Draw& draw);
    // Fills in the texels and sizes of a unit if it is sampled at N x, else returns false.
    bool bind_texture(const Draw& draw, u32 unit, TexturePlan& texture);
    const u32* gas_depth(const Draw& draw);
    // What the draw does to the tracker, whatever it draws.
    void give_target(const Draw& draw);
    // sharer may be null.
    void draw(const PixelPlan& plan, RasterFunction raster, const TriangleList& list, u32 count,
              WorkSharer* sharer);

    // No byte has planes any longer.
    void forget();
    // The CPU has written. Large announcements are larger than what was written (GuestMemory::cpu_wrote).
    void did_write(PhysAddr address, u64 size);

private:
    struct BandWork
    {
        std::vector<u32> triangles;
        ScaledTarget::Tiles tiles; // that the triangles touch
    };
    void sort_triangles(const PixelPlan& plan, const TriangleList& list, u32 count);
    void draw_band(const PixelPlan& plan, RasterFunction raster, const TriangleList& list, u32 band);

    PlaneMemory planes_;
    ScaledTextures textures_;
    ScaledTarget target_;
    std::array<bool, 3> units_{}; // that are sampled at N x
    std::vector<BandWork> work_;
};

} // namespace pica::soft
