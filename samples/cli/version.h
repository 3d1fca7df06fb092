// SPDX-License-Identifier: MIT
// The version of the program, which is the library's.
#pragma once

#include "renderer/picavk.h"

#include <string>

namespace samples
{

// "0.2.0"
inline std::string version_text()
{
    return std::to_string(PICAVK_VERSION_MAJOR) + "." + std::to_string(PICAVK_VERSION_MINOR) + "." +
           std::to_string(PICAVK_VERSION_PATCH);
}

} // namespace samples
