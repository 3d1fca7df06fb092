// SPDX-License-Identifier: MIT
// How much memory a guest can make the Vulkan backend use: textures and upload memory are bounded within a
// frame too, the picture is that of the software core, and the memory of a burst is freed again.
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/renderer.h"
#include "renderer/vulkan/upload_ring.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/message_of.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace tests;

namespace
{

constexpr u64 kMebibyte = u64{1} << 20;
// Four submissions at work and the one being recorded, each with the last operation's, at most 8 MiB here.
constexpr u64 kMostUploads = 5 * (renderer::UploadRing::kSubmissionBytes + 8 * kMebibyte);

// The same draws by both cores, each with a memory of its own.
struct Cores
{
    GuestArena software_arena, vulkan_arena;
    KeptReport report;
    SoftwareCore software{software_arena.memory(), report};
    std::unique_ptr<renderer::Renderer> vulkan;

    explicit Cores(renderer::Options options)
    {
        options.validation = true;
        options.self_test = false;
        options.ubershader = renderer::UbershaderChoice::Never;
        auto created = renderer::Renderer::create(options, vulkan_arena.memory(), report);
        REQUIRE_MESSAGE(created, message_of(created));
        vulkan = std::move(*created);
        for (GuestArena* arena : {&software_arena, &vulkan_arena})
        {
            Random noise(1);
            const std::span<u8> bytes = arena->vram();
            for (u8& byte : bytes)
                byte = u8(noise.next());
            arena->memory().did_write(kVramBase, u32(bytes.size()));
        }
    }
    ~Cores()
    {
        CHECK(vulkan->status());
        for (const std::string& message : vulkan->validation_messages())
            FAIL_CHECK(message);
    }
    void draw(const Draw& draw)
    {
        software.draw(draw);
        vulkan->draw(draw);
    }
    bool equal()
    {
        vulkan->will_read(kVramBase, kVramSize);
        return std::memcmp(software_arena.vram().data(), vulkan_arena.vram().data(), kVramSize) == 0;
    }
};

// A random triangle with two textures of this size, each elsewhere in the same noise; blended, so that every
// draw shows in the end.
void textured_triangle(DrawScene& scene, Random& random, u32 number, u16 size)
{
    Draw& draw = scene.state;
    for (u32 unit = 0; unit < 2; ++unit)
    {
        TextureUnitKey& key = draw.fragment.texture[unit];
        key = {};
        key.type = TextureType::Texture2D;
        key.texcoord = u8(unit);
        draw.texture[unit] = {DrawScene::kTextures + (number * 2 + unit) * 0x80, size, size,
                              TextureFormat::RGBA4};
    }
    TexEnvStageKey& stage = draw.fragment.texenv[0];
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
    stage.color_source[1] = stage.alpha_source[1] = CombinerSource::Texture1;
    stage.color_op = stage.alpha_op = CombinerOp::Add;
    scene.vertices.clear();
    random_triangles(scene, random, 1);
}

// Triangles between the centres of pixels, so that nothing is rasterised, but for the last one.
void tiny_triangles(DrawScene& scene, Random& random, u32 count)
{
    scene.vertices.clear();
    for (u32 i = 0; i < count; ++i)
    {
        const f32 x = f32(random.below(63)) + 0.6f, y = f32(random.below(63)) + 0.6f;
        const std::pair<f32, f32> corners[] = {{0, 0}, {0.25f, 0}, {0, 0.25f}};
        for (const auto& [dx, dy] : corners)
            scene.add({.position = scene.at(x + dx, y + dy), .color = {0, 0.5f, 1, 1}});
    }
    random_triangles(scene, random, 1);
}

u64 image_bytes(u16 size)
{
    return u64{size} * size * 4;
}

} // namespace

