// SPDX-License-Identifier: MIT
// Blending and logic operations (pica/hardware/fragment-operations.md): every factor on both sides with three
// equations; every logic operation on three formats; equations and colour masks.
#include "pica/regs/enum_names.h"
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

constexpr std::array<const char*, 5> kEquations = {"ADD", "SUBTRACT", "REVERSE SUBTRACT", "MIN", "MAX"};

// Colour runs from left to right, alpha from top to bottom.
std::array<StreamVertex, 4> tile(f32 x, f32 y, f32 width, f32 height, u32 left, u32 right, u8 top_alpha,
                                 u8 bottom_alpha)
{
    const auto vertex = [](f32 px, f32 py, u32 rgb, u8 a)
    { return StreamVertex{px, py, 0, u8(rgb >> 16), u8(rgb >> 8), u8(rgb), a, 0, 0}; };
    return {vertex(x, y, left, top_alpha), vertex(x, y + height, left, bottom_alpha),
            vertex(x + width, y, right, top_alpha), vertex(x + width, y + height, right, bottom_alpha)};
}

void write_legend(StreamScene& scene)
{
    scene.begin_screen(Screen::Bottom, 0x202028);
    scene.label(8, 8, "BLEND FACTORS", 0xFFFFFFFF, 2);
    scene.label(8, 28, "ROWS: SOURCE I + ONE / ONE + DESTINATION I", 0xFFFFE080);
    scene.label(8, 38, "I + (14-I) / THE SAME, OTHERS FOR ALPHA", 0xFFFFE080);
    scene.label(8, 48, "BANDS: DESTINATION ALPHA", 0xFF80E0FF);
    for (u32 i = 0; i < 15; ++i)
        scene.label(8, 60 + f32(i) * 11, std::to_string(i) + "  " + std::string(kBlendFactorNames[i]));
    scene.end_screen();
}

// Four rows of 15 factors; what lies below is one picture, so that neighbours can be compared.
void write_blend_factors(StreamScene& scene)
{
    constexpr std::array<u32, 3> kShown = {2, 0, 4};
    constexpr u32 kOne = u32(BlendFactor::One);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x404040);
        scene.list.write(reg::BLEND_COLOR::id, make_rgba(255, 160, 60, 110));
        for (u32 row = 0; row < 4; ++row)
        {
            const f32 y = 24 + f32(row) * 54;
            const auto strip = tile(12, y, 25 * 15, 44, 0x2060C0, 0xE0C040, 255, 40);
            scene.draw(strip, Topology::TriangleStrip);
            for (u32 i = 0; i < 15; ++i)
            {
                // Source i + ONE; ONE + destination i; source i + destination 14 - i; the last with other
                // factors for alpha, shown by a colour that is multiplied by it afterwards.
                const u32 source = row == 1 ? kOne : i, destination = row == 0 ? kOne : row == 1 ? i : 14 - i;
                const u32 alpha_source = row == 3 ? (i + 4) % 15 : source;
                const u32 alpha_destination = row == 3 ? (i + 9) % 15 : destination;
                scene.list.write(reg::BLEND_FUNC::id, kShown[frame] | kShown[frame] << 8 | source << 16 |
                                                          destination << 20 | alpha_source << 24 |
                                                          alpha_destination << 28);
                const f32 x = 12 + f32(i) * 25;
                const auto cover = tile(x + 2, y + 3, 21, 38, 0xFF4020, 0x20D080, 230, 60);
                scene.draw(cover, Topology::TriangleStrip);
                scene.label(x + (i < 10 ? 9.0f : 6.0f), row == 2 || row == 3 ? y + 44 : y - 9,
                            std::to_string(i), 0xFFFFE080);
            }
            // Destination alpha as white, over the lower third.
            scene.blend(BlendEquation::Add, BlendFactor::DestAlpha, BlendFactor::Zero);
            const auto alpha = tile(12, y + 30, 25 * 15, 8, 0xFFFFFF, 0xFFFFFF, 255, 255);
            scene.draw(alpha, Topology::TriangleStrip);
            scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::Zero);
        }
        scene.label(12, 4, kEquations[kShown[frame]]);
        scene.end_screen();
        if (frame == 0)
            write_legend(scene);
        scene.end_frame();
    }
}

