// SPDX-License-Identifier: MIT
#include "samples/cli/resize.h"

#include <cstddef>
#include <cstring>

namespace samples
{

using pica::u32;
using pica::u8;

// The order of channels in a word does not matter here, because all are treated alike.
Picture resized(const Picture& picture, pica::PictureSize size)
{
    std::vector<u32> from(std::size_t{picture.width} * picture.height), to(size.pixels());
    std::memcpy(from.data(), picture.rgba.data(), from.size() * sizeof(u32));
    pica::resize_picture({picture.width, picture.height}, from, size, to);
    Picture result{size.width, size.height, std::vector<u8>(to.size() * sizeof(u32))};
    std::memcpy(result.rgba.data(), to.data(), result.rgba.size());
    return result;
}

} // namespace samples
