// SPDX-License-Identifier: MIT
// Reads what a virtual X server shows.
#pragma once

#include "tests/support/pictures/image.h"

#include <string>

namespace tests
{

// A part of an XWD screen dump with 32 bits a pixel (X11/XWDFile.h: all header words are big-endian). The
// test fails if the file is not one or is smaller.
Picture read_screen(const std::string& path, pica::u32 x0, pica::u32 y0, pica::u32 width, pica::u32 height);

} // namespace tests
