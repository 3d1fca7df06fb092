// SPDX-License-Identifier: MIT
// What a fragment costs, block by block: rectangles over a whole target, with one block of the fragment
// pipeline at a time on top of the plainest state.
//   block_costs [--size PIXELS] [--draws N] [--passes N]
// Prints nanoseconds per fragment for the software core, the Vulkan renderer with specialised shaders and the
// ubershader, and what each row costs more than the row that it builds on. Best of some passes: they are
// short, and what disturbs them makes them longer.
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/backend/renderer.h"
#include "tests/streams/lit_scene.h"
#include "tests/streams/pictures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

using namespace tests;

namespace
{

struct Settings
{
    u32 size = 512;
    u32 draws = 8;
    u32 passes = 3;
};

// What a block's setup works with. It leaves the state in which the rectangles are drawn.
struct Bench
{
    Bench(StreamScene& scene_) : scene(scene_), lit(scene_) {}

    StreamScene& scene;
    LitScene lit;
    bool is_lit = false;
    f32 repeats = 1; // of the texture over the target
    const LitMesh plane = plane_mesh();

    void stage(u32 n, CombinerOp op, CombinerSource a) { scene.combine(n, op, a, CombinerSource::Previous); }
    void texture(u32 unit, TextureFilter filter, bool mipmaps = false)
    {
        scene.bind_texture(unit, scene.texture(TextureFormat::RGBA8, landscape(64), mipmaps));
        scene.filter(unit, filter);
        for (const auto& wrap : {reg::TEXUNIT_PARAM::wrap_s, reg::TEXUNIT_PARAM::wrap_t})
            scene.list.set(wrap, TextureWrap::Repeat, unit);
        scene.combine(unit, unit == 0 ? CombinerOp::Replace : CombinerOp::Modulate,
                      static_cast<CombinerSource>(u32(CombinerSource::Texture0) + unit),
                      CombinerSource::Previous);
    }
    void type(TextureType type)
    {
        texture(0, TextureFilter::Linear);
        scene.list.set(reg::TEXUNIT_PARAM::type, type, 0);
        const u32 address = scene.list.registers().get(reg::TEXUNIT_ADDR::address, 0);
        for (const u32 id : reg::TEXUNIT0_ADDR::ids)
            scene.list.write(id, address & 0x3FFFFF);
    }
    void proctex(bool noise)
    {
        CommandListBuilder& list = scene.list;
        list.set(reg::TEXUNIT_CONFIG::enable3, true);
        list.write(reg::TEXUNIT3_PROCTEX0::id, 0);
        list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, ProcTexClamp::MirroredRepeat);
        list.set(reg::TEXUNIT3_PROCTEX0::noise_enable, noise);
        list.set(reg::TEXUNIT3_PROCTEX1::u_amplitude, 400);
        list.set(reg::TEXUNIT3_PROCTEX3::u_frequency, 0x3C00);
        list.set(reg::TEXUNIT3_PROCTEX3::v_frequency, 0x3C00);
        list.set(reg::TEXUNIT3_PROCTEX4::width, 128);
        list.set(reg::TEXUNIT3_PROCTEX4::filter, ProcTexFilter::Linear);
        scene.combine(0, CombinerOp::Replace, CombinerSource::Texture3);
    }
    void lights(u32 count, u32 tables)
    {
        is_lit = true;
        lit.begin({}, 8, tables);
        for (u32 i = 0; i < count; ++i)
            lit.light(i, {.position = {f32(i) - 3, 1, -2},
                          .diffuse = 0x404040,
                          .specular0 = tables != 0 ? 0x404040u : 0u,
                          .attenuation_scale = 0.25f});
        lit.lights(count);
        scene.combine(0, CombinerOp::Replace, CombinerSource::FragmentPrimary);
        scene.combine(1, tables != 0 ? CombinerOp::Add : CombinerOp::Replace, CombinerSource::Previous,
                      CombinerSource::FragmentSecondary);
        scene.depth_test(CompareFunc::Always, false);
    }
};

struct Block
{
    const char* name;
    const char* base; // what the difference is to
    std::function<void(Bench&)> setup;
};

