// SPDX-License-Identifier: MIT
// What s_tev_grid leaves out of the combiners (pica/hardware/combiners.md): all operations on both halves at
// once with operands of every channel, scales after clamping, undefined operations and sources, "previous" in
// stage 0, and chains through the combiner buffer.
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

void bind_sources(StreamScene& scene, const SceneTexture& land, const SceneTexture& board)
{
    scene.plain_state();
    scene.bind_texture(0, land);
    scene.bind_texture(1, board);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 1);
    scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 1);
    scene.filter(0, TextureFilter::Linear);
    for (u32 stage = 0; stage < 6; ++stage)
        scene.list.write(reg::TEXENV_COLOR::ids[stage],
                         make_rgba(255 - 40 * stage, 60 + 30 * stage, 90, 160));
}

// Orange to blue from left to right, alpha from top to bottom.
void cell(StreamScene& scene, f32 x, f32 y, f32 width, f32 height)
{
    const std::array<StreamVertex, 4> corners = {{{x, y, 0, 255, 150, 60, 255, 0, 1},
                                                  {x, y + height, 0, 255, 150, 60, 80, 0, 0},
                                                  {x + width, y, 0, 60, 120, 255, 255, 1, 1},
                                                  {x + width, y + height, 0, 60, 120, 255, 80, 1, 0}}};
    scene.draw(corners, Topology::TriangleStrip);
}

void write_operations(StreamScene& scene, const SceneTexture& land, const SceneTexture& board, u32 frame)
{
    constexpr std::array<const char*, 10> kOps = {"REPLACE",  "MODULATE", "ADD",      "ADDSIGN", "LERP",
                                                  "SUBTRACT", "DOT3 RGB", "DOT3RGBA", "MUL,ADD", "ADD,MUL"};
    for (u32 op = 0; op < 16; ++op)
    {
        const f32 x = 4 + f32(op % 8) * 50, y = 14 + f32(op / 8) * 60;
        bind_sources(scene, land, board);
        scene.combine(0, static_cast<CombinerOp>(op), CombinerSource::Texture0, CombinerSource::PrimaryColor,
                      CombinerSource::Constant);
        if (op == 6 || op == 7) // dot products need vectors in both operands
            scene.combine(0, static_cast<CombinerOp>(op), CombinerSource::Texture0, CombinerSource::Constant);
        scene.list.set(reg::TEXENV_OPERAND::alpha_1, AlphaOperand::Green, 0);
        scene.list.set(reg::TEXENV_OPERAND::alpha_3, AlphaOperand::OneMinusBlue, 0);
        scene.list.set(reg::TEXENV_SCALE::color_scale, static_cast<CombinerScale>(frame), 0);
        // The lower half shows alpha.
        cell(scene, x, y, 44, 22);
        scene.combine(1, CombinerOp::Replace, CombinerSource::Previous);
        scene.list.set(reg::TEXENV_OPERAND::color_1, ColorOperand::Alpha, 1);
        cell(scene, x, y + 24, 44, 22);
        scene.label(x, y - 9, op < kOps.size() ? kOps[op] : std::to_string(op));
    }
    scene.label(4, 124, "OPERATIONS (COLOUR, ALPHA) TIMES " + std::to_string(std::array{1, 2, 4}[frame]),
                0xFFFFE080);
}

void write_operands(StreamScene& scene, const SceneTexture& land, const SceneTexture& board)
{
    for (u32 operand = 0; operand < 16; ++operand)
    {
        const f32 x = 4 + f32(operand % 16) * 24.75f, y = 144;
        bind_sources(scene, land, board);
        scene.combine(0, CombinerOp::Modulate, CombinerSource::PrimaryColor, CombinerSource::Texture0);
        scene.list.set(reg::TEXENV_OPERAND::color_1, static_cast<ColorOperand>(operand), 0);
        cell(scene, x, y, 22, 26);
        scene.label(x + 4, y - 9, std::to_string(operand));
    }
    scene.label(4, 173, "OPERANDS", 0xFFFFE080);
}

