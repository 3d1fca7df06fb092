// SPDX-License-Identifier: MIT
// The history of the picked pixel: its events, and of the chosen one each fragment with tests, texels, combiners and
// blending.
#pragma once

#include "samples/cli/json_text.h"

#include <cstddef>

namespace samples
{

class PixelModel;
class Places;
class StreamModel;

class PixelPanel
{
public:
    PixelPanel(StreamModel& model, PixelModel& pixel, Places& places)
        : model_(model), pixel_(pixel), places_(places)
    {
    }

    // Fills the current ImGui window.
    void draw();

private:
    void draw_events();
    void draw_event(const Json& event);

    StreamModel& model_;
    PixelModel& pixel_;
    Places& places_;
    Json chosen_for_; // the log line of the history in which an event was chosen
    std::size_t chosen_ = 0;
};

} // namespace samples
