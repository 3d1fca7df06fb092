// SPDX-License-Identifier: MIT
// A GLFW window, and what presents in it: Vulkan, or OpenGL where no Vulkan can.
#pragma once

#include "samples/cli/presenter.h"

#include <memory>

struct GLFWwindow;

namespace samples
{

class GlfwWindow
{
public:
    GlfwWindow() = default;
    ~GlfwWindow();
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    // Once. width, height: of the content.
    pica::Status open(int width, int height);
    // Valid after open().
    GLFWwindow* handle() const { return window_; }
    Presenter& presenter() const { return *presenter_; }

private:
    bool create(int client_api, int width, int height);

    bool glfw_ = false;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Presenter> presenter_;
};

} // namespace samples
