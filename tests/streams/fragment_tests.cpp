// SPDX-License-Identifier: MIT
// The tests of a fragment (pica/hardware/rasteriser.md, "Scissor"; fragment-operations.md): scissor modes,
// alpha functions, depth functions, stencil functions, operations and masks. Each cell shows which of its
// bars survive; the stencil stream turns the final stencil values into colours.
#include "pica/regs/enum_names.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

constexpr std::array<const char*, 8> kSigns = {"NEVER", "ALWAYS", "=", "<>", "<", "<=", ">", ">="};
constexpr u32 kBlue = 0xFF3050A0, kOrange = 0xFFFFA030;

void write_scissor_alpha_depth(StreamScene& scene)
{
    const SceneTexture land = scene.texture(TextureFormat::RGB565, landscape(64));
    TextureImage ramp_image(64, 8);
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 64; ++x)
            ramp_image.at(x, y) = 0x00FFFFFF | x * 4 << 24;
    const SceneTexture ramp = scene.texture(TextureFormat::A8, ramp_image);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x202830);
        for (u32 mode = 0; mode < 4; ++mode)
        {
            const u32 x = 4 + mode * 100;
            scene.scissor(static_cast<ScissorMode>(mode), x + 20 + frame * 6, 24, 40, 40);
            scene.bind_texture(0, land);
            scene.sprite(f32(x) + 8, 12, 76, 64);
            scene.label(f32(x) + 8, 2, std::array{"SCISSOR OFF", "EXCLUDE", "OFF (2)", "INCLUDE"}[mode],
                        0xFFFFE080);
        }
        scene.plain_state();
        for (u32 func = 0; func < 8; ++func)
        {
            const f32 x = 4 + f32(func) * 50;
            // Alpha 0 at the left to 252 at the right against a reference that moves; the lower half has
            // exactly the reference.
            const u32 reference = 100 + frame * 28;
            scene.rectangle(x, 96, 42, 44, 0xFF384858);
            scene.bind_texture(0, ramp);
            scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
            scene.list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Texture0, 0);
            scene.list.write(reg::FRAGOP_ALPHA_TEST::id, 1 | func << 4 | reference << 8);
            const std::array<StreamVertex, 4> bar = {{{x, 96, 0, 255, 80, 80, 0, 0, 0.5f},
                                                      {x, 120, 0, 255, 80, 80, 0, 0, 0.5f},
                                                      {x + 42, 96, 0, 255, 255, 80, 0, 1, 0.5f},
                                                      {x + 42, 120, 0, 255, 255, 80, 0, 1, 0.5f}}};
            scene.draw(bar, Topology::TriangleStrip);
            scene.list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Constant, 0);
            scene.list.set(reg::TEXENV_COLOR::a, reference, 0);
            scene.rectangle(x, 122, 42, 18, kOrange);
            scene.plain_state();
            scene.label(x, 143, kSigns[func]);
        }
        scene.label(4, 86, "ALPHA TEST", 0xFFFFE080);
        scene.label(4, 158, "DEPTH TEST", 0xFFFFE080);
        for (u32 func = 0; func < 8; ++func)
        {
            const f32 x = 4 + f32(func) * 50;
            // Bars at depth 0.25, 0.5 and 0.75, and a ramp; then a cover at 0.5.
            scene.depth_test(CompareFunc::Always, true);
            for (u32 bar = 0; bar < 3; ++bar)
                scene.rectangle(x, 168 + f32(bar) * 12, 42, 11, kBlue, 0.25f + 0.25f * f32(bar));
            const std::array<StreamVertex, 4> slope = {{{x, 204, 0.2f, 48, 80, 160, 255, 0, 0},
                                                        {x, 224, 0.2f, 48, 80, 160, 255, 0, 0},
                                                        {x + 42, 204, 0.8f, 48, 80, 160, 255, 0, 0},
                                                        {x + 42, 224, 0.8f, 48, 80, 160, 255, 0, 0}}};
            scene.draw(slope, Topology::TriangleStrip);
            scene.list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
            scene.list.set(reg::DEPTH_COLOR_MASK::depth_func, static_cast<CompareFunc>(func));
            scene.list.set(reg::DEPTH_COLOR_MASK::depth_write, frame != 1);
            scene.rectangle(x + 10 + f32(frame) * 4, 166, 16, 60, kOrange, 0.5f);
            // What the cover wrote decides about this line.
            scene.depth_test(CompareFunc::LessOrEqual, false);
            scene.rectangle(x + 12 + f32(frame) * 4, 166, 3, 60, 0xFFFFFFFF, 0.6f);
            scene.label(x, 229, kSigns[func]);
        }
        scene.end_screen();
        scene.end_frame();
    }
}

