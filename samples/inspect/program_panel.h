// SPDX-License-Identifier: MIT
// The program of the last draw as a listing with a stepper: registers, loop counters and flags at every instruction.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <cstddef>

namespace samples
{

class Places;
class ProgramModel;

class ProgramPanel
{
public:
    ProgramPanel(ProgramModel& program, Places& places) : program_(program), places_(places) {}

    // Fills the current ImGui window.
    void draw();

private:
    void draw_choice();
    void draw_steps();
    void draw_listing(float height);
    void draw_last();
    void draw_registers();
    void draw_bank(char kind, const std::array<std::array<pica::f32, 4>, 16>& bank);

    ProgramModel& program_;
    Places& places_;
    std::size_t scrolled_to_ = ~std::size_t{0}; // position
};

} // namespace samples
