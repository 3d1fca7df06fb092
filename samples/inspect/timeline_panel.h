// SPDX-License-Identifier: MIT
// A strip with all operations of the stream from left to right, in colours by kind, and with the borders of frames and,
// where there is room, of command lists. A click selects the operation there.
#pragma once

#include <cstddef>

struct ImVec2;

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
    void draw_list_borders(const ImVec2& from, const ImVec2& size, float step) const;

    StreamModel& model_;
    Places& places_;
};

} // namespace samples
