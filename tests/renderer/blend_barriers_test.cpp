// SPDX-License-Identifier: MIT
// Barriers between draws: a draw that reads the destination needs a barrier exactly if it may overlap what
// was drawn before it in the render pass. A software rasteriser draws the right picture without barriers, so
// they are counted. Design D5.
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

#include <vector>

using namespace tests;

namespace
{

enum class Output
{
    Opaque,
    Fixed,
    Fetch,
    Additive,  // the source times its alpha is added
    Textured,  // blends as Fetch does, with the alphas of a texture that are all 255
    Holed,     // one of them is not
    FullAlpha, // blends as Fetch does, and its alpha is 255
    DepthOnly,
};

// Textures of 8x8 texels.
constexpr PhysAddr kOpaque = ListScene::kTextures, kHoled = ListScene::kTextures + 0x1000;

struct Quad
{
    Output output;
    f32 left, right; // of 64 pixels
};

void draw(ListScene& scene, const Quad& quad)
{
    CommandListBuilder& list = scene.list;
    const bool textured = quad.output == Output::Textured || quad.output == Output::Holed;
    const bool fetch = textured || quad.output == Output::Fetch || quad.output == Output::FullAlpha;
    const bool additive = quad.output == Output::Additive;
    scene.least_alpha = quad.output == Output::FullAlpha ? 1.0f : -0.2f;
    list.set(reg::BLEND_FUNC::color_source, fetch || additive ? BlendFactor::SourceAlpha : BlendFactor::One);
    list.set(reg::BLEND_FUNC::color_dest, fetch ? BlendFactor::OneMinusSourceAlpha
                                          : quad.output == Output::Fixed || additive ? BlendFactor::One
                                                                                     : BlendFactor::Zero);
    list.set(reg::COLORBUFFER_WRITE::enable, quad.output == Output::DepthOnly ? 0 : 15);
    scene.texture_unit(0, quad.output == Output::Holed ? kHoled : kOpaque, 8, 8, TextureFormat::RGBA8);
    list.set(reg::TEXENV_SOURCE::alpha_1, textured ? CombinerSource::Texture0 : CombinerSource::PrimaryColor,
             0);
    scene.quad(quad.left, 0, quad.right, 64, -0.5f);
    scene.draw();
}

} // namespace

TEST_CASE("blend barriers: as many as draws read what others of the pass may have drawn")
{
    struct Case
    {
        const char* name;
        std::vector<Quad> quads;
        u64 barriers;
    };
    const Output opaque = Output::Opaque, fixed = Output::Fixed, fetch = Output::Fetch;
    const Output full = Output::FullAlpha, additive = Output::Additive;
    const Output textured = Output::Textured, holed = Output::Holed;
    const Case cases[] = {
        {"a pass begins with what is there", {{fetch, 0, 32}}, 0},
        {"plain draws read nothing", {{opaque, 0, 32}, {opaque, 0, 32}, {fixed, 0, 32}}, 0},
        {"a plain draw, then one that reads", {{opaque, 0, 32}, {fetch, 0, 32}}, 1},
        {"a fixed-function blend, then one that reads", {{fixed, 0, 32}, {fetch, 0, 32}}, 1},
        {"between two that read beside each other", {{fetch, 0, 16}, {opaque, 0, 64}, {fetch, 32, 48}}, 1},
        {"one that reads what another wrote", {{fetch, 0, 32}, {fetch, 16, 48}}, 1},
        {"beside each other", {{fetch, 0, 32}, {fetch, 32, 64}}, 0},
        {"a barrier begins a new group", {{fetch, 0, 32}, {fetch, 16, 48}, {fetch, 48, 64}}, 1},
        {"three over each other", {{fetch, 0, 32}, {fetch, 0, 32}, {fetch, 0, 32}}, 2},
        {"blending with an alpha of 255 reads nothing", {{full, 0, 32}, {full, 16, 48}, {full, 0, 64}}, 0},
        {"but is read by others", {{full, 0, 32}, {fetch, 16, 48}}, 1},
        {"additive blending reads nothing", {{additive, 0, 32}, {additive, 16, 48}, {additive, 0, 64}}, 0},
        {"but is read by others, too", {{additive, 0, 32}, {fetch, 16, 48}, {additive, 0, 64}}, 1},
        {"an opaque texture reads nothing", {{textured, 0, 32}, {textured, 16, 48}, {textured, 0, 64}}, 0},
        {"a texture with another alpha reads", {{holed, 0, 32}, {holed, 16, 48}}, 1},
        {"colour is left alone", {{Output::DepthOnly, 0, 64}, {fetch, 0, 32}}, 0},
    };
    ConformanceMachine machine(kBarrier, Shaders::Specialised);
    Random random(3);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    ListScene scene(machine, random, 64, 64);
    scene.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    std::vector<u32> texels(64, 0x604020FF);
    machine.write(kOpaque, texels);
    texels[17] = 0x604020FE;
    machine.write(kHoled, texels);
    for (const Case& c : cases)
    {
        CAPTURE(c.name);
        machine.gpu().end_frame();
        const u64 before = machine.vulkan().statistics().blend_barriers;
        for (const Quad& quad : c.quads)
            draw(scene, quad);
        scene.run();
        machine.gpu().end_frame();
        CHECK(machine.vulkan().statistics().blend_barriers - before == c.barriers);
    }
    machine.end_seed();
    CHECK(machine.failure() == "");
}
