// SPDX-License-Identifier: MIT
// Starts GLFW for every window of this program.
#pragma once

namespace samples
{

// Returns false if no display can be opened.
bool start_glfw();

} // namespace samples
