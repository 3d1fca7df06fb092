// SPDX-License-Identifier: MIT
// Any range of memory as a picture or as numbers.
#pragma once

#include "samples/inspect/picture_view.h"

#include <array>

namespace samples
{

class MemoryModel;

class MemoryPanel
{
public:
    MemoryPanel(MemoryModel& memory, GlCanvas& canvas, Places& places)
        : memory_(memory), places_(places), view_(canvas, places)
    {
    }

    // Fills the current ImGui window.
    void draw();

private:
    void draw_places();
    void draw_form();
    void draw_numbers();

    MemoryModel& memory_;
    Places& places_;
    PictureView view_;
    std::array<char, 16> address_{};
    pica::u32 address_of_ = 0; // what address_ was written for
};

} // namespace samples