const std::vector<Block>& blocks()
{
    using Source = CombinerSource;
    static const std::vector<Block> list = {
        {"constant colour", "", [](Bench& b) { b.stage(0, CombinerOp::Replace, Source::Constant); }},
        {"primary colour", "constant colour", [](Bench&) {}},
        {"texture, nearest", "constant colour", [](Bench& b) { b.texture(0, TextureFilter::Nearest); }},
        {"texture, linear", "constant colour", [](Bench& b) { b.texture(0, TextureFilter::Linear); }},
        {"texture, trilinear", "constant colour",
         [](Bench& b)
         {
             b.texture(0, TextureFilter::Linear, true);
             b.scene.list.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
             b.repeats = 20;
         }},
        {"second texture", "texture, linear",
         [](Bench& b)
         {
             b.texture(0, TextureFilter::Linear);
             b.texture(1, TextureFilter::Linear);
         }},
        {"projection", "texture, linear", [](Bench& b) { b.type(TextureType::Projection); }},
        {"cube map", "texture, linear", [](Bench& b) { b.type(TextureType::Cube); }},
        {"shadow map", "constant colour", [](Bench& b) { b.type(TextureType::Shadow2D); }},
        {"procedural texture", "constant colour", [](Bench& b) { b.proctex(false); }},
        {"procedural noise", "procedural texture", [](Bench& b) { b.proctex(true); }},
        {"five more stages", "primary colour",
         [](Bench& b)
         {
             for (u32 n = 1; n < 6; ++n)
                 b.scene.combine(n, CombinerOp::AddSigned, Source::Previous, Source::PrimaryColor);
         }},
        {"alpha test", "primary colour",
         [](Bench& b)
         {
             b.scene.list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
             b.scene.list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc::Greater);
         }},
        {"depth test", "primary colour",
         [](Bench& b) { b.scene.depth_test(CompareFunc::LessOrEqual, true); }},
        {"stencil", "primary colour",
         [](Bench& b)
         {
             b.scene.stencil(CompareFunc::Always, 1);
             b.scene.stencil_ops(StencilOp::Keep, StencilOp::Keep, StencilOp::IncrementWrap);
         }},
        {"blending", "primary colour", [](Bench& b) { b.scene.alpha_blending(); }},
        {"logic operation", "primary colour",
         [](Bench& b)
         {
             b.scene.list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::LogicOp);
             b.scene.list.set(reg::LOGIC_OP::op, LogicOp::Xor);
         }},
        {"fog", "primary colour",
         [](Bench& b) { b.scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Fog); }},
        {"gas shading", "primary colour",
         [](Bench& b) { b.scene.list.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::Gas); }},
        {"one light, diffuse", "constant colour", [](Bench& b) { b.lights(1, 0); }},
        {"eight lights, diffuse", "one light, diffuse", [](Bench& b) { b.lights(8, 0); }},
        {"specular table", "one light, diffuse", [](Bench& b) { b.lights(1, LitScene::kD0); }},
        {"all tables", "specular table",
         [](Bench& b)
         {
             b.lights(1, LitScene::kD0 | LitScene::kD1 | LitScene::kRR | LitScene::kRG | LitScene::kRB |
                             LitScene::kFR);
             b.scene.list.set(reg::LIGHTING_CONFIG0::fresnel_primary_alpha, true);
         }},
        {"spot and distance", "one light, diffuse",
         [](Bench& b)
         {
             b.lights(1, 1u << 8 | 1u << 24);
             b.scene.combine(1, CombinerOp::Replace, Source::Previous);
         }},
        {"normal map", "one light, diffuse",
         [](Bench& b)
         {
             b.lights(1, 0);
             b.texture(0, TextureFilter::Linear);
             b.scene.combine(0, CombinerOp::Replace, Source::FragmentPrimary);
             b.scene.list.set(reg::LIGHTING_CONFIG0::bump_mode, BumpMode::NormalMap);
         }},
    };
    return list;
}

// One frame: the state, then the rectangles.
Trace make_trace(const Block& block, const Settings& settings)
{
    StreamScene scene;
    const SceneTarget target =
        scene.make_target(settings.size, settings.size, ColorFormat::RGBA8, DepthFormat::D24S8);
    scene.use_target(target);
    scene.clear(target, 0, 0xFFFFFF);
    scene.plain_state();
    scene.standard_program();
    scene.matrix_2d();
    Bench bench(scene);
    block.setup(bench);
    const f32 size = f32(settings.size);
    for (u32 i = 0; i < settings.draws; ++i)
    {
        if (bench.is_lit)
        {
            bench.lit.draw(bench.plane, {{0, 0, 0, 1}, {0, 0, -4}, 2});
            continue;
        }
        const f32 uv = bench.repeats;
        const std::array<StreamVertex, 4> corners = {{{0, size, 0.5f, 255, 0, 40, 200, 0, 0},
                                                      {size, size, 0.5f, 0, 255, 80, 180, uv, 0},
                                                      {0, 0, 0.5f, 30, 90, 255, 160, 0, uv},
                                                      {size, 0, 0.5f, 200, 200, 10, 90, uv, uv}}};
        scene.draw(corners, Topology::TriangleStrip);
    }
    scene.submit();
    scene.trace.frame_marker();
    Result<Trace> trace = Trace::parse(scene.trace.finish());
    if (!trace)
    {
        std::fprintf(stderr, "block_costs: %s\n", trace.error().message.c_str());
        std::exit(1);
    }
    return std::move(*trace);
}