TEST_CASE("memory budget: a frame of many textures stays within it, and the picture is right")
{
    constexpr u16 kSize = 64;
    renderer::Options options;
    options.texture_budget = 64 * image_bytes(kSize);
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(3);
    const u64 before = cores.vulkan->statistics().texture_decodes;
    for (u32 frame = 0; frame < 2; ++frame)
    {
        for (u32 i = 0; i < 300; ++i)
        {
            textured_triangle(scene, random, i, kSize);
            // Some come back in the same frame: dropped ones are decoded again.
            if (i % 7 == 0)
                scene.state.texture[0].address = DrawScene::kTextures;
            cores.draw(scene.draw());
        }
        cores.vulkan->end_frame();
        cores.software.end_frame();
        CHECK(cores.equal());
    }
    const renderer::Statistics s = cores.vulkan->statistics();
    CHECK(s.texture_decodes - before >= 700); // far more than fit
    // What one draw uses, and what its images are rounded up by, may be above.
    CHECK(s.texture_memory_peak <= options.texture_budget + 4 * image_bytes(kSize));
    CHECK(s.texture_memory_peak >= options.texture_budget / 2);
    CHECK(s.texture_memory <= s.texture_memory_peak);
    // Draws are still collected: a draw batch ends where a quarter of the budget is needed, not at every
    // texture.
    CHECK(s.batches < 2 * 600 / 8);
}

TEST_CASE("memory budget: one draw may use more than all of it")
{
    renderer::Options options;
    options.texture_budget = 1;
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(5);
    for (u32 i = 0; i < 12; ++i)
    {
        textured_triangle(scene, random, i, 64);
        // It is there when the other one needs its room.
        scene.state.texture[0].address = DrawScene::kTextures;
        cores.draw(scene.draw());
    }
    CHECK(cores.equal());
    CHECK(cores.vulkan->statistics().texture_memory_peak <= 4 * image_bytes(64));
}

TEST_CASE("memory budget: a renderer starts with little memory on the device")
{
    for (const auto executor : {renderer::VertexExecutorChoice::Cpu, renderer::VertexExecutorChoice::Compute})
    {
        renderer::Options options;
        options.vertex_executor = executor;
        Cores cores(options);
        const renderer::Statistics s = cores.vulkan->statistics();
        CHECK(s.device_memory <= 32 * kMebibyte);
        CHECK(s.mirror_memory <= kMebibyte);
        CHECK(s.vertex_memory <= 4 * kMebibyte);
        CHECK(s.device_memory >= s.mirror_memory + s.vertex_memory + s.upload_memory + s.texture_memory);
    }
}

TEST_CASE("memory budget: vertex work takes what its records need, and gives it back")
{
    renderer::Options options;
    options.vertex_executor = renderer::VertexExecutorChoice::Compute;
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(7);
    const renderer::Statistics start = cores.vulkan->statistics();
    const auto draw = [&](u32 triangles)
    {
        tiny_triangles(scene, random, triangles);
        cores.draw(scene.draw());
        cores.vulkan->end_frame();
        CHECK(cores.equal());
        return cores.vulkan->statistics();
    };
    constexpr u64 kTriangles = 10000;
    const renderer::Statistics burst = draw(kTriangles);
    REQUIRE(burst.device_draws == 1);
    // A triangle has three vertices, and up to nine records and positions. Records of a colour have 24 words.
    CHECK(burst.vertex_memory >= kTriangles * (3 * 96 + 9 * (24 * 4 + 24)));
    CHECK(burst.vertex_memory <= kTriangles * (3 * 96 + 9 * (24 * 4 + 24)) + 2 * kMebibyte);
    for (u32 frame = 0; frame < 400; ++frame)
    {
        if (frame % 20 == 0)
            draw(1);
        else
            cores.vulkan->end_frame();
    }
    const renderer::Statistics after = cores.vulkan->statistics();
    CHECK(after.device_draws == 21);
    CHECK(after.vertex_memory <= start.vertex_memory);
    CHECK(after.device_memory <= start.device_memory + 8 * kMebibyte);
    CHECK(draw(kTriangles).device_draws == 22);
}

