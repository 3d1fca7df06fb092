// SPDX-License-Identifier: MIT
// What `picavk inspect` needs of OpenGL beside Dear ImGui: pictures as textures, and an empty window to draw on. All
// functions are those of OpenGL 1.1, which GLFW finds at run time.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/png_file.h"

#include <memory>

struct GLFWwindow;

namespace samples
{

class GlCanvas
{
public:
    // The window's context must be current, and outlive it.
    static pica::Result<std::unique_ptr<GlCanvas>> create();
    ~GlCanvas();
    GlCanvas(const GlCanvas&) = delete;
    GlCanvas& operator=(const GlCanvas&) = delete;

    void clear(int width, int height);
    // Shows pixels as squares. texture: what an earlier call returned, which gets a new picture, or 0.
    unsigned upload(const Picture& picture, unsigned texture);
    void destroy(unsigned texture);

private:
    struct Functions;
    GlCanvas();
    std::unique_ptr<Functions> gl_;
};

} // namespace samples
