// SPDX-License-Identifier: MIT
// Surfaces whose memory was filled: they are cleared in place of a load, or of a fill of their memory.
#include "pica/texture/pixel.h"
#include "renderer/residency/filled_ranges.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace tests;
using namespace renderer;
using pica::kVramBase;

namespace
{

pica::RenderTarget color_target(u32 offset, u16 side, pica::ColorFormat format = pica::ColorFormat::RGBA8)
{
    pica::RenderTarget target;
    target.color_address = kVramBase + offset;
    target.color_format = format;
    target.width = target.height = side;
    target.flip = 1;
    return target;
}

// A target whose memory lies between other bytes, and what happens to it.
struct Scene
{
    static constexpr u32 kOffset = 0x1000;

    explicit Scene(u32 scale = 1) : gpu({}, scale) {}

    GpuFixture gpu;
    const pica::RenderTarget target = color_target(kOffset, 64);
    const u32 bytes = target.color_bytes();

    // Fills [begin, end), counted from the start of VRAM.
    void fill(u32 begin, u32 end, u32 word, pica::FillWidth width = pica::FillWidth::Bits32)
    {
        pica::MemoryFill range;
        range.start = kVramBase + begin;
        range.end = kVramBase + end;
        range.value = word;
        range.width = width;
        gpu.transfers->memory_fill(range);
    }
    void fill_target(u32 word) { fill(kOffset, kOffset + bytes, word); }
    Surface& acquire(const pica::RenderTarget& wanted)
    {
        Surface* const surface = gpu.targets->acquire(wanted, SurfaceKind::Color);
        REQUIRE(surface);
        return *surface;
    }
    // Stands for a draw that hits no pixel.
    void draw_nothing()
    {
        Surface& surface = acquire(target);
        gpu.targets->use_as_attachment(surface);
        gpu.targets->mark_dirty(surface);
    }
    // Stands for a draw that gives each pixel this value of all channels.
    void draw(const pica::RenderTarget& to, u8 value)
    {
        Surface& surface = acquire(to);
        gpu.targets->use_as_attachment(surface);
        surface.access.use(*gpu.stream, kTransferWrite);
        const VkClearColorValue color{.uint32 = {value, value, value, value}};
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        gpu.device->vk.vkCmdClearColorImage(gpu.stream->cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                            &color, 1, &range);
        gpu.targets->mark_dirty(surface);
    }
    void write_word(u32 offset, u32 word)
    {
        std::vector<u8> data(4);
        pica::store_le<4>(data.data(), word);
        gpu.write(target.color_address + offset, data);
    }
    u32 word(u32 offset)
    {
        const std::vector<u8> data = gpu.read(target.color_address + offset, 4);
        return pica::load_le<4>(data.data());
    }
    // The first and the last word of the target.
    std::pair<u32, u32> ends() { return {word(0), word(bytes - 4)}; }
    const RenderTargets::Counters& counters() const { return gpu.targets->counters; }
};

} // namespace

TEST_CASE("filled surfaces: a render pass clears what was filled, where every device clears exactly")
{
    Scene scene;
    Surface& surface = scene.acquire(scene.target);
    RenderTargets& targets = *scene.gpu.targets;
    scene.fill_target(0xFF00FF00); // a word of memory is alpha, blue, green, red from its lowest byte
    const auto unorm = targets.use_as_clearable(surface, true);
    REQUIRE(unorm);
    CHECK(unorm->color.float32[0] == 1.0f);
    CHECK(unorm->color.float32[1] == 0.0f);
    CHECK(unorm->color.float32[2] == 1.0f);
    CHECK(unorm->color.float32[3] == 0.0f);
    CHECK_FALSE(targets.use_as_clearable(surface, true)); // once
    scene.fill_target(0x12345678);
    const auto codes = targets.use_as_clearable(surface, false);
    REQUIRE(codes);
    CHECK(codes->color.uint32[0] == 0x12);
    CHECK(codes->color.uint32[3] == 0x78);
    // Other values are cleared before the render pass, and for everything else that reads the surface.
    scene.fill_target(0x80FF00FF);
    CHECK_FALSE(targets.use_as_clearable(surface, true));
    CHECK(scene.word(0) == 0x80FF00FF);
    scene.fill_target(0x00FF00FF);
    CHECK(scene.word(scene.bytes - 4) == 0x00FF00FF);
}

