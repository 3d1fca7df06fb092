// SPDX-License-Identifier: MIT
// The list of all operations of the stream, by frames, with a search field. A click selects.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace samples
{

class Places;
class StreamModel;

class OperationPanel
{
public:
    OperationPanel(StreamModel& model, Places& places) : model_(model), places_(places) {}

    // In the current ImGui window, which it fills.
    void draw();
    // Of the operations that are listed, the next or the last one before the selected one.
    void step(int direction);

private:
    void find_rows();
    void draw_row(std::size_t row);

    StreamModel& model_;
    Places& places_;
    std::array<char, 128> search_{};
    std::string found_for_;
    std::size_t found_of_ = 0; // operations
    std::vector<std::size_t> rows_;
    pica::u64 scrolled_for_ = 0; // revision
};

} // namespace samples
