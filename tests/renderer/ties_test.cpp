// SPDX-License-Identifier: MIT
// Flat pictures (design.md, row "Ties"): pixel-aligned quads that show a texture at p/q texels per pixel,
// drawn by both cores. The texel of every pixel is the floor of its coordinate, worked out in integers.
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "renderer/backend/renderer.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace tests;

namespace
{

constexpr u32 kTarget = 1024; // pixels of a side
constexpr u32 kBorder = 0x80FFFFFFu;
constexpr PhysAddr kColor = kFcramBase; // RGBA8
constexpr PhysAddr kTexture = DrawScene::kTextures;

// Where a texture runs along one side of the quad. Coordinate at pixel i of the side, in texels:
// quarter/4 + (2i+1)*p / (2q), with p < 0 where it runs backwards.
struct Axis
{
    u32 texels;
    TextureWrap wrap;
    s32 p, q;
    u32 pixels; // a multiple of q
    s32 quarter;
    u32 first; // pixel of the target

    f32 coordinate(bool end) const
    {
        const s32 numerator = quarter + (end ? 4 * p * static_cast<s32>(pixels) / q : 0);
        return static_cast<f32>(numerator) / static_cast<f32>(4 * texels); // exact
    }
    s32 texel(u32 i) const
    {
        const s32 numerator = quarter * q + 2 * (2 * static_cast<s32>(i) + 1) * p;
        const s32 denominator = 4 * q;
        return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
    }
    // Texels 1:1 and whole: a bilinear filter shows them as they are.
    bool is_copy() const { return std::abs(p) == q && quarter % 4 == 0; }
};

Axis random_axis(Random& random)
{
    Axis a;
    a.texels = 8u << random.below(8);
    a.wrap = static_cast<TextureWrap>(random.below(6));
    a.p = random.between(1, 16);
    a.q = random.chance(1, 3) ? a.p : random.between(1, 16);
    const s32 common = std::gcd(a.p, a.q);
    a.p /= common;
    a.q /= common;
    const u32 most = std::min(kTarget, 8u << random.below(8));
    a.pixels = std::max(static_cast<u32>(a.q), most / static_cast<u32>(a.q) * static_cast<u32>(a.q));
    if (a.pixels < 8)
        a.pixels = (8 + static_cast<u32>(a.q) - 1) / static_cast<u32>(a.q) * static_cast<u32>(a.q);
    if (random.chance(1, 2))
        a.p = -a.p;
    a.quarter = random.chance(1, 2) ? 4 * random.between(-32, 64) : random.between(-128, 256);
    a.first = random.below(kTarget - a.pixels + 1);
    return a;
}

// The texel that a wrap mode shows; false: the border.
bool wrapped(TextureWrap mode, s32 s, s32 size, s32& texel)
{
    const s32 repeated = ((s % size) + size) % size;
    const bool above = s >= size;
    texel = repeated;
    switch (mode)
    {
    case TextureWrap::ClampToEdge:
        texel = s < 0 ? 0 : above ? size - 1 : s;
        return true;
    case TextureWrap::ClampToBorder:
        return s >= 0 && !above;
    case TextureWrap::MirroredRepeat:
        texel = ((s % (2 * size)) + 2 * size) % (2 * size);
        texel = texel < size ? texel : 2 * size - 1 - texel;
        return true;
    case TextureWrap::ClampToEdge2:
        texel = above ? size - 1 : repeated;
        return true;
    case TextureWrap::ClampToBorder2:
        return !above;
    default:
        return true;
    }
}

u32 texel_color(s32 s, s32 t)
{
    return make_rgba(static_cast<u32>(s) & 255, static_cast<u32>(t) & 255,
                     static_cast<u32>(s >> 8 | t >> 8 << 4), 255);
}

void write_texture(GuestMemory& memory, u32 width, u32 height)
{
    const auto bytes = memory.span(kTexture, width * height * 4);
    for (u32 t = 0; t < height; t++)
        for (u32 s = 0; s < width; s++)
            pack_pixel(PixelFormat::RGBA8, bytes.data() + tiled_offset(s, height - 1 - t, width, 4),
                       texel_color(static_cast<s32>(s), static_cast<s32>(t)));
    memory.did_write(kTexture, width * height * 4);
}

// u runs along x, or with `turned` along y.
void make_quad(DrawScene& scene, const Axis& s, const Axis& t, bool turned, bool linear, bool perspective)
{
    scene.state.target.color_address = kColor;
    TextureUnitKey& key = scene.state.fragment.texture[0];
    key.type = TextureType::Texture2D;
    key.wrap_s = s.wrap;
    key.wrap_t = t.wrap;
    key.linear = linear;
    scene.state.texture[0] = {kTexture, static_cast<u16>(s.texels), static_cast<u16>(t.texels),
                              TextureFormat::RGBA8};
    scene.state.constants.border_color[0] = kBorder;
    TexEnvStageKey& stage = scene.state.fragment.texenv[0];
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
    const Axis& x = turned ? t : s;
    const Axis& y = turned ? s : t;
    for (const u32 corner : {0, 1, 3, 0, 3, 2})
    {
        const bool right = (corner & 1) != 0, top = (corner & 2) != 0;
        SceneVertex v;
        // Any w that all vertices share.
        v.position =
            scene.at(static_cast<f32>(x.first + (right ? x.pixels : 0)),
                     static_cast<f32>(y.first + (top ? y.pixels : 0)), -0.5f, perspective ? 4.0f : 1.0f);
        v.texcoord01 = {s.coordinate(turned ? top : right), t.coordinate(turned ? right : top), 0, 0};
        scene.add(v);
    }
}

// Pixels of the quad that do not show the texel that they should.
u32 count_wrong(const GuestMemory& memory, const Axis& s, const Axis& t, bool turned)
{
    const auto bytes = memory.span(kColor, kTarget * kTarget * 4);
    u32 wrong = 0;
    for (u32 j = 0; j < t.pixels; j++)
        for (u32 i = 0; i < s.pixels; i++)
        {
            s32 column, row;
            const bool inside_s = wrapped(s.wrap, s.texel(i), static_cast<s32>(s.texels), column);
            const bool inside_t = wrapped(t.wrap, t.texel(j), static_cast<s32>(t.texels), row);
            const u32 expected = inside_s && inside_t ? texel_color(column, row) : kBorder;
            const u32 x = turned ? t.first + j : s.first + i;
            const u32 y = turned ? s.first + i : t.first + j;
            const u64 offset = tiled_offset(x, kTarget - 1 - y, kTarget, 4);
            if (unpack_pixel(ColorFormat::RGBA8, bytes.data() + offset) != expected)
                wrong++;
        }
    return wrong;
}

struct Core
{
    explicit Core() : arena(kTarget * kTarget * 4) {}
    GuestArena arena;
    KeptReport report;
};

} // namespace

