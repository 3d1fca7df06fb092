// SPDX-License-Identifier: MIT
#include "samples/inspect/shown_picture.h"

#include "pica/base/silent_report.h"
#include "pica/memory/guest_memory.h"
#include "pica/upscale/scaled_scanout.h"
#include "samples/cli/dump_pictures.h"
#include "samples/cli/playback.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// Its rows become columns from left to right, the last one of the picture first: y counts upwards there.
Picture turned(const Picture& picture, bool flip)
{
    Picture result{picture.height, picture.width, std::vector<u8>(picture.rgba.size())};
    for (u32 y = 0; y < picture.height; ++y)
        for (u32 x = 0; x < picture.width; ++x)
        {
            const u32 column = flip ? y : picture.height - 1 - y;
            const u32 row = picture.width - 1 - x;
            std::copy_n(&picture.rgba[(std::size_t{y} * picture.width + x) * 4], 4,
                        &result.rgba[(std::size_t{row} * result.width + column) * 4]);
        }
    return result;
}

} // namespace

std::optional<SurfacePixel> ShownPicture::target_pixel(u32 x, u32 y) const
{
    if (kind == Kind::Screen || x >= picture.width || y >= picture.height)
        return std::nullopt;
    return SurfacePixel{picture.height - 1 - y, target.flip != 0 ? picture.width - 1 - x : x};
}

std::optional<PixelPlace> ShownPicture::place(u32 x, u32 y) const
{
    if (kind == Kind::Screen)
        return screen_place(config, x, y, scale);
    const std::optional<SurfacePixel> pixel = target_pixel(x, y);
    if (!pixel)
        return std::nullopt;
    return target_place(target, pixel->x, pixel->row, kind != Kind::Color, scale);
}

std::vector<ShownPicture> screen_views(const ExternalRegisters& registers, const GuestMemory& memory,
                                       const PlaneMemory* planes)
{
    std::vector<ShownPicture> views;
    // What the screens show is what memory holds; what is odd about it was reported when it was played.
    SilentReport silent;
    for (const Screen screen : {Screen::Top, Screen::TopRight, Screen::Bottom})
    {
        if (screen == Screen::TopRight && !is_stereoscopic(registers))
            continue;
        ShownPicture shown;
        shown.kind = ShownPicture::Kind::Screen;
        shown.name = screen_name(screen);
        shown.screen = screen;
        shown.config = decode_screen(registers, screen);
        shown.scale = scale_of(planes);
        const u32 width = screen_width(screen) * shown.scale, height = kScreenHeight * shown.scale;
        std::vector<u32> words(std::size_t{width} * height);
        if (planes != nullptr)
            scan_out_scaled(*planes, shown.config, words.data(), silent);
        else
            scan_out(memory, shown.config, words.data(), silent);
        shown.picture = to_picture(width, height, words);
        views.push_back(std::move(shown));
    }
    return views;
}

std::vector<ShownPicture> target_views(const RenderTarget& target, const GuestMemory& memory,
                                       const PlaneMemory* planes)
{
    std::vector<ShownPicture> views;
    for (const NamedPicture& named : target_pictures(target, "after", memory, planes).pictures)
    {
        ShownPicture shown;
        if (named.name == "color_after")
            shown.kind = ShownPicture::Kind::Color;
        else if (named.name == "depth_after")
            shown.kind = ShownPicture::Kind::Depth;
        else if (named.name == "stencil_after")
            shown.kind = ShownPicture::Kind::Stencil;
        else
            continue;
        shown.name = named.name.substr(0, named.name.find('_'));
        shown.target = target;
        shown.scale = scale_of(planes);
        shown.picture = turned(named.picture, target.flip != 0);
        views.push_back(std::move(shown));
    }
    return views;
}

} // namespace samples
