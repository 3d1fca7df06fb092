// SPDX-License-Identifier: MIT
// A strip with all operations of the stream from left to right, in colours by kind, and with the borders of frames. A
// click selects the operation there.
#pragma once

#include <cstddef>

namespace samples
{

class StreamModel;

class TimelinePanel
{
public:
    explicit TimelinePanel(StreamModel& model) : model_(model) {}

    // Fills the current ImGui window.
    void draw();

private:
    unsigned color_of(std::size_t number) const;

    StreamModel& model_;
};

} // namespace samples
