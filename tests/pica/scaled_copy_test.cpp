// SPDX-License-Identifier: MIT
// A rendered picture that is drawn 1:1, as games show what they have drawn to a texture: at N times the resolution it
// is the same picture, sample by sample, with both filters, and at places between pixels (pica/design.md, "Texel
// address").
#include "pica/upscale/plane_memory.h"
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace tests;

namespace
{

constexpr PhysAddr kPicture = DrawScene::kTextures;

struct Copy
{
    u32 n, width, height;
    bool linear;
    f32 shift; // of what is read, in pixels
};

// Every sample of the picture gets a value of its own.
void fill_picture(Probe& p, u32 n, u32 width, u32 height)
{
    Random random(n * width);
    const u32 bytes = width * height * 4;
    // Otherwise only draws and engines change planes.
    PlaneMemory& planes = const_cast<PlaneMemory&>(*p.core.planes());
    planes.tracker().give(kPicture, bytes);
    planes.hold(kPicture, bytes);
    std::vector<u8> plane(bytes);
    for (u32 number = 0; number < planes.planes(); ++number)
    {
        for (u8& byte : plane)
            byte = static_cast<u8>(random.next());
        planes.store(number, kPicture, plane);
        if (number == planes.middle())
            std::copy(plane.begin(), plane.end(), p.arena.memory().span(kPicture, bytes).data());
    }
}

// How many samples are not those of the picture, shifted.
u32 wrong_samples(const Copy& copy)
{
    const u32 n = copy.n;
    Probe p(copy.width, copy.height, {.threads = 1, .scale = n});
    fill_picture(p, n, copy.width, copy.height);
    Draw& state = p.scene.state;
    TextureUnitKey& key = state.fragment.texture[0];
    key.type = TextureType::Texture2D;
    key.linear = copy.linear;
    key.wrap_s = key.wrap_t = TextureWrap::Repeat;
    state.texture[0] = {kPicture, static_cast<u16>(copy.width), static_cast<u16>(copy.height),
                        TextureFormat::RGBA8};
    TexEnvStageKey& stage = state.fragment.texenv[0];
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
    state.target.flip = 0;
    // No size of the rectangle is a power of two, so that the area is none.
    const u32 columns = copy.width * 3 / 4 + 16, rows = copy.height - 8;
    const f32 right = static_cast<f32>(columns), top = static_cast<f32>(rows);
    const f32 xs[4] = {0, right, right, 0}, ys[4] = {0, 0, top, top};
    for (const u32 i : {0, 1, 2, 0, 2, 3})
    {
        SceneVertex v;
        v.position = p.scene.at(xs[i], ys[i]);
        v.texcoord01 = {(xs[i] + copy.shift) / static_cast<f32>(copy.width),
                        (ys[i] + copy.shift) / static_cast<f32>(copy.height), 0, 0};
        p.scene.add(v);
    }
    p.draw();
    // Half of a sample is on the border of two, and belongs to the second.
    const u32 shift = static_cast<u32>(copy.shift * static_cast<f32>(n) + 0.5f);
    const u32 bytes = copy.width * copy.height * 4;
    std::vector<std::vector<u8>> from(std::size_t{n} * n, std::vector<u8>(bytes)), to(from);
    for (u32 plane = 0; plane < n * n; ++plane)
    {
        p.core.planes()->load(plane, kPicture, from[plane]);
        p.core.planes()->load(plane, DrawScene::kColor, to[plane]);
    }
    const auto sample = [&](const std::vector<std::vector<u8>>& picture, u32 x, u32 y)
    { return picture[y % n * n + x % n].data() + tiled_offset(x / n, y / n, copy.width, 4); };
    u32 wrong = 0;
    for (u32 y = 0; y < rows * n; ++y)
        for (u32 x = 0; x < columns * n; ++x)
        {
            // The target is not flipped: its rows of memory count as t does, those of the texture the other way.
            const u32 height = copy.height * n;
            const u8* expected =
                sample(from, (x + shift) % (copy.width * n), (2 * height - 1 - y - shift) % height);
            wrong += !std::equal(expected, expected + 4, sample(to, x, y));
        }
    return wrong;
}

} // namespace

TEST_CASE("N x: a rendered picture drawn 1:1 is that picture, with both filters")
{
    for (const u32 width : {64u, 512u, 1024u})
        for (u32 n = width == 1024 ? 7 : 2; n <= 8; ++n)
            for (const bool linear : {false, true})
            {
                CAPTURE(width);
                CAPTURE(n);
                CAPTURE(linear);
                CHECK(wrong_samples({n, width, 32, linear, 0}) == 0);
            }
}

TEST_CASE("N x: a rendered picture drawn 1:1 half a pixel aside loses no rows and columns")
{
    for (u32 n = 2; n <= 8; ++n)
    {
        CAPTURE(n);
        CHECK(wrong_samples({n, 64, 32, false, 0.5f}) == 0);
        CHECK(wrong_samples({n, 512, 32, false, 0.5f}) == 0);
        if (n % 2 == 0) // else four samples are mixed
            CHECK(wrong_samples({n, 512, 32, true, 0.5f}) == 0);
    }
}
