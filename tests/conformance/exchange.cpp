// SPDX-License-Identifier: MIT
// Pipelines compiled by worker threads while a fallback draws, the ubershader or the software core: frames of
// draws, fills and transfers continue over the exchange, and the bytes do not show when it happened. Design
// D10, software_fallback.h.
#include "tests/support/suite/list_scene.h"
#include "tests/support/suite/suite.h"

using namespace tests;

namespace
{

constexpr Variant kUbershaderVariants[] = {kRasterOrder, kCompute, kBarrier, kShaderCoverage};
constexpr Variant kSoftwareVariants[] = {kRasterOrder, kBarrier, kCompute};
// The device counts as one that compiles when a pipeline is made.
constexpr Variant kEarlyVariants[] = {
    {.name = "early compiler", .masked = "late_compiler"},
    {.name = "early compiler, compute",
     .vertex_executor = renderer::VertexExecutorChoice::Compute,
     .masked = "late_compiler"},
    {.name = "early compiler, barrier",
     .blend_path = renderer::BlendPathChoice::Barrier,
     .masked = "late_compiler"},
};
constexpr Variant kEarlyScaledVariants[] = {
    kTwice,
    {.name = "compute, 2x, one form",
     .vertex_executor = renderer::VertexExecutorChoice::Compute,
     .masked = "late_compiler",
     .scale = 2},
    kBarrierThrice,
};
constexpr PhysAddr kScreen = kVramBase + 0xC0000;

// One of a few states, so that draws of later frames meet pipelines that are ready.
void random_state(ListScene& s)
{
    Random& random = s.random;
    switch (random.below(6))
    {
    case 0: // fetch class
        s.list.set(reg::BLEND_FUNC::color_source, BlendFactor::SourceAlpha);
        s.list.set(reg::BLEND_FUNC::color_dest, BlendFactor::OneMinusSourceAlpha);
        break;
    case 1: // fixed-function blending: another kind of render pass
        s.list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::color_dest, BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::One);
        break;
    case 2:
        s.list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::color_dest, BlendFactor::Zero);
        s.list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
        s.list.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::Zero);
        break;
    case 3:
        s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
        break;
    case 4: // depth alone
        s.list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 3) ? 0 : 0xF);
        break;
    default: // what was drawn as texture, or something else
        s.texture_unit(0, random.chance(1, 3) ? ListScene::kColor : ListScene::kTextures, 32, 32,
                       TextureFormat::RGBA8);
        break;
    }
}

enum Drawer : u32
{
    kOwnPipeline,
    kUbershader,
    kSoftware,
};

// Who drew since the last call.
class Drawers
{
public:
    explicit Drawers(ConformanceMachine& machine) : machine_(machine), last_(machine.vulkan().statistics()) {}
    void note()
    {
        const renderer::Statistics now = machine_.vulkan().statistics();
        const u64 ubershader = now.ubershader_draws - last_.ubershader_draws;
        const u64 software = now.fallback_draws - last_.fallback_draws;
        const bool own = now.draw_commands != last_.draw_commands && ubershader == 0 && software == 0;
        machine_.coverage().note("drawn by", kOwnPipeline, own);
        machine_.coverage().note("drawn by", kUbershader, ubershader != 0);
        machine_.coverage().note("drawn by", kSoftware, software != 0);
        last_ = now;
    }

private:
    ConformanceMachine& machine_;
    renderer::Statistics last_;
};

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
    s.textured();
    s.coordinate_range = 1.5f;
    const bool patient = random.chance(1, 2); // the workers are done before the next frame
    Drawers drawers(machine);
    for (u32 frame = 0; frame < 7; ++frame)
    {
        if (random.chance(1, 2))
            machine.memory_fill(ListScene::kColor, ListScene::kColor + 64 * 64 * 4, random.next(),
                                FillWidth::Bits32);
        for (u32 i = 0; i < 5; ++i)
        {
            random_state(s);
            s.triangles(1 + random.below(3));
            s.draw();
            if (random.chance(1, 4))
                s.run();
        }
        s.run();
        machine.display_transfer(ListScene::kColor, kScreen, 64 | 64 << 16, 64 | 64 << 16,
                                 random.pick({0u, 0x2000u, 1u}));
        machine.gpu().end_frame();
        if (patient)
            machine.vulkan().finish_pipelines();
        drawers.note();
    }
}

// The same; and no draw, transfer or fill may have waited for a pipeline.
void generate_without_waits(ConformanceMachine& machine, Random& random)
{
    const u64 before = machine.vulkan().statistics().compiler_waits;
    generate(machine, random);
    CHECK(machine.vulkan().statistics().compiler_waits == before);
}

void require_ubershader(Coverage& coverage)
{
    coverage.require("output class", {0, 1, 3, 4});
    coverage.require("drawn by", {kOwnPipeline, kUbershader});
}

void require_early(Coverage& coverage)
{
    coverage.require("output class", {0, 1, 3, 4});
    coverage.require("drawn by", {kOwnPipeline, kSoftware}); // the ubershader on fast machines only
}

void require_software(Coverage& coverage)
{
    coverage.require("output class", {0, 1, 3, 4});
    coverage.require("drawn by", {kOwnPipeline, kSoftware});
}

} // namespace

TEST_CASE("conformance: pipelines that replace the ubershader leave the same bytes")
{
    run_suite({.name = "ubershader first",
               .variants = kUbershaderVariants,
               .seeds = 40,
               .generate = generate,
               .require = require_ubershader,
               .all_shaders = Shaders::UbershaderFirst});
}

TEST_CASE("conformance: no draw waits for a compiler while the software core draws")
{
    run_suite({.name = "software first, early compiler",
               .variants = kEarlyVariants,
               .seeds = 45,
               .generate = generate_without_waits,
               .require = require_early,
               .all_shaders = Shaders::SoftwareFirst});
}

TEST_CASE("conformance: no draw waits for a compiler at N times the resolution either")
{
    run_suite({.name = "software first at N",
               .variants = kEarlyScaledVariants,
               .seeds = 30,
               .long_seeds = 300,
               .generate = generate_without_waits,
               .require = require_early,
               .all_shaders = Shaders::SoftwareFirst});
}

TEST_CASE("conformance: pipelines that replace the software core leave the same bytes")
{
    run_suite({.name = "software first",
               .variants = kSoftwareVariants,
               .seeds = 42,
               .generate = generate,
               .require = require_software,
               .all_shaders = Shaders::SoftwareFirst});
}
