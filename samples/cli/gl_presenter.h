// SPDX-License-Identifier: MIT
// Presents with the functions of OpenGL 1.4, which every system with a display has.
#pragma once

#include "samples/cli/presenter.h"

#include <memory>
#include <string>

struct GLFWwindow;

namespace samples
{

class GlPresenter final : public Presenter
{
public:
    // The window must have been created with GLFW_OPENGL_API and must outlive the presenter.
    static pica::Result<std::unique_ptr<GlPresenter>> create(GLFWwindow* window);
    ~GlPresenter() override;
    GlPresenter(const GlPresenter&) = delete;
    GlPresenter& operator=(const GlPresenter&) = delete;

    pica::PictureSize size() const override;
    pica::Status present(const Picture& picture) override;
    const std::string& device_name() const override { return device_name_; }

private:
    struct Functions;
    explicit GlPresenter(GLFWwindow* window);

    GLFWwindow* window_;
    std::string device_name_;
    std::unique_ptr<Functions> gl_;
};

} // namespace samples
