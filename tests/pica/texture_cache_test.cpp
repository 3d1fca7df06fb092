// SPDX-License-Identifier: MIT
#include "pica/soft/texture_cache.h"

#include "pica/memory/guest_arena.h"
#include "tests/support/third_parts.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pica;
using tests::ThirdParts;

namespace
{

TextureBinding binding(u32 number)
{
    return {kVramBase + number * 64, 8, 8, TextureFormat::I8};
}

} // namespace

TEST_CASE("texture cache: decodes once, again only after a write to the texture's pages")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    arena.vram()[0] = 7; // memory row 0: the last t
    const u32* texels = cache.get(binding(0), arena.memory());
    CHECK(texels[7 * 8] == 0xFF070707u);
    CHECK(cache.get(binding(0), arena.memory()) == texels);
    CHECK(cache.decoded() == 1);
    CHECK(cache.decoded_bytes() == 64);
    arena.memory().did_write(kVramBase + 0x10000, 4);
    cache.get(binding(0), arena.memory());
    CHECK(cache.decoded() == 1);
    CHECK(cache.decoded_bytes() == 64); // nothing for an unchanged texture
    arena.vram()[0] = 9;
    arena.memory().did_write(kVramBase, 1);
    CHECK(cache.get(binding(0), arena.memory())[7 * 8] == 0xFF090909u);
    CHECK(cache.decoded() == 2);
    CHECK(cache.decoded_bytes() == 128);
}

TEST_CASE("texture cache: what several threads decode is what one decodes")
{
    GuestArena arena(0x1000);
    for (std::size_t i = 0; i < arena.vram().size(); ++i)
        arena.vram()[i] = static_cast<u8>(i * 7 + i / 253);
    for (const TextureBinding& texture :
         {TextureBinding{kVramBase, 256, 256, TextureFormat::RGBA8, 3},
          TextureBinding{kVramBase, 1024, 64, TextureFormat::ETC1},
          TextureBinding{kVramBase, 16, 1024, TextureFormat::RGB565},
          TextureBinding{kVramBase + pica::kVramSize - 0x10000, 256, 128, TextureFormat::RGBA8}})
    {
        soft::TextureCache one, several;
        ThirdParts sharer;
        const u32* const expected = one.get(texture, arena.memory());
        const u32* const texels = several.get(texture, arena.memory(), &sharer);
        u32 count = 0;
        for (u32 level = 0; level < texture.levels; ++level)
            count += (u32{texture.width} >> level) * (u32{texture.height} >> level);
        CHECK(std::any_of(expected, expected + count, [](u32 texel) { return texel != 0; }));
        CHECK(std::equal(expected, expected + count, texels));
        CHECK(sharer.shared_parts > texture.levels);
    }
}

TEST_CASE("texture cache: what changes beside a texture in its pages decodes nothing; its own bytes there do")
{
    // From the middle of a page to the middle of another; and inside of one page.
    for (const TextureBinding& texture : {TextureBinding{kVramBase + 0x10800, 64, 64, TextureFormat::RGBA8},
                                          TextureBinding{kVramBase + 0x10800, 8, 8, TextureFormat::RGBA8}})
    {
        const u32 size = texture.byte_size();
        GuestArena arena(0x1000);
        soft::TextureCache cache;
        const u32* const texels = cache.get(texture, arena.memory());
        const u32 first = texels[0];
        // Twice: the generation of the first change counts afterwards.
        for (u32 round = 1; round < 3; ++round)
        {
            arena.memory().write32(texture.address - 4, round);
            arena.memory().write32(texture.address + size, round);
            CHECK(cache.get(texture, arena.memory()) == texels);
        }
        CHECK(cache.decoded() == 1);
        u64 decoded = 1;
        for (const u32 offset : {0u, size - 4, size / 2 & ~3u})
        {
            arena.memory().write32(texture.address - 4, 100 + offset);
            arena.memory().write32(texture.address + offset, 0xFFFFFFFF);
            cache.get(texture, arena.memory());
            CHECK(cache.decoded() == ++decoded);
        }
        CHECK(first == 0);
        CHECK(cache.get(texture, arena.memory())[texture.width * (texture.height - 1)] == 0xFFFFFFFF);
    }
}

