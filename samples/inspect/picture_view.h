// SPDX-License-Identifier: MIT
// A picture in the room that is left in an ImGui window, as large as fits, with a choice of what its alpha does.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/cli/png_file.h"

#include <array>
#include <optional>
#include <string>

namespace samples
{

class GlCanvas;
class Places;

class PictureView
{
public:
    PictureView(GlCanvas& canvas, Places& places) : canvas_(canvas), places_(places) {}
    ~PictureView();
    PictureView(const PictureView&) = delete;
    PictureView& operator=(const PictureView&) = delete;

    // The choice of what alpha does.
    void draw_choice();
    // key: another one if the picture has changed. place: its name for the places. Returns the pixel under the mouse.
    std::optional<std::array<pica::u32, 2>> draw(const Picture& picture, const Json& key,
                                                 const std::string& place);

private:
    GlCanvas& canvas_;
    Places& places_;
    int alpha_ = 0;
    unsigned texture_ = 0;
    Json shown_;
};

} // namespace samples
