// SPDX-License-Identifier: MIT
// A strip with all operations of the stream from left to right, in colours by kind, and with the borders of frames. A
// click selects the operation there.
#pragma once

#include <cstddef>

namespace samples
{

class Places;
class StreamModel;

class TimelinePanel
{
public:
    TimelinePanel(StreamModel& model, Places& places) : model_(model), places_(places) {}

    // Fills the current ImGui window.
    void draw();

private:
    unsigned color_of(std::size_t number) const;

    StreamModel& model_;
    Places& places_;
};

} // namespace samples
