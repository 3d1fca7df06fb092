// SPDX-License-Identifier: MIT
// 8-bit RGBA pictures, and PNG files of them.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <string>
#include <vector>

namespace samples
{

// Rows from top to bottom, four bytes a pixel: R, G, B, A.
struct Picture
{
    pica::u32 width = 0;
    pica::u32 height = 0;
    std::vector<pica::u8> rgba;

    bool operator==(const Picture&) const = default;
};

// Of RGBA8 words with R in bits 0-7.
Picture to_picture(pica::u32 width, pica::u32 height, const std::vector<pica::u32>& words);
pica::Status write_png(const std::string& path, const Picture& picture);
pica::Result<Picture> read_png(const std::string& path);

} // namespace samples
