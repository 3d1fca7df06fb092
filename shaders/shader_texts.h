// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace shaders
{

// Contents of a file of shaders/ or shaders/include/ by its base name ("numeric.h"); empty if there is none.
std::string_view text(std::string_view name);

} // namespace shaders