TEST_CASE("texture cache: a write to any page of a texture and its levels is seen, and none beside it")
{
    // 64 x 64 of four bytes and three smaller levels, from the middle of a page on: 21,760 bytes in six
    // pages.
    constexpr PhysAddr kAddress = kVramBase + 0x10800;
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    const TextureBinding large{kAddress, 64, 64, TextureFormat::RGBA8, 4};
    const u32 size = large.byte_size();
    REQUIRE(size == (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8) * 4);
    cache.get(large, arena.memory());
    u64 decoded = cache.decoded();
    for (u32 offset = 0; offset < size; offset += 0x800)
    {
        CAPTURE(offset);
        const PhysAddr at = kAddress + std::min(offset, size - 4);
        arena.memory().write32(at, arena.memory().read32(at) + 1);
        cache.get(large, arena.memory());
        CHECK(cache.decoded() == ++decoded);
    }
    arena.memory().write32(kAddress + size - 4, 0x04030201); // the last level's last texel
    const u32* texels = cache.get(large, arena.memory());
    CHECK(cache.decoded() == ++decoded);
    CHECK(std::count(texels + size / 4 - 64, texels + size / 4, 0x01020304u) == 1);
    for (const PhysAddr beside : {kVramBase + 0xF000u, (kAddress + size + 0xFFF) & ~0xFFFu})
    {
        arena.memory().write32(beside, 1);
        cache.get(large, arena.memory());
        CHECK(cache.decoded() == decoded);
    }
}

TEST_CASE("texture cache: keeps many textures apart and forgets those that are not used")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    for (u32 i = 0; i < 300; ++i)
        arena.vram()[i * 64] = static_cast<u8>(i);
    u32 wrong = 0;
    for (u32 round = 0; round < 2; ++round)
        for (u32 i = 0; i < 300; ++i)
            wrong += (cache.get(binding(i), arena.memory())[7 * 8] & 255) != (i & 255);
    CHECK(wrong == 0);
    CHECK(cache.decoded() == 300);
    for (u32 frame = 0; frame < 100; ++frame)
    {
        cache.get(binding(5), arena.memory());
        cache.end_frame();
    }
    CHECK(cache.decoded() == 300);
    cache.get(binding(6), arena.memory());
    CHECK(cache.decoded() == 301);
}

TEST_CASE("texture cache: more textures than a fresh table holds survive the forgetting of others")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    cache.get(binding(0), arena.memory());
    for (u32 frame = 0; frame < 100; ++frame)
    {
        for (u32 i = 1; i <= 200; ++i)
            cache.get(binding(i), arena.memory());
        cache.end_frame(); // binding 0 goes after a while
    }
    cache.get(binding(201), arena.memory());
    CHECK(cache.decoded() == 202);
}

TEST_CASE("texture cache: memory stays bounded whatever a frame names")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    for (u32 i = 0; i < 300; ++i)
    {
        const TextureBinding large{kVramBase + i * 64, 1024, 1024, TextureFormat::A4};
        cache.begin_draw();
        CHECK_FALSE(cache.is_full());
        const u32* first = cache.get(large, arena.memory());
        cache.get(binding(2 * i), arena.memory());
        cache.get(binding(2 * i + 1), arena.memory());
        CHECK(first[0] == 0); // still there for its draw
    }
    CHECK(cache.bytes() < u64{300} << 20);
}

TEST_CASE("texture cache: no texture goes before the next draw begins")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    const auto large = [](u32 i) {
        return TextureBinding{kVramBase + i * 64, 1024, 1024, TextureFormat::A4};
    };
    const u32* const first = cache.get(large(0), arena.memory());
    for (u32 i = 1; i < 80; ++i)
        cache.get(large(i), arena.memory());
    CHECK(cache.is_full());
    CHECK(cache.get(large(0), arena.memory()) == first);
    CHECK(cache.decoded() == 80);
    cache.begin_draw();
    CHECK_FALSE(cache.is_full());
    cache.get(large(1), arena.memory());
    CHECK(cache.decoded() == 81);
}

TEST_CASE("texture cache: textures beyond memory are 0")
{
    GuestArena arena(0x1000);
    soft::TextureCache cache;
    const u32* texels = cache.get({0x10000000, 8, 8, TextureFormat::RGBA8}, arena.memory());
    for (u32 i = 0; i < 64; ++i)
        REQUIRE(texels[i] == 0);
}
