// SPDX-License-Identifier: MIT
// Sprites as the 2D libraries of programs for the console draw them: one batch of quads for each picture,
// with the combiners always set up for a tint. Stage 0 mixes the texture with the vertex colour by the alpha
// of the procedural texture, which is only there to pass on a second vertex value (its alpha map is the
// identity, and its colour table is never uploaded). Circles are the same with another map.
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace tests
{

namespace
{

// A vertex in memory: position, texture coordinate, coordinate of the procedural texture, colour.
struct SpriteVertex
{
    f32 x, y, z;
    f32 u, v;
    f32 map_u, map_v;
    u8 r, g, b, a;
};
static_assert(sizeof(SpriteVertex) == 32);

void sprite_program(StreamScene& scene)
{
    constexpr std::array kInputs = {
        SceneAttribute{AttributeType::F32, 3}, SceneAttribute{AttributeType::F32, 2},
        SceneAttribute{AttributeType::F32, 2}, SceneAttribute{AttributeType::U8, 4}};
    constexpr std::array kOutputs = {0x03020100u, 0x0B0A0908u, 0x0F0E0D0Cu};
    ProgramBuilder b;
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[std::array{"x", "y", "z", "w"}[i]], c(i), v(0));
    b.mul(o(1), c(4), v(3));
    b.mov(o(2)["xy"], v(1)["xyxy"]);
    b.mov(o(2)["zw"], v(2)["xyxy"]);
    b.end();
    scene.program(b, kInputs, kOutputs);
    scene.list.float_uniform(4, {1.0f / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
}

// The alpha map, and the coordinates that choose its entry.
template <typename Curve>
void alpha_map(StreamScene& scene, ProcTexClamp clamp, ProcTexFunction function, Curve curve)
{
    namespace r0 = reg::TEXUNIT3_PROCTEX0;
    CommandListBuilder& list = scene.list;
    std::array<u32, 128> words;
    const auto value = [&](u32 i) { return s32(std::clamp(curve(f32(i) / 128), 0.0f, 1.0f) * 4095.0f); };
    for (u32 i = 0; i < 128; ++i)
        words[i] = u32(value(i)) | (u32(value(i + 1) - value(i)) & 0xFFF) << 12;
    list.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::AlphaMap) << 8);
    list.write_repeated(reg::PROCTEX_LUT_DATA::id, words);
    list.write(r0::id, 0);
    list.set(r0::u_clamp, clamp);
    list.set(r0::v_clamp, clamp);
    list.set(r0::separate_alpha, true);
    list.set(r0::alpha_func, function);
    list.set(reg::TEXUNIT3_PROCTEX4::filter, ProcTexFilter::Linear);
    list.set(reg::TEXUNIT3_PROCTEX4::width, 1);
    list.set(reg::TEXUNIT_CONFIG::enable3, true);
    list.set(reg::TEXUNIT_CONFIG::unit3_coord, 1);
}

// Colour: texture * (1 - tint) + vertex colour * tint. Alpha: that of the texture times the vertex'.
void tint_stage(StreamScene& scene)
{
    using Source = CombinerSource;
    scene.combine(0, CombinerOp::Interpolate, Source::Texture0, Source::PrimaryColor, Source::Texture3);
    scene.list.set(reg::TEXENV_OPERAND::color_3, ColorOperand::OneMinusAlpha, 0);
    scene.list.set(reg::TEXENV_COMBINER::alpha_op, CombinerOp::Modulate, 0);
    alpha_map(scene, ProcTexClamp::ToEdge, ProcTexFunction::V, [](f32 x) { return x; });
}

// A circle of the vertex colour.
void circle_stage(StreamScene& scene)
{
    scene.combine(0, CombinerOp::Modulate, CombinerSource::PrimaryColor, CombinerSource::Texture3);
    scene.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Replace, 0);
    alpha_map(scene, ProcTexClamp::MirroredRepeat, ProcTexFunction::SqrtAdd2,
              [](f32 x) { return (1.0f - x) * 24.0f; });
}

