// SPDX-License-Identifier: MIT
// Pictures at another size (pica/upscale/presentation.h).
#pragma once

#include "pica/upscale/presentation.h"
#include "samples/cli/png_file.h"

namespace samples
{

Picture resized(const Picture& picture, pica::PictureSize size);

} // namespace samples
