// SPDX-License-Identifier: MIT
#include "samples/inspect/gl_canvas.h"

#include <GLFW/glfw3.h> // and OpenGL's header with it

namespace samples
{

using namespace pica;

struct GlCanvas::Functions
{
    decltype(&glBindTexture) bind_texture = nullptr;
    decltype(&glClear) clear = nullptr;
    decltype(&glClearColor) clear_color = nullptr;
    decltype(&glDeleteTextures) delete_textures = nullptr;
    decltype(&glGenTextures) gen_textures = nullptr;
    decltype(&glPixelStorei) pixel_store = nullptr;
    decltype(&glTexImage2D) tex_image = nullptr;
    decltype(&glTexParameteri) tex_parameter = nullptr;
    decltype(&glViewport) viewport = nullptr;

    // Returns false if one is missing.
    bool load()
    {
        return get(bind_texture, "glBindTexture") && get(clear, "glClear") &&
               get(clear_color, "glClearColor") && get(delete_textures, "glDeleteTextures") &&
               get(gen_textures, "glGenTextures") && get(pixel_store, "glPixelStorei") &&
               get(tex_image, "glTexImage2D") && get(tex_parameter, "glTexParameteri") &&
               get(viewport, "glViewport");
    }

private:
    template <typename Function>
    static bool get(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(glfwGetProcAddress(name));
        return function != nullptr;
    }
};

GlCanvas::GlCanvas() : gl_(std::make_unique<Functions>()) {}

GlCanvas::~GlCanvas() = default;

Result<std::unique_ptr<GlCanvas>> GlCanvas::create()
{
    std::unique_ptr<GlCanvas> canvas(new GlCanvas);
    if (!canvas->gl_->load())
        return Error{"window: OpenGL lacks functions of its version 1.1"};
    return canvas;
}

void GlCanvas::clear(int width, int height)
{
    gl_->viewport(0, 0, width, height);
    gl_->clear_color(0.0f, 0.0f, 0.0f, 1.0f);
    gl_->clear(GL_COLOR_BUFFER_BIT);
}

unsigned GlCanvas::upload(const Picture& picture, unsigned texture)
{
    if (texture == 0)
        gl_->gen_textures(1, &texture);
    gl_->bind_texture(GL_TEXTURE_2D, texture);
    gl_->pixel_store(GL_UNPACK_ROW_LENGTH, 0);
    gl_->pixel_store(GL_UNPACK_ALIGNMENT, 4);
    for (const GLenum filter : {GLenum{GL_TEXTURE_MIN_FILTER}, GLenum{GL_TEXTURE_MAG_FILTER}})
        gl_->tex_parameter(GL_TEXTURE_2D, filter, GL_NEAREST);
    for (const GLenum wrap : {GLenum{GL_TEXTURE_WRAP_S}, GLenum{GL_TEXTURE_WRAP_T}})
        gl_->tex_parameter(GL_TEXTURE_2D, wrap, GL_CLAMP);
    gl_->tex_image(GL_TEXTURE_2D, 0, GL_RGBA8, GLsizei(picture.width), GLsizei(picture.height), 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, picture.rgba.data());
    return texture;
}

void GlCanvas::destroy(unsigned texture)
{
    if (texture != 0)
        gl_->delete_textures(1, &texture);
}

} // namespace samples
