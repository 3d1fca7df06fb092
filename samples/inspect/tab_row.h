// SPDX-License-Identifier: MIT
// Tabs in as many lines as they need. Those of Dear ImGui stay in one line and cut their names.
#pragma once

#include <cstddef>
#include <initializer_list>

namespace samples
{

class Places;

// In the current ImGui window. A click sets `chosen`. place: each tab is known to the places as "PLACE NAME".
void draw_tabs(Places& places, const char* place, std::initializer_list<const char*> names,
               std::size_t& chosen);

} // namespace samples