// Stencil value -> colour: eight planes, each added where its bit is set (R: bits 7-5, G: 4-2, B: 1-0).
void show_stencil(StreamScene& scene)
{
    scene.plain_state();
    scene.rectangle(0, 0, 400, 240, 0xFF000000);
    scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::One);
    constexpr std::array<u32, 8> kPlanes = {0x000050, 0x0000A0, 0x002000, 0x004000,
                                            0x008000, 0x200000, 0x400000, 0x800000};
    scene.stencil_ops(StencilOp::Keep, StencilOp::Keep, StencilOp::Keep);
    for (u32 bit = 0; bit < 8; ++bit)
    {
        scene.stencil(CompareFunc::NotEqual, 0, 1u << bit, 0);
        scene.rectangle(0, 0, 400, 240, kPlanes[bit]);
    }
}

// Bars with stencil values first, 127 and 254; the cells of one row.
void lay_bars(StreamScene& scene, f32 y)
{
    for (u32 cell = 0; cell < 8; ++cell)
        for (u32 bar = 0; bar < 3; ++bar)
        {
            scene.stencil(CompareFunc::Always, std::array{0u, 127u, 255u}[bar]);
            scene.stencil_ops(StencilOp::Keep, StencilOp::Keep, StencilOp::Replace);
            scene.rectangle(4 + f32(cell) * 50, y + f32(bar) * 10, 42, 9, 0xFF000000, 0.5f);
        }
}

void write_stencil(StreamScene& scene)
{
    constexpr std::array<const char*, 8> kOps = {"KEEP",    "ZERO",   "REPLACE", "INC SAT",
                                                 "DEC SAT", "INVERT", "INC WRP", "DEC WRP"};
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x000000, 0x55);
        const u32 reference = 0xB4 + frame * 0x11;
        scene.depth_test(CompareFunc::Always, true);
        for (u32 row = 0; row < 5; ++row)
            lay_bars(scene, 12 + f32(row) * 44);
        for (u32 cell = 0; cell < 8; ++cell)
        {
            const f32 x = 4 + f32(cell) * 50 + 12;
            const auto cover = [&](u32 row, f32 depth)
            { scene.rectangle(x, 12 + f32(row) * 44 - 2, 18, 34, 0xFF000000, depth); };
            const StencilOp op = static_cast<StencilOp>(cell);
            scene.depth_test(CompareFunc::Less, false);
            scene.stencil(CompareFunc::Always, reference); // row 0: operation on pass
            scene.stencil_ops(StencilOp::Zero, StencilOp::Zero, op);
            cover(0, 0.25f);
            scene.stencil(CompareFunc::Greater, 128); // row 1: on stencil failure (255), kept elsewhere
            scene.stencil_ops(op, StencilOp::Zero, StencilOp::Keep);
            cover(1, 0.25f);
            scene.stencil(CompareFunc::Always, reference); // row 2: on depth failure
            scene.stencil_ops(StencilOp::Zero, op, StencilOp::Zero);
            cover(2, 0.75f);
            scene.stencil(CompareFunc::Always, reference, 0xFF, 0x3C + frame); // row 3: write mask
            scene.stencil_ops(StencilOp::Zero, StencilOp::Zero, op);
            cover(3, 0.25f);
            scene.stencil(static_cast<CompareFunc>(cell), 127, frame == 1 ? 0x81 : 0xFF); // row 4: functions
            scene.stencil_ops(StencilOp::Zero, StencilOp::Keep, StencilOp::Invert);
            cover(4, 0.25f);
            scene.label(x - 12, 2, kOps[cell]);
            scene.label(x - 12, 232, kSigns[cell]);
        }
        show_stencil(scene);
        const std::array<std::string, 4> names = {"ON PASS", "ON STENCIL FAILURE", "ON DEPTH FAILURE",
                                                  "WRITE MASK     BELOW: FUNCTIONS"};
        for (u32 row = 0; row < 4; ++row)
            scene.label(4, 45 + f32(row) * 44, names[row], 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kScissorAlphaDepth("t_scissor_alpha_depth", write_scissor_alpha_depth);
const GeneratedStream kStencil("t_stencil", write_stencil);

} // namespace

} // namespace tests
