// SPDX-License-Identifier: MIT
#include "samples/cli/gl_presenter.h"

#include <GLFW/glfw3.h> // and OpenGL's header with it

#include <algorithm>

namespace samples
{

using namespace pica;

// GLFW finds them at run time, so that picavk does not need an OpenGL library to start.
struct GlPresenter::Functions
{
    decltype(&glClear) clear = nullptr;
    decltype(&glDisable) disable = nullptr;
    decltype(&glDrawPixels) draw_pixels = nullptr;
    decltype(&glGetError) get_error = nullptr;
    decltype(&glGetString) get_string = nullptr;
    decltype(&glPixelStorei) pixel_store = nullptr;
    decltype(&glPixelZoom) pixel_zoom = nullptr;
    decltype(&glViewport) viewport = nullptr;
    void (*window_pos)(GLint, GLint) = nullptr;

    // Returns false if one is missing.
    bool load()
    {
        return get(clear, "glClear") && get(disable, "glDisable") && get(draw_pixels, "glDrawPixels") &&
               get(get_error, "glGetError") && get(get_string, "glGetString") &&
               get(pixel_store, "glPixelStorei") && get(pixel_zoom, "glPixelZoom") &&
               get(viewport, "glViewport") && get(window_pos, "glWindowPos2i");
    }

private:
    template <typename Function>
    static bool get(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(glfwGetProcAddress(name));
        return function != nullptr;
    }
};

GlPresenter::GlPresenter(GLFWwindow* window) : window_(window), gl_(std::make_unique<Functions>()) {}

GlPresenter::~GlPresenter()
{
    glfwMakeContextCurrent(nullptr);
}

Result<std::unique_ptr<GlPresenter>> GlPresenter::create(GLFWwindow* window)
{
    std::unique_ptr<GlPresenter> presenter(new GlPresenter(window));
    glfwMakeContextCurrent(window);
    if (glfwGetCurrentContext() != window)
        return Error{"window: OpenGL does not start"};
    if (!presenter->gl_->load())
        return Error{"window: OpenGL lacks functions of its version 1.4"};
    glfwSwapInterval(1);
    const Functions& gl = *presenter->gl_;
    const GLubyte* const name = gl.get_string(GL_RENDERER);
    presenter->device_name_ = name != nullptr ? reinterpret_cast<const char*>(name) : "OpenGL";
    gl.disable(GL_DITHER);
    gl.pixel_zoom(1.0f, -1.0f); // the first row of a picture is the top one
    gl.pixel_store(GL_UNPACK_ALIGNMENT, 4);
    return presenter;
}

PictureSize GlPresenter::size() const
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {u32(width), u32(height)};
}

Status GlPresenter::present(const Picture& picture)
{
    const PictureSize window = size();
    if (window.width == 0 || window.height == 0)
        return {};
    const Functions& gl = *gl_;
    const u32 width = std::min(window.width, picture.width), height = std::min(window.height, picture.height);
    gl.viewport(0, 0, GLsizei(window.width), GLsizei(window.height));
    gl.clear(GL_COLOR_BUFFER_BIT);
    gl.pixel_store(GL_UNPACK_ROW_LENGTH, GLint(picture.width));
    gl.pixel_store(GL_UNPACK_SKIP_PIXELS, GLint(picture.width - width) / 2);
    gl.pixel_store(GL_UNPACK_SKIP_ROWS, GLint(picture.height - height) / 2);
    gl.window_pos(GLint(window.width - width) / 2, GLint(window.height) - GLint(window.height - height) / 2);
    gl.draw_pixels(GLsizei(width), GLsizei(height), GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    glfwSwapBuffers(window_);
    if (const GLenum error = gl.get_error(); error != GL_NO_ERROR)
        return Error{"window: OpenGL failed (error " + std::to_string(error) + ")"};
    return {};
}

} // namespace samples