TEST_CASE("filled surfaces: a surface that is made where memory was filled needs no load")
{
    Scene scene;
    scene.fill(0, Scene::kOffset + scene.bytes + 0x1000, 0x80FF00FF);
    scene.draw_nothing();
    CHECK(scene.counters().loads == 0);
    CHECK(scene.counters().clears == 1);
    CHECK(scene.ends() == std::pair{0x80FF00FFu, 0x80FF00FFu});
    // What is drawn over it is there when the surface is made again.
    scene.draw(scene.target, 7);
    for (u32 i = 0; i < 130; ++i)
        scene.gpu.targets->end_frame();
    scene.draw_nothing();
    CHECK(scene.counters().created == 2);
    CHECK(scene.counters().loads == 1);
    CHECK(scene.ends() == std::pair{0x07070707u, 0x07070707u});
}

TEST_CASE("filled surfaces: depth and stencil buffers are cleared to what was filled, in each format")
{
    struct Format
    {
        pica::DepthFormat depth;
        pica::FillWidth width;
        u32 bytes; // of a pixel
    };
    constexpr u32 kWord = 0x5A80FF01; // as D24S8: the stencil, then the depth
    for (const Format& format : {Format{pica::DepthFormat::D16, pica::FillWidth::Bits16, 2},
                                 Format{pica::DepthFormat::D24, pica::FillWidth::Bits24, 3},
                                 Format{pica::DepthFormat::D24S8, pica::FillWidth::Bits32, 4}})
        for (const u32 scale : {1u, 2u})
        {
            INFO(format.bytes, " bytes a pixel, ", scale, "x");
            Scene scene(scale);
            pica::RenderTarget target = color_target(0x40000, 64);
            target.has_depth = true;
            target.depth_address = kVramBase + Scene::kOffset;
            target.depth_format = format.depth;
            const u32 size = target.depth_bytes();
            REQUIRE(size == 64 * 64 * format.bytes);
            scene.fill(Scene::kOffset, Scene::kOffset + size, kWord, format.width);
            Surface* const depth = scene.gpu.targets->acquire(target, SurfaceKind::Depth);
            REQUIRE(depth);
            CHECK(scene.counters().loads == 0);
            CHECK(scene.counters().clears == 1);
            scene.gpu.targets->use_as_attachment(*depth);
            scene.gpu.targets->mark_dirty(*depth);
            const std::vector<u8> stored = scene.gpu.read(target.depth_address, size);
            u32 wrong = 0;
            for (u32 i = 0; i < size; ++i)
                wrong += stored[i] != u8(kWord >> i % format.bytes * 8);
            CHECK(wrong == 0);
        }
}

TEST_CASE("filled surfaces: at twice the resolution, what was filled comes back to memory")
{
    Scene scene(2);
    scene.fill_target(0x80FF00FF);
    scene.draw_nothing();
    CHECK(scene.counters().loads == 0);
    CHECK(scene.counters().clears == 1);
    CHECK(scene.ends() == std::pair{0x80FF00FFu, 0x80FF00FFu});
    // What the CPU writes to a part of it is loaded, and the rest stays.
    scene.write_word(scene.bytes - 4, 0xAABBCCDD);
    scene.draw_nothing();
    CHECK(scene.counters().loads == 1);
    CHECK(scene.ends() == std::pair{0x80FF00FFu, 0xAABBCCDDu});
}

TEST_CASE("filled surfaces: other bytes than a fill's are loaded")
{
    Scene scene;
    scene.write_word(scene.bytes - 4, 0xAABBCCDD);
    SUBCASE("the fill ends before the surface does")
    {
        scene.fill(Scene::kOffset, Scene::kOffset + scene.bytes - 16, 0x12345678);
        scene.draw_nothing();
        CHECK(scene.ends() == std::pair{0x12345678u, 0xAABBCCDDu});
    }
    SUBCASE("the CPU wrote after the fill")
    {
        scene.fill_target(0x12345678);
        scene.write_word(scene.bytes - 4, 0xAABBCCDE);
        scene.draw_nothing();
        CHECK(scene.ends() == std::pair{0x12345678u, 0xAABBCCDEu});
    }
    SUBCASE("another fill came after it")
    {
        scene.fill_target(0x12345678);
        scene.fill(Scene::kOffset, Scene::kOffset + 16, 0x11111111);
        scene.draw_nothing();
        CHECK(scene.ends() == std::pair{0x11111111u, 0x12345678u});
    }
    SUBCASE("pixels of two bytes differ")
    {
        scene.fill_target(0x12345678);
        (void)scene.acquire(color_target(Scene::kOffset, 64, pica::ColorFormat::RGB565));
    }
    SUBCASE("the frame is over")
    {
        scene.fill_target(0x12345678);
        scene.gpu.targets->end_frame();
        scene.draw_nothing();
        CHECK(scene.ends() == std::pair{0x12345678u, 0x12345678u});
    }
    CHECK(scene.counters().loads == 1);
}

