// SPDX-License-Identifier: MIT
// A small target that a software core draws to, for facts about single pixels.
#pragma once

#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "tests/support/scenes/draw_scene.h"

#include <set>
#include <string>

namespace tests
{

class Reports final : public Report
{
public:
    void report(ReportKind, std::string_view cause, std::string_view) override { causes.emplace(cause); }
    std::set<std::string> causes;
};

inline SoftwareOptions one_thread()
{
    SoftwareOptions options;
    options.threads = 1;
    return options;
}

struct Probe
{
    Probe(u32 width = 8, u32 height = 8, const SoftwareOptions& options = one_thread())
        : arena(0x1000), core(arena.memory(), reports, options), scene(width, height)
    {
    }

    void rectangle(f32 x1, f32 y1, f32 x2, f32 y2, const SceneVertex& like, f32 z = -0.5f)
    {
        const f32 xs[4] = {x1, x2, x2, x1};
        const f32 ys[4] = {y1, y1, y2, y2};
        for (const u32 i : {0, 1, 2, 0, 2, 3})
        {
            SceneVertex v = like;
            v.position = scene.at(xs[i], ys[i], z);
            scene.add(v);
        }
    }
    void draw()
    {
        core.draw(scene.draw());
        scene.vertices.clear();
    }
    // Draws over the whole target and returns pixel (0, 0).
    u32 shade(const SceneVertex& like = {}, f32 z = -0.5f)
    {
        rectangle(0, 0, scene.state.target.width, scene.state.target.height, like, z);
        draw();
        return pixel(0, 0);
    }
    // The coordinates of pixels: y up.
    u8* color_at(u32 x, u32 y)
    {
        const RenderTarget& t = scene.state.target;
        const u32 row = t.flip ? t.height - 1 - y : y;
        const u64 offset = tiled_offset(x, row, t.width, bytes_per_pixel(t.color_format));
        return arena.memory().span(t.color_address, t.color_bytes()).data() + offset;
    }
    u32 pixel(u32 x, u32 y) { return unpack_pixel(scene.state.target.color_format, color_at(x, y)); }
    u32 depth_word()
    {
        const RenderTarget& t = scene.state.target;
        const u32 row = t.flip ? t.height - 1u : 0u;
        const u64 offset = tiled_offset(0, row, t.width, bytes_per_pixel(t.depth_format));
        return unpack_depth(t.depth_format, arena.memory().span(t.depth_address, 0x1000).data() + offset);
    }
    void fill_color(u32 rgba)
    {
        const RenderTarget& t = scene.state.target;
        for (u32 y = 0; y < t.height; ++y)
            for (u32 x = 0; x < t.width; ++x)
                pack_pixel(t.color_format, color_at(x, y), rgba);
    }
    void fill_depth(u32 word)
    {
        const u32 bytes = bytes_per_pixel(scene.state.target.depth_format);
        const auto span = arena.memory().span(DrawScene::kDepth, 64 * bytes);
        for (u32 i = 0; i < 64; ++i)
            pack_depth(scene.state.target.depth_format, span.data() + i * bytes, word);
    }

    // Sets texture unit 0 to 8x8 RGBA8 texels, which the combiners pass on unchanged.
    void use_texture(u32 (*texel)(u32 x, u32 t), TextureWrap wrap, bool linear, u32 border = 0)
    {
        TextureUnitKey& key = scene.state.fragment.texture[0];
        key = {};
        key.type = TextureType::Texture2D;
        key.wrap_s = key.wrap_t = wrap;
        key.linear = linear;
        scene.state.texture[0] = {DrawScene::kTextures, 8, 8, TextureFormat::RGBA8};
        scene.state.constants.border_color[0] = border;
        TexEnvStageKey& stage = scene.state.fragment.texenv[0];
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
        const auto bytes = arena.memory().span(DrawScene::kTextures, 256);
        for (u32 t = 0; t < 8; ++t)
            for (u32 x = 0; x < 8; ++x)
                pack_pixel(PixelFormat::RGBA8, bytes.data() + tiled_offset(x, 7 - t, 8, 4), texel(x, t));
        arena.memory().did_write(DrawScene::kTextures, 256);
    }
    u32 sample(f32 u, f32 v)
    {
        SceneVertex vertex;
        vertex.texcoord01 = {u, v, 0, 0};
        return shade(vertex);
    }

    // Stage 0: op on three constants, which come from the primary colour, the constant and the combiner
    // buffer.
    u32 combine(CombinerOp op, u32 a, u32 b, u32 c, u8 shift = 0)
    {
        FragmentKey& key = scene.state.fragment;
        // Stages 0 and 1 put a into the buffer and b into "previous"; stage 2 does the operation.
        for (TexEnvStageKey& stage : key.texenv)
        {
            stage = {};
            stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
        }
        const auto replace = [&](u32 stage, CombinerSource source)
        { key.texenv[stage].color_source[0] = key.texenv[stage].alpha_source[0] = source; };
        replace(0, CombinerSource::Constant);
        replace(1, CombinerSource::Constant);
        key.buffer_color_update = key.buffer_alpha_update = 1;
        TexEnvStageKey& stage = key.texenv[2];
        const CombinerSource sources[3] = {CombinerSource::PreviousBuffer, CombinerSource::Previous,
                                           CombinerSource::Constant};
        for (u32 slot = 0; slot < 3; ++slot)
            stage.color_source[slot] = stage.alpha_source[slot] = sources[slot];
        stage.color_op = op;
        stage.alpha_op = op == CombinerOp::Dot3Rgb ? CombinerOp::Replace : op;
        stage.color_shift = stage.alpha_shift = shift;
        scene.state.constants.texenv_color = {a, b, c, 0, 0, 0};
        return shade();
    }

    Reports reports;
    GuestArena arena;
    SoftwareCore core;
    DrawScene scene;
};

constexpr u32 gray(u32 v)
{
    return make_rgba(v, v, v, v);
}

} // namespace tests
