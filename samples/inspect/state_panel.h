// SPDX-License-Identifier: MIT
// The registers of the last draw by name, with what changed since the draw before it in another colour, and a filter.
#pragma once

#include <array>

namespace samples
{

class Places;
class StateModel;

class StatePanel
{
public:
    StatePanel(StateModel& state, Places& places) : state_(state), places_(places) {}

    // Fills the current ImGui window.
    void draw();

private:
    StateModel& state_;
    Places& places_;
    std::array<char, 64> search_{};
    bool only_changed_ = false;
};

} // namespace samples
