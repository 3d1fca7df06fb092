// SPDX-License-Identifier: MIT
// The path of a fragment's colour as boxes: what the stages read, every combiner stage with its operands and result, fog,
// and the output. Values are those of the picked pixel.
#pragma once

#include "samples/cli/json_text.h"

namespace samples
{

// In the current ImGui window. fragment: of pixel_history_json().
void draw_combiner_diagram(const Json& fragment);

} // namespace samples
