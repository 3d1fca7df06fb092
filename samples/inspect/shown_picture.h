// SPDX-License-Identifier: MIT
// Screens and buffers of render targets as `picavk inspect` shows them. Tests: tests/cli/inspect_models_test.cpp.
#pragma once

#include "pica/inspect/pixel_source.h"
#include "pica/transfer/scanout.h"
#include "samples/cli/png_file.h"

#include <optional>
#include <string>
#include <vector>

namespace samples
{

// A picture, and where its pixels are in memory.
struct ShownPicture
{
    enum class Kind : pica::u8
    {
        Screen,
        Color,
        Depth,
        Stencil,
    };
    Kind kind{};
    std::string name;
    // Targets are turned as the console's screens are: memory rows are columns from left to right.
    Picture picture;
    pica::ScreenConfig config; // Screen
    pica::RenderTarget target; // the other kinds
    pica::Screen screen{};     // Screen
    pica::u32 scale = 1;       // the picture has N x N pixels for each of the guest's

    // The N x pixel of the target, y up as draws count it.
    std::optional<pica::SurfacePixel> target_pixel(pica::u32 x, pica::u32 y) const;
    // The memory of a pixel of the picture. Nothing: the screen shows no memory there.
    std::optional<pica::PixelPlace> place(pica::u32 x, pica::u32 y) const;
};

// planes: those of the memory, for pictures at N times the resolution; null: at 1x.
// What the screens show of memory; the right eye only in the stereoscopic modes.
std::vector<ShownPicture> screen_views(const pica::ExternalRegisters& registers,
                                       const pica::GuestMemory& memory,
                                       const pica::PlaneMemory* planes = nullptr);
// Colour, depth and stencil, as far as the target has them and they are in memory.
std::vector<ShownPicture> target_views(const pica::RenderTarget& target, const pica::GuestMemory& memory,
                                       const pica::PlaneMemory* planes = nullptr);

} // namespace samples