class Quiet final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// Nanoseconds of one pass, its results in guest memory.
double play(const Trace& trace, Backend& backend, Report& report)
{
    const auto start = std::chrono::steady_clock::now();
    Gpu gpu(backend, report);
    TracePlayer player(trace, gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    for (const MemoryRegion& region : backend.memory().regions())
        backend.will_read(region.base, u32(region.bytes.size()));
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

std::unique_ptr<renderer::Renderer> make_vulkan(renderer::UbershaderChoice shaders, GuestMemory& memory,
                                                Report& report)
{
    renderer::Options options;
    options.ubershader = shaders;
    auto vulkan = renderer::Renderer::create(options, memory, report);
    if (!vulkan)
    {
        std::fprintf(stderr, "block_costs: %s\n", vulkan.error().message.c_str());
        std::exit(1);
    }
    return std::move(*vulkan);
}

u32 number_argument(const char* text)
{
    const long value = std::strtol(text, nullptr, 10);
    return value >= 1 && value <= 1024 ? u32(value) : 0;
}

} // namespace

int main(int argc, char** argv)
{
    Settings settings;
    for (int i = 1; i < argc; i += 2)
    {
        const std::string name = argv[i];
        u32* value = name == "--size"     ? &settings.size
                     : name == "--draws"  ? &settings.draws
                     : name == "--passes" ? &settings.passes
                                          : nullptr;
        if (value == nullptr || i + 1 == argc || (*value = number_argument(argv[i + 1])) == 0 ||
            settings.size % 8 != 0)
        {
            std::fputs(
                "usage: block_costs [--size PIXELS] [--draws N] [--passes N]   (1..1024, size a multiple of "
                "8)\n",
                stderr);
            return 2;
        }
    }
    Quiet report;
    constexpr u32 kBackends = 3;
    GuestArena arenas[kBackends];
    SoftwareCore software(arenas[0].memory(), report);
    const auto specialised = make_vulkan(renderer::UbershaderChoice::Never, arenas[1].memory(), report);
    const auto ubershader = make_vulkan(renderer::UbershaderChoice::Always, arenas[2].memory(), report);
    Backend* const backends[kBackends] = {&software, specialised.get(), ubershader.get()};

    const double fragments = double(settings.size) * settings.size * settings.draws;
    std::printf("%s\nns per fragment, and more than the row in brackets; %.0f fragments, best of %u\n",
                specialised->description().c_str(), fragments, settings.passes);
    std::printf("%-22s %17s %17s %17s\n", "block", "software", "vulkan", "ubershader");
    std::vector<std::array<double, kBackends>> costs;
    for (const Block& block : blocks())
    {
        const Trace trace = make_trace(block, settings);
        std::array<double, kBackends> cost;
        for (u32 i = 0; i < kBackends; ++i)
        {
            play(trace, *backends[i], report); // compiles
            cost[i] = play(trace, *backends[i], report);
            for (u32 pass = 1; pass < settings.passes; ++pass)
                cost[i] = std::min(cost[i], play(trace, *backends[i], report));
            cost[i] /= fragments;
        }
        costs.push_back(cost);
        std::printf("%-22s", block.name);
        std::size_t base = 0;
        while (base < blocks().size() && std::string(blocks()[base].name) != block.base)
            ++base;
        for (u32 i = 0; i < kBackends; ++i)
        {
            if (base < costs.size())
                std::printf(" %8.2f %+8.2f", cost[i], cost[i] - costs[base][i]);
            else
                std::printf(" %8.2f %8s", cost[i], "");
        }
        std::printf("%s%s\n", *block.base != 0 ? "  (" : "",
                    *block.base != 0 ? (std::string(block.base) + ")").c_str() : "");
        std::fflush(stdout);
    }
    if (!specialised->status() || !ubershader->status())
        return 1;
    std::printf("%zu blocks\n", costs.size());
    return 0;
}
