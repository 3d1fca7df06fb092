// SPDX-License-Identifier: MIT
// What `picavk play` shows over the picture: where the stream stands, a timeline, and the keys.
#pragma once

#include "pica/base/types.h"
#include "pica/upscale/presentation.h"
#include "samples/cli/png_file.h"

#include <optional>
#include <string>
#include <vector>

namespace samples
{

struct OverlayContent
{
    std::vector<std::string> lines;
    pica::u32 frame = 0; // of the timeline
    pica::u32 frames = 1;
};

// Draws over a picture of the window's size.
void draw_overlay(const OverlayContent& content, Picture& picture);
// The frame at a place of the timeline. Nothing: the place is elsewhere.
std::optional<pica::u32> timeline_frame(pica::PictureSize size, pica::u32 frames, double x, double y);

} // namespace samples
