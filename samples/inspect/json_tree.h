// SPDX-License-Identifier: MIT
// JSON of the command line in the window of `picavk inspect`: nodes that open, one line a value, colours beside colours.
#pragma once

#include "samples/cli/json_text.h"

#include <string>

namespace samples
{

// In the current ImGui window. name: empty for the members alone. open: nodes are open at first.
void draw_json(const std::string& name, const Json& json, bool open = true);
// A filled square of the colour, with and without its alpha.
void draw_swatch(const Json& color);
// Four numbers from 0 to 255?
bool is_color(const Json& json);

} // namespace samples