void write_logic_masks(StreamScene& scene)
{
    constexpr std::array<const char*, 16> kOps = {"CLEAR", "AND",     "AND REV", "COPY",  "SET", "COPY INV",
                                                  "NOOP",  "INV",     "NAND",    "OR",    "NOR", "XOR",
                                                  "EQUIV", "AND INV", "OR REV",  "OR INV"};
    const SceneTexture land = scene.texture(TextureFormat::RGB565, landscape(64));
    std::array<SceneTarget, 3> targets;
    constexpr std::array kFormats = {ColorFormat::RGBA8, ColorFormat::RGB565, ColorFormat::RGBA4};
    for (u32 i = 0; i < 3; ++i)
        targets[i] = scene.make_target(256, 256, kFormats[i], DepthFormat::D24S8);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        // 16 operations in a 4 x 4 grid of 64 x 64 cells, on a target of this frame's format.
        const SceneTarget& target = targets[frame];
        scene.use_target(target);
        scene.clear(target, make_rgba(128, 128, 128, 255), 0xFFFFFF);
        scene.plain_state();
        scene.standard_program();
        scene.matrix_2d();
        for (u32 op = 0; op < 16; ++op)
        {
            const f32 x = f32(op % 4) * 64, y = f32(op / 4) * 64;
            scene.bind_texture(0, land);
            scene.sprite(x + 1, y + 1, 62, 62);
            scene.list.set(reg::TEXUNIT_CONFIG::enable0, false);
            scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
            scene.list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::LogicOp);
            scene.list.set(reg::LOGIC_OP::op, static_cast<LogicOp>(op));
            const auto cover = tile(x + 10, y + 16, 44, 40, 0xFF8020, 0x40A0FF, 255, 255);
            scene.draw(cover, Topology::TriangleStrip);
            scene.list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
        }
        scene.begin_screen(Screen::Top, 0x182018);
        scene.bind_texture(0, scene.texture_of(target));
        scene.sprite(0, 0, 240, 240);
        for (u32 op = 0; op < 16; ++op)
            scene.label(2 + f32(op % 4) * 60, 2 + f32(op / 4) * 60, kOps[op]);
        scene.list.set(reg::TEXUNIT_CONFIG::enable0, false);
        // Right: masks 0..15 on a half transparent cover.
        scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
        for (u32 mask = 0; mask < 16; ++mask)
        {
            const f32 x = 252 + f32(mask % 4) * 37, y = 16 + f32(mask / 4) * 32;
            scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::Zero);
            scene.color_mask(true, true, true, true);
            const auto below = tile(x, y, 34, 28, 0x2060C0, 0xE0C040, 255, 255);
            scene.draw(below, Topology::TriangleStrip);
            scene.color_mask((mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0);
            if (frame == 1)
                scene.blend(BlendEquation::Add, BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha);
            const auto cover = tile(x + 6, y + 5, 22, 18, 0xFF2040, 0x20FF60, 160, 160);
            scene.draw(cover, Topology::TriangleStrip);
        }
        scene.color_mask(true, true, true, true);
        for (u32 equation = 0; equation < 5; ++equation)
        {
            const f32 y = 152 + f32(equation) * 18;
            scene.blend(BlendEquation::Add, BlendFactor::One, BlendFactor::Zero);
            const auto below = tile(252, y, 146, 16, 0x2060C0, 0xE0C040, 255, 120);
            scene.draw(below, Topology::TriangleStrip);
            // Colour and alpha by different equations and factors.
            scene.list.write(reg::BLEND_FUNC::id,
                             equation | (4 - equation) << 8 | u32(BlendFactor::SourceAlpha) << 16 |
                                 u32(BlendFactor::DestAlpha) << 20 | u32(BlendFactor::One) << 24 |
                                 u32(BlendFactor::SourceAlpha) << 28);
            const auto cover = tile(256, y + 2, 138, 12, 0x60FFC0, 0xFF6080, 220, 60);
            scene.draw(cover, Topology::TriangleStrip);
            scene.label(258, y + 5, kEquations[equation], 0xFFFFFFFF);
        }
        scene.label(252, 4, std::string("MASKS   LOGIC ON ") + std::array{"RGBA8", "RGB565", "RGBA4"}[frame],
                    0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kBlendFactors("t_blend_factors", write_blend_factors);
const GeneratedStream kLogicMasks("t_logic_masks", write_logic_masks);

} // namespace

} // namespace tests
