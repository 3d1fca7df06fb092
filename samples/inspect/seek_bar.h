// SPDX-License-Identifier: MIT
// Buttons that go to other operations, a field for a frame or draw, and what is selected.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <string>

namespace samples
{

class Places;
class StreamModel;

class SeekBar
{
public:
    SeekBar(StreamModel& model, Places& places) : model_(model), places_(places) {}

    // In the current ImGui window. The stream is read, and has an operation.
    void draw();

private:
    void draw_buttons();
    void draw_field();

    StreamModel& model_;
    Places& places_;
    std::array<char, 32> text_{};
    std::string problem_;      // of the field
    pica::u64 problem_at_ = 0; // the revision
};

} // namespace samples