class Batch
{
public:
    // tint: of the upper and of the lower corners.
    void quad(f32 x, f32 y, f32 size_x, f32 size_y, u32 argb, f32 upper_tint = 0, f32 lower_tint = 0)
    {
        const auto corner = [&](f32 s, f32 t)
        {
            return SpriteVertex{x + s * size_x,
                                y + t * size_y,
                                0.5f,
                                s,
                                1 - t,
                                0,
                                t == 0 ? upper_tint : lower_tint,
                                u8(argb >> 16),
                                u8(argb >> 8),
                                u8(argb),
                                u8(argb >> 24)};
        };
        add(corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1));
    }
    void circle(f32 x, f32 y, f32 radius, u32 argb)
    {
        const auto corner = [&](f32 s, f32 t)
        {
            return SpriteVertex{x + s * radius, y + t * radius, 0.5f,          0, 0, s, t, u8(argb >> 16),
                                u8(argb >> 8),  u8(argb),       u8(argb >> 24)};
        };
        add(corner(-1, -1), corner(1, -1), corner(-1, 1), corner(1, 1));
    }
    void draw(StreamScene& scene)
    {
        std::vector<u8> bytes(vertices_.size() * sizeof(SpriteVertex));
        std::memcpy(bytes.data(), vertices_.data(), bytes.size());
        scene.draw_bytes(bytes, u32(vertices_.size()), Topology::TriangleList);
        vertices_.clear();
    }

private:
    void add(const SpriteVertex& a, const SpriteVertex& b, const SpriteVertex& c, const SpriteVertex& d)
    {
        vertices_.insert(vertices_.end(), {a, c, b, b, c, d});
    }

    std::vector<SpriteVertex> vertices_;
};

constexpr u32 kColors[] = {0xFFE05030, 0xFFE0C040, 0xFF50C050, 0xFF40A0E0, 0xFF8060D0, 0xFFF0F0F0};

void write_frame(StreamScene& scene, u32 frame, const SceneTexture& sky, const SceneTexture& tile)
{
    Batch batch;
    tint_stage(scene);
    scene.bind_texture(0, sky);
    tint_stage(scene); // binding a texture sets the stage of its unit
    batch.quad(0, 0, 400, 240, 0xFF203050, 0.3f, 0);
    batch.draw(scene);

    scene.bind_texture(0, tile);
    scene.filter(0, TextureFilter::Linear);
    tint_stage(scene);
    for (u32 i = 0; i < 120; ++i)
    {
        const u32 color = kColors[i % 6];
        const f32 x = std::fmod(f32(i * 53 + frame * 3), 376.0f), y = 20 + std::fmod(f32(i * 29), 150.0f);
        // Most sprites have no tint, some have one for the whole, a few one that changes.
        const f32 tint = i % 4 == 0 ? 0.5f : 0.0f;
        batch.quad(x, y, 24, 24, i % 10 == 9 ? (color & 0x00FFFFFF) | 0x80000000 : color, tint,
                   i % 12 == 0 ? 1.0f : tint);
    }
    batch.draw(scene);

    circle_stage(scene);
    for (u32 i = 0; i < 9; ++i)
        batch.circle(24 + f32(i) * 44, 206, 16 - f32(i % 3) * 3, kColors[i % 6]);
    batch.draw(scene);
}

// A leaf on a transparent ground.
TextureImage leaf()
{
    TextureImage image = checkerboard(32, 32, 4, 0xFF50B060, 0xFF409048);
    for (u32 y = 0; y < 32; ++y)
        for (u32 x = 0; x < 32; ++x)
        {
            const f32 s = f32(x) - 15.5f, t = f32(y) - 15.5f;
            if (s * s + t * t + s * t > 180)
                image.at(x, y) = 0;
        }
    return image;
}

void write_sprites(StreamScene& scene)
{
    const SceneTexture sky = scene.texture(TextureFormat::RGBA8, landscape(64));
    const SceneTexture tile = scene.texture(TextureFormat::RGBA8, leaf());
    for (u32 frame = 0; frame < 2; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x304860);
        sprite_program(scene);
        scene.depth_test(CompareFunc::LessOrEqual, true);
        scene.alpha_blending();
        write_frame(scene, frame, sky, tile);
        scene.list.set(reg::TEXUNIT_CONFIG::enable3, false);
        scene.standard_program();
        scene.depth_test(CompareFunc::Always, false);
        scene.label(6, 4, "SPRITES WITH TINTS, CIRCLES");
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kSprites("t_sprites", write_sprites);

} // namespace

} // namespace tests
