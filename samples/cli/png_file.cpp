// SPDX-License-Identifier: MIT
#include "samples/cli/png_file.h"

#include "pica/texture/pixel.h"

#include <png.h>

#include <cstring>

namespace samples
{

namespace
{

png_image png_header()
{
    png_image image;
    std::memset(&image, 0, sizeof(image));
    image.version = PNG_IMAGE_VERSION;
    return image;
}

} // namespace

Picture to_picture(pica::u32 width, pica::u32 height, const std::vector<pica::u32>& words)
{
    Picture picture{width, height, std::vector<pica::u8>(words.size() * 4)};
    for (std::size_t i = 0; i < words.size(); ++i)
        pica::store_le<4>(&picture.rgba[i * 4], words[i]);
    return picture;
}

pica::Status write_png(const std::string& path, const Picture& picture)
{
    png_image image = png_header();
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGBA;
    if (png_image_write_to_file(&image, path.c_str(), 0, picture.rgba.data(), 0, nullptr) == 0)
        return pica::Error{path + ": cannot write PNG: " + image.message};
    return {};
}

pica::Result<Picture> read_png(const std::string& path)
{
    png_image image = png_header();
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0)
        return pica::Error{path + ": cannot read PNG: " + image.message};
    image.format = PNG_FORMAT_RGBA;
    Picture picture;
    picture.width = image.width;
    picture.height = image.height;
    picture.rgba.resize(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0)
        return pica::Error{path + ": cannot read PNG: " + image.message};
    return picture;
}

} // namespace samples
