// SPDX-License-Identifier: MIT
// The breakpoints, and the search for the next one.
#pragma once

#include <array>
#include <string>

namespace samples
{

class BreakpointsModel;
class Places;

class BreakpointsPanel
{
public:
    BreakpointsPanel(BreakpointsModel& breakpoints, Places& places)
        : breakpoints_(breakpoints), places_(places)
    {
    }

    // Fills the current ImGui window.
    void draw();

private:
    void draw_new();
    void draw_list();

    BreakpointsModel& breakpoints_;
    Places& places_;
    int kind_ = 0;
    std::array<char, 96> text_{};
    std::string problem_;
};

} // namespace samples
