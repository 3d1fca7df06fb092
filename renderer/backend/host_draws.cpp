// SPDX-License-Identifier: MIT
#include "renderer/backend/host_draws.h"

#include "pica/vertex/vertex_stage.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/host_access.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/residency.h"
#include "renderer/residency/texture_decoder.h"
#include "renderer/vertex/vertex_sets.h"
#include "renderer/vertex/vertex_status.h"

namespace renderer
{

void HostDraws::draw(const pica::Draw& draw)
{
    ++draws;
    if (!core_ && parts_.scaled_core == nullptr)
        core_ = std::make_unique<pica::SoftwareCore>(parts_.guest, parts_.report);
    make_pixels_current(draw);
    rasterise(draw, parts_.scaled_core != nullptr ? *parts_.scaled_core : *core_);
}

void HostDraws::make_pixels_current(const pica::Draw& draw)
{
    const auto read = [&](PhysAddr address, u64 size)
    {
        if (parts_.planes != nullptr)
            parts_.host_access.make_planes_current(address, size);
        else
            parts_.host_access.make_current(address, size);
    };
    // The software core announces what it writes as if the device had nothing newer beside it.
    for_each_buffer(draw,
                    [&](PhysAddr address, u32 size)
                    {
                        const Pages pages = whole_pages(address, size);
                        read(pages.address, pages.size);
                    });
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding) {
                         for_each_address(draw, unit, binding,
                                          [&](PhysAddr address) { read(address, binding.byte_size()); });
                     });
    parts_.collected.flush(); // earlier draws must not land on the target later
}

void HostDraws::rasterise(const pica::Draw& draw, pica::SoftwareCore& core)
{
    core.rasterise(draw, parts_.vertex_stage);
    for_each_buffer(draw,
                    [&](PhysAddr address, u32 size)
                    {
                        parts_.residency.surfaces_are_stale(address, size);
                        if (parts_.planes != nullptr)
                            parts_.planes->host_wrote(address, size);
                    });
}

} // namespace renderer