TEST_CASE("ties: the texel of a flat picture is the floor of its exact coordinate in both cores")
{
    Core software_memory, vulkan_memory;
    SoftwareCore software(software_memory.arena.memory(), software_memory.report, {});
    renderer::Options options;
    options.validation = true;
    // Half of the quads each.
    std::unique_ptr<renderer::Renderer> vulkan[2];
    for (const bool specialised : {false, true})
    {
        options.ubershader =
            specialised ? renderer::UbershaderChoice::Never : renderer::UbershaderChoice::Always;
        auto made = renderer::Renderer::create(options, vulkan_memory.arena.memory(), vulkan_memory.report);
        REQUIRE(made);
        vulkan[specialised] = std::move(*made);
    }
    const u32 seeds = std::getenv("PICAVK_LONG") ? 1000 : 60;
    u64 pixels = 0;
    for (u32 seed = 0; seed < seeds; seed++)
    {
        CAPTURE(seed);
        Random random(seed);
        Axis s = random_axis(random), t = random_axis(random);
        // Short runs stay with small pictures and textures.
        while (s.texels * t.texels > (seed % 16 ? 1u << 16 : 1u << 20))
            (s.texels > t.texels ? s : t).texels /= 2;
        const bool turned = random.chance(1, 3);
        const bool linear = s.is_copy() && t.is_copy() && random.chance(1, 2);
        DrawScene scene(kTarget, kTarget);
        make_quad(scene, s, t, turned, linear, random.chance(1, 2));
        pixels += u64{s.pixels} * t.pixels;
        CAPTURE(s.texels);
        CAPTURE(s.p);
        CAPTURE(s.q);
        CAPTURE(s.pixels);
        CAPTURE(t.texels);
        CAPTURE(t.p);
        CAPTURE(t.q);
        CAPTURE(t.pixels);
        CAPTURE(linear);

        write_texture(software_memory.arena.memory(), s.texels, t.texels);
        software.did_write(kTexture, s.texels * t.texels * 4);
        software.draw(scene.draw());
        software.will_read(kColor, kTarget * kTarget * 4);
        CHECK(count_wrong(software_memory.arena.memory(), s, t, turned) == 0);

        renderer::Renderer& device = *vulkan[seed % 2];
        write_texture(vulkan_memory.arena.memory(), s.texels, t.texels);
        device.did_write(kTexture, s.texels * t.texels * 4);
        device.draw(scene.draw());
        device.will_read(kColor, kTarget * kTarget * 4);
        CHECK(count_wrong(vulkan_memory.arena.memory(), s, t, turned) == 0);
        CHECK(device.validation_messages().empty());
        CHECK(device.status());
        // The other renderer has the same memory.
        vulkan[1 - seed % 2]->did_write(kColor, kTarget * kTarget * 4);
    }
    MESSAGE(seeds, " quads, ", pixels, " pixels in each core");
}
