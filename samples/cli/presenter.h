// SPDX-License-Identifier: MIT
// Shows pictures in a GLFW window, pixel by pixel and centred: with Vulkan (window_presenter.h), or with OpenGL where
// there is no Vulkan that can (gl_presenter.h).
#pragma once

#include "pica/base/result.h"
#include "pica/upscale/presentation.h"
#include "samples/cli/png_file.h"

#include <string>

namespace samples
{

class Presenter
{
public:
    virtual ~Presenter() = default;

    // The size of the window in pixels; 0 x 0 while it is minimised.
    virtual pica::PictureSize size() const = 0;
    // Returns when the picture is queued for the screen. Of a picture larger than the window the middle part is shown.
    // Handles resized and minimised windows.
    virtual pica::Status present(const Picture& picture) = 0;
    virtual const std::string& device_name() const = 0;
};

} // namespace samples
