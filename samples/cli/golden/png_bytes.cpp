// SPDX-License-Identifier: MIT
#include "samples/cli/golden/png_bytes.h"

#include <png.h>

#include <cstring>

namespace samples
{

pica::Result<std::vector<pica::u8>> encode_png(const Picture& picture)
{
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<pica::u8> bytes(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgba.data(), 0, nullptr) == 0)
        return pica::Error{std::string("cannot encode PNG: ") + image.message};
    bytes.resize(size);
    return bytes;
}

} // namespace samples