TEST_CASE("memory budget: batches of draws with records of many sizes lie in memory that grows")
{
    renderer::Options options;
    options.vertex_executor = renderer::VertexExecutorChoice::Compute;
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(8);
    u64 most = 0;
    for (u32 frame = 0; frame < 3; ++frame)
    {
        for (u32 i = 0; i < 24; ++i)
        {
            textured_triangle(scene, random, i, 64);
            // One texture, two, or none; a draw of hundreds of triangles now and then.
            for (u32 unit = 0; unit < 2; ++unit)
                if (random.below(2) == 0)
                    scene.state.fragment.texture[unit] = {};
            if (i % 5 == 0)
                tiny_triangles(scene, random, 200 << (i / 5));
            cores.draw(scene.draw());
        }
        cores.vulkan->end_frame();
        CHECK(cores.equal());
        most = std::max(most, cores.vulkan->statistics().vertex_memory);
    }
    CHECK(cores.vulkan->statistics().device_draws == 72);
    CHECK(most >= 4 * kMebibyte);
    CHECK(most <= 32 * kMebibyte);
}

TEST_CASE("memory budget: upload memory is bounded inside a frame and given back after it")
{
    constexpr u16 kSize = 1024;
    renderer::Options options;
    options.texture_budget = 1024 * kMebibyte;
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(4);
    const u64 idle = cores.vulkan->statistics().device_memory;
    // 320 MiB of texels.
    for (u32 i = 0; i < 40; ++i)
    {
        textured_triangle(scene, random, i, kSize);
        cores.draw(scene.draw());
    }
    cores.vulkan->end_frame();
    CHECK(cores.equal());
    const renderer::Statistics burst = cores.vulkan->statistics();
    CHECK(burst.texture_memory_peak >= 6 * renderer::UploadRing::kSubmissionBytes);
    CHECK(burst.upload_memory <= kMostUploads);
    CHECK(burst.upload_memory >= renderer::UploadRing::kSubmissionBytes / 2);
    // Nothing but small draws from then on; old textures go, too. Each draw is waited for: a device that is behind holds
    // the upload memory of every frame in flight, and frames of less than FramesInFlight::kTime are not bounded.
    textured_triangle(scene, random, 0, 64);
    for (u32 frame = 0; frame < 400; ++frame)
    {
        if (frame % 20 == 0)
        {
            cores.draw(scene.draw());
            CHECK(cores.equal());
        }
        cores.vulkan->end_frame();
    }
    const renderer::Statistics after = cores.vulkan->statistics();
    CHECK(after.upload_memory <= 8 * kMebibyte);
    CHECK(after.texture_memory <= kMebibyte);
    CHECK(after.device_memory <= idle + 16 * kMebibyte);
}

TEST_CASE("memory budget: a frame of many triangles does not hold all their records at once")
{
    renderer::Options options;
    options.vertex_executor = renderer::VertexExecutorChoice::Cpu; // which makes and counts the records
    Cores cores(options);
    DrawScene scene(64, 64);
    Random random(6);
    tiny_triangles(scene, random, 20000);
    scene.draw();
    for (u32 i = 0; i < 80; ++i)
        cores.vulkan->draw(scene.state);
    cores.software.draw(scene.state);
    cores.vulkan->end_frame();
    CHECK(cores.equal());
    const renderer::Statistics s = cores.vulkan->statistics();
    CHECK(s.triangles >= 80 * 20000);
    CHECK(s.upload_memory <= kMostUploads);
    CHECK(s.upload_memory >= renderer::UploadRing::kSubmissionBytes);
}

TEST_CASE("memory budget: blocks that are empty again are freed, and those in use stay")
{
    GpuFixture gpu;
    renderer::Memory& memory = *gpu.memory;
    memory.trim();
    const u64 before = memory.bytes_reserved();
    const auto image = [&]
    {
        auto made = memory.create_image({.format = VK_FORMAT_R8G8B8A8_UNORM,
                                         .width = 512,
                                         .height = 512,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                         .name = "test"});
        REQUIRE(made);
        return std::move(*made);
    };
    std::vector<renderer::Image> images;
    for (u32 i = 0; i < 40; ++i)
        images.push_back(image());
    const u64 all = memory.bytes_reserved();
    CHECK(all >= before + 36 * kMebibyte);
    memory.trim();
    CHECK(memory.bytes_reserved() == all);
    images.erase(images.begin() + 4, images.end());
    memory.trim();
    const u64 few = memory.bytes_reserved();
    CHECK(few >= before);
    CHECK(few <= before + 8 * kMebibyte);
    images.clear();
    memory.trim();
    CHECK(memory.bytes_reserved() <= before);
    images.push_back(image());
    CHECK(memory.bytes_reserved() > 0);
}
