// SPDX-License-Identifier: MIT
// Pictures that several generated streams use as textures.
#pragma once

#include "tests/support/pictures/texture_encoder.h"

namespace tests
{

// A landscape under an evening sky; alpha fades towards the corners. size: a power of two, 8 to 256.
TextureImage landscape(u32 size);
// Squares of two colours (RGBA8, R in bits 0-7).
TextureImage checkerboard(u32 width, u32 height, u32 square, u32 first, u32 second);

} // namespace tests