void write_chains(StreamScene& scene, const SceneTexture& land, const SceneTexture& board, u32 frame)
{
    constexpr std::array<const char*, 6> kNames = {"PREV 0",    "UNDEFINED", "BUFFER",
                                                   "LATE READ", "6 STAGES",  "SPLIT"};
    for (u32 chain = 0; chain < 6; ++chain)
    {
        const f32 x = 4 + f32(chain) * 66.5f, y = 192;
        bind_sources(scene, land, board);
        CommandListBuilder& list = scene.list;
        list.write(reg::TEXENV_BUFFER_COLOR::id, make_rgba(40, 200, 120, 255));
        switch (chain)
        {
        case 0: // previous in stage 0 takes slot 3's source
            scene.combine(0, CombinerOp::Modulate, CombinerSource::Previous, CombinerSource::PrimaryColor,
                          CombinerSource::Texture0);
            break;
        case 1: // sources 7 to 12 read 0: 255 - 0 remains
            scene.combine(0, CombinerOp::Subtract, static_cast<CombinerSource>(9), CombinerSource::Texture0);
            list.set(reg::TEXENV_OPERAND::color_1, ColorOperand::OneMinusRgb, 0);
            break;
        case 2: // the buffer's start colour, in stage 1
            scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
            scene.combine(1, CombinerOp::AddSigned, CombinerSource::Previous, CombinerSource::PreviousBuffer);
            break;
        case 3: // stage 0's colour kept over two stages
            scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
            scene.combine(1, CombinerOp::Replace, CombinerSource::Texture1);
            scene.combine(2, CombinerOp::Modulate, CombinerSource::Previous, CombinerSource::PrimaryColor);
            scene.combine(3, CombinerOp::Interpolate, CombinerSource::PreviousBuffer,
                          CombinerSource::Previous, CombinerSource::PrimaryColor);
            list.set(reg::TEXENV_UPDATE_BUFFER::color_update, 1);
            break;
        case 4:
            scene.combine(0, CombinerOp::Modulate, CombinerSource::Texture0, CombinerSource::Texture1);
            scene.combine(1, CombinerOp::Add, CombinerSource::Previous, CombinerSource::Constant);
            scene.combine(2, CombinerOp::MultiplyThenAdd, CombinerSource::Previous, CombinerSource::Texture0,
                          CombinerSource::Constant);
            scene.combine(3, CombinerOp::AddThenMultiply, CombinerSource::Previous,
                          CombinerSource::PrimaryColor, CombinerSource::Texture0);
            scene.combine(4, CombinerOp::Subtract, CombinerSource::Previous, CombinerSource::Texture1);
            scene.combine(5, CombinerOp::AddSigned, CombinerSource::Previous, CombinerSource::Constant);
            break;
        default: // colour buffer from stage 0, alpha buffer from stage 1
            scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
            scene.combine(1, CombinerOp::Modulate, CombinerSource::Texture0, CombinerSource::Previous);
            scene.combine(2, CombinerOp::Replace, CombinerSource::Texture1);
            scene.combine(3, CombinerOp::Interpolate, CombinerSource::PreviousBuffer,
                          CombinerSource::Previous, CombinerSource::PreviousBuffer);
            list.set(reg::TEXENV_OPERAND::color_3, ColorOperand::Alpha, 3);
            list.set(reg::TEXENV_UPDATE_BUFFER::color_update, 1);
            list.set(reg::TEXENV_UPDATE_BUFFER::alpha_update, 2);
            break;
        }
        list.set(reg::TEXENV_SCALE::color_scale, static_cast<CombinerScale>(frame == 2 ? 1 : 0), 5);
        cell(scene, x, y, 60, 34);
        scene.label(x, y + 37, kNames[chain]);
    }
}

void write_combiners(StreamScene& scene)
{
    const SceneTexture land = scene.texture(TextureFormat::RGBA4, landscape(64));
    const SceneTexture board =
        scene.texture(TextureFormat::RGB565, checkerboard(8, 8, 4, 0xFFC0FF40, 0xFF402080));
    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x202020);
        write_operations(scene, land, board, frame);
        write_operands(scene, land, board);
        write_chains(scene, land, board, frame);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kCombiners("t_combiners", write_combiners);

} // namespace

} // namespace tests
