// SPDX-License-Identifier: MIT
#include "tests/cli/screen_dump.h"

#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <array>

namespace tests
{

using namespace pica;

namespace
{

u32 big_endian(const std::vector<u8>& bytes, std::size_t word)
{
    const std::size_t at = word * 4;
    return at + 4 > bytes.size()
               ? 0
               : u32(bytes[at]) << 24 | u32(bytes[at + 1]) << 16 | u32(bytes[at + 2]) << 8 | bytes[at + 3];
}

} // namespace

Picture read_screen(const std::string& path, u32 x0, u32 y0, u32 width, u32 height)
{
    const std::vector<u8> bytes = read_file(path);
    const std::size_t header = big_endian(bytes, 0), colors = big_endian(bytes, 19);
    const std::size_t bits = big_endian(bytes, 11), row_bytes = big_endian(bytes, 12);
    REQUIRE(bits == 32);
    REQUIRE(x0 + width <= big_endian(bytes, 4));
    REQUIRE(y0 + height <= big_endian(bytes, 5));
    const bool big = big_endian(bytes, 7) != 0;
    const std::size_t pixels = header + colors * 12;
    REQUIRE(bytes.size() >= pixels + row_bytes * (y0 + height));
    Picture picture{width, height, {}};
    for (u32 y = 0; y < height; ++y)
    {
        for (u32 x = 0; x < width; ++x)
        {
            const u8* p = &bytes[pixels + row_bytes * (y0 + y) + std::size_t(x0 + x) * 4];
            const std::array<u8, 4> rgba =
                big ? std::array<u8, 4>{p[1], p[2], p[3], 255} : std::array<u8, 4>{p[2], p[1], p[0], 255};
            picture.rgba.insert(picture.rgba.end(), rgba.begin(), rgba.end());
        }
    }
    return picture;
}

} // namespace tests
