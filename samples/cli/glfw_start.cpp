// SPDX-License-Identifier: MIT
#include "samples/cli/glfw_start.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdlib>

namespace samples
{

bool start_glfw()
{
#ifdef GLFW_PLATFORM // GLFW 3.4
    // It would try Wayland as well, whose library writes a line of its own to stderr where there is no session.
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    if (std::getenv("XDG_RUNTIME_DIR") == nullptr && (wayland == nullptr || wayland[0] != '/') &&
        glfwPlatformSupported(GLFW_PLATFORM_X11))
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    return glfwInit() == GLFW_TRUE;
}

} // namespace samples
