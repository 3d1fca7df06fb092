// SPDX-License-Identifier: MIT
#include "renderer/residency/opaque_textures.h"

#include "pica/memory/guest_arena.h"
#include "pica/memory/guest_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/texel.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tests;
using namespace pica;
using renderer::OpaqueTextures;

namespace
{

constexpr u32 kSize = 16; // texels, in both directions

bool all_texels_are_opaque(TextureFormat format, std::span<const u8> bytes)
{
    std::vector<u32> texels(kSize * kSize);
    decode_texture(bytes, format, kSize, kSize, texels.data());
    return std::all_of(texels.begin(), texels.end(), [](u32 texel) { return texel >> 24 == 0xFF; });
}

TextureBinding texture_at(PhysAddr address, TextureFormat format)
{
    return {address, kSize, kSize, format, 1};
}

void fill(GuestMemory& memory, const TextureBinding& texture, u8 byte)
{
    const std::span<u8> bytes = memory.span(texture.address, texture.byte_size());
    std::fill(bytes.begin(), bytes.end(), byte);
    memory.did_write(texture.address, texture.byte_size());
}

} // namespace

TEST_CASE("opaque textures: the bits of alphas are those that the decoder takes")
{
    Random random(3);
    for (u32 f = 0; f < kTextureFormatCount; ++f)
    {
        const auto format = static_cast<TextureFormat>(f);
        std::vector<u8> bytes(texture_at(0, format).byte_size());
        CAPTURE(f);
        for (u8& byte : bytes)
            byte = static_cast<u8>(random.next());
        CHECK(renderer::stores_alpha(format) == !all_texels_are_opaque(format, bytes));
        // From any bits to alphas of 255: each bit that the decoder needs is one that is looked at, and no other.
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            std::vector<u8> full(bytes.size(), 0xFF);
            full[i] = static_cast<u8>(random.next());
            REQUIRE(renderer::alphas_are_full(format, full) == all_texels_are_opaque(format, full));
        }
        CHECK(renderer::alphas_are_full(format, bytes) == all_texels_are_opaque(format, bytes));
    }
}

TEST_CASE("opaque textures: sizes that are no multiple of what is looked at together")
{
    std::vector<u8> bytes(5000, 0xFF);
    for (const std::size_t size : {0, 1, 15, 16, 17, 1023, 1024, 1025, 4999})
    {
        const std::span<const u8> part(bytes.data(), size);
        CHECK(renderer::alphas_are_full(TextureFormat::A8, part));
        if (size == 0)
            continue;
        bytes[size - 1] = 0xFE;
        CHECK(!renderer::alphas_are_full(TextureFormat::A8, part));
        bytes[size - 1] = 0xFF;
    }
}

TEST_CASE("opaque textures: what was written and announced decides from then on")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    OpaqueTextures textures(memory, [](PhysAddr, u64) { return false; });
    const TextureBinding texture = texture_at(kVramBase + 0x1000, TextureFormat::RGBA8);
    CHECK(!textures.contains(texture));
    fill(memory, texture, 0xFF);
    CHECK(textures.contains(texture));
    CHECK(textures.contains(texture));
    memory.write32(texture.address + texture.byte_size() - 4, 0xFFFFFFFE);
    CHECK(!textures.contains(texture));
    memory.write32(texture.address + texture.byte_size() - 4, 0x000000FF);
    CHECK(textures.contains(texture));
    TextureBinding larger = texture;
    larger.height *= 2;
    CHECK(!textures.contains(larger));
    larger = texture;
    larger.format = TextureFormat::A8; // the same address
    memory.write32(texture.address, 0x000000FF);
    CHECK(textures.contains(texture));
    CHECK(!textures.contains(larger));
    memory.write32(texture.address + 0x20000, 1); // elsewhere
    CHECK(textures.contains(texture));
}

TEST_CASE("opaque textures: levels count, and so do texels beyond memory")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    OpaqueTextures textures(memory, [](PhysAddr, u64) { return false; });
    TextureBinding texture = texture_at(kVramBase, TextureFormat::RGBA4);
    fill(memory, texture, 0x0F);
    CHECK(textures.contains(texture));
    texture.levels = 2;
    CHECK(!textures.contains(texture));
    fill(memory, texture, 0x0F);
    CHECK(textures.contains(texture));

    for (const TextureFormat format : {TextureFormat::RGBA8, TextureFormat::RGB565})
    {
        TextureBinding last = texture_at(0, format);
        last.address = kVramBase + static_cast<u32>(arena.vram().size()) - last.byte_size();
        fill(memory, last, 0xFF);
        CHECK(textures.contains(last));
        last.address += 64; // its last texels are 0
        CHECK(!textures.contains(last));
    }
}

TEST_CASE("opaque textures: nothing is said, or looked at, while the device has newer bytes")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    bool newer = false;
    PhysAddr asked = 0;
    OpaqueTextures textures(memory,
                            [&](PhysAddr address, u64)
                            {
                                asked = address;
                                return newer;
                            });
    const TextureBinding texture = texture_at(kVramBase + 0x2000, TextureFormat::IA8);
    fill(memory, texture, 0xFF);
    newer = true;
    CHECK(!textures.contains(texture));
    CHECK(asked == texture.address);
    newer = false;
    CHECK(textures.contains(texture));
    // A readback replaces bytes without a new generation: the pages have had it when the device wrote.
    memory.device_wrote(texture.address, texture.byte_size(), PageContents::Overwrites::All);
    newer = true;
    CHECK(!textures.contains(texture));
    const std::span<u8> bytes = memory.span(texture.address, texture.byte_size());
    std::fill(bytes.begin(), bytes.end(), u8{0});
    memory.made_current(texture.address, texture.byte_size());
    newer = false;
    CHECK(!textures.contains(texture));
}

TEST_CASE("opaque textures: many are forgotten together, and found again")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    OpaqueTextures textures(memory, [](PhysAddr, u64) { return false; });
    const u32 bytes = texture_at(0, TextureFormat::A4).byte_size();
    for (u32 round = 0; round < 2; ++round)
        for (u32 i = 0; i < OpaqueTextures::kMost + 10; ++i)
        {
            const TextureBinding texture = texture_at(kVramBase + i * bytes, TextureFormat::A4);
            if (round == 0)
                fill(memory, texture, i % 2 == 0 ? 0xFF : 0xEF);
            REQUIRE(textures.contains(texture) == (i % 2 == 0));
        }
}