TEST_CASE("filled surfaces: what another surface has drawn since is loaded")
{
    Scene scene;
    scene.fill_target(0x12345678);
    scene.draw(color_target(Scene::kOffset + 0x1000, 32), 5); // cleared as well
    CHECK(scene.counters().loads == 0);
    scene.draw_nothing();
    CHECK(scene.counters().loads == 1);
    CHECK(scene.word(0) == 0x12345678);
    CHECK(scene.word(0x1000) == 0x05050505);
    CHECK(scene.word(0x1FFC) == 0x05050505);
    CHECK(scene.word(0x2000) == 0x12345678);
}

// The first write to a page ends its protection, so the next one to the same page comes unheard.
TEST_CASE("filled surfaces: on a host that protects pages, what the CPU wrote after a write beside the "
          "surface is loaded")
{
    Scene scene;
    pica::GuestMemory& memory = scene.gpu.arena.memory();
    memory.pages().start_watching();
    const pica::RenderTarget target = color_target(Scene::kOffset + 0x100, 64); // ends inside of a page
    const u32 end = Scene::kOffset + 0x100 + target.color_bytes();
    const auto write_unheard = [&](u32 offset, u32 word)
    { pica::store_le<4>(memory.span(kVramBase + offset, 4).data(), word); };
    scene.fill(Scene::kOffset + 0x100, end, 0x12345678);
    SUBCASE("before the surface is made") {}
    SUBCASE("after it was made and stored")
    {
        (void)scene.acquire(target);
        CHECK(scene.counters().loads == 0);
        CHECK(scene.gpu.read(target.color_address, target.color_bytes()).front() == 0x78);
    }
    scene.write_word(end - Scene::kOffset + 0x10, 1); // beside it
    write_unheard(end - 4, 0xAABBCCDD);
    (void)scene.acquire(target);
    CHECK(scene.counters().loads == 1);
    scene.gpu.targets->mark_dirty(scene.acquire(target));
    const std::vector<u8> last = scene.gpu.read(kVramBase + end - 4, 4);
    CHECK(pica::load_le<4>(last.data()) == 0xAABBCCDD);
}

TEST_CASE("filled surfaces: a fill is known until something writes over a part of it")
{
    FilledRanges ranges;
    // Of a surface of these bytes; 0: unknown.
    const auto value_of = [&](PhysAddr address, u32 size)
    {
        SurfaceKey key;
        key.address = address;
        return ranges.pixel_of(key, size).value_or(0);
    };
    ranges.add({kVramBase, 64, 1, 4});
    ranges.add({kVramBase + 64, 64, 2, 4});
    CHECK(value_of(kVramBase, 64) == 1);
    CHECK(value_of(kVramBase + 68, 60) == 2);
    CHECK(value_of(kVramBase + 60, 8) == 0); // two fills
    ranges.written(kVramBase + 127, 4);
    CHECK(value_of(kVramBase, 64) == 1);
    CHECK(value_of(kVramBase + 64, 4) == 0);
    ranges.add({kVramBase + 60, 16, 3, 4});
    CHECK(value_of(kVramBase, 4) == 0);
    CHECK(value_of(kVramBase + 60, 16) == 3);
    // Of very many the newest stay.
    for (u32 i = 0; i < 1000; ++i)
        ranges.add({kVramBase + 0x1000 + i * 64, 64, i + 1, 4});
    std::vector<pica::AddressSpan> spans;
    ranges.append_to(spans);
    REQUIRE(spans.size() > 4);
    CHECK(spans.size() < 100);
    CHECK(spans.back().end == kVramBase + 0x1000 + 1000 * 64);
    CHECK(value_of(kVramBase + 0x1000 + 999 * 64, 64) == 1000);
}
