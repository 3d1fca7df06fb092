// SPDX-License-Identifier: MIT
#include "samples/cli/glfw_window.h"

#include "samples/cli/gl_presenter.h"
#include "samples/cli/glfw_start.h"
#include "samples/cli/window_presenter.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdio>
#include <utility>

namespace samples
{

GlfwWindow::~GlfwWindow()
{
    presenter_.reset();
    if (window_ != nullptr)
        glfwDestroyWindow(window_);
    if (glfw_)
        glfwTerminate();
}

bool GlfwWindow::create(int client_api, int width, int height)
{
    if (window_ != nullptr)
        glfwDestroyWindow(window_);
    glfwWindowHint(GLFW_CLIENT_API, client_api);
    window_ = glfwCreateWindow(width, height, "picavk", nullptr, nullptr);
    return window_ != nullptr;
}

pica::Status GlfwWindow::open(int width, int height)
{
    glfw_ = start_glfw();
    if (!glfw_)
        return pica::Error{"window: no display can be opened (DISPLAY or WAYLAND_DISPLAY)"};
    if (!create(GLFW_NO_API, width, height))
        return pica::Error{"window: cannot open a window on this display"};
    auto vulkan = WindowPresenter::create(window_);
    if (vulkan)
    {
        presenter_ = std::move(*vulkan);
        return {};
    }
    if (!create(GLFW_OPENGL_API, width, height))
        return vulkan.error();
    auto gl = GlPresenter::create(window_);
    if (!gl)
        return pica::Error{vulkan.error().message + "; " + gl.error().message};
    std::fprintf(stderr, "picavk: %s; presenting with OpenGL\n", vulkan.error().message.c_str());
    presenter_ = std::move(*gl);
    return {};
}

} // namespace samples
