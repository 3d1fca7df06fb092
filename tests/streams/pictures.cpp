// SPDX-License-Identifier: MIT
#include "tests/streams/pictures.h"

#include "pica/texture/pixel.h"
#include "tests/streams/matrix.h"

#include <algorithm>

namespace tests
{

namespace
{

u32 channel(f32 value)
{
    return u32(std::clamp(value, 0.0f, 255.0f));
}

} // namespace

TextureImage landscape(u32 size)
{
    TextureImage image(size, size);
    for (u32 y = 0; y < size; ++y)
        for (u32 x = 0; x < size; ++x)
        {
            const f32 s = (f32(x) + 0.5f) / f32(size), t = (f32(y) + 0.5f) / f32(size); // t downwards
            f32 r = 60 + 190 * t, g = 90 + 90 * t, b = 200 - 110 * t;
            const f32 sun = (s - 0.68f) * (s - 0.68f) + (t - 0.36f) * (t - 0.36f);
            if (sun < 0.018f)
                r = 255, g = 240, b = 150;
            const f32 far_hills = 0.62f + 0.08f * sine(s * 1.3f + 0.1f) + 0.02f * sine(s * 5);
            const f32 near_hills = 0.78f + 0.10f * sine(s * 0.9f + 0.55f);
            if (t > far_hills)
                r = 80 - 40 * s, g = 110 - 20 * s, b = 140 - 40 * t;
            if (t > near_hills)
                r = 40, g = 150 - 110 * (t - near_hills) / 0.3f, b = 40 + 30 * s;
            const f32 corner = (s - 0.5f) * (s - 0.5f) + (t - 0.5f) * (t - 0.5f); // 0 .. 0.5
            image.at(x, y) = make_rgba(channel(r), channel(g), channel(b), channel(900 * (0.45f - corner)));
        }
    return image;
}

TextureImage checkerboard(u32 width, u32 height, u32 square, u32 first, u32 second)
{
    TextureImage image(width, height);
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
            image.at(x, y) = (x / square + y / square) % 2 == 0 ? first : second;
    return image;
}

} // namespace tests
