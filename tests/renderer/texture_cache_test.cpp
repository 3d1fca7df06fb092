// SPDX-License-Identifier: MIT
// Texture images against pica/texture, and what is decoded when.
#include "pica/texture/format.h"
#include "pica/texture/texel.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tests;
using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;
using pica::TextureFormat;

namespace
{

std::vector<u32> texels(GpuFixture& gpu, const pica::TextureBinding& binding)
{
    const TextureView view = gpu.textures->get(binding);
    REQUIRE(view.view());
    const u32 count = u32{binding.width} * binding.height;
    auto buffer = gpu.memory->create_buffer(count * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback,
                                            "texels");
    REQUIRE(buffer);
    REQUIRE(gpu.textures->copy_to(view.image(), buffer->buffer));
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    REQUIRE(gpu.memory->invalidate(*buffer));
    std::vector<u32> result(count);
    std::memcpy(result.data(), buffer->mapped, count * 4);
    return result;
}

// One level of one layer.
std::vector<u32> level_texels(GpuFixture& gpu, const TextureView& view, u32 width, u32 height, u32 level,
                              u32 layer)
{
    const u32 count = (width >> level) * (height >> level);
    auto buffer = gpu.memory->create_buffer(count * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback,
                                            "texels");
    REQUIRE(buffer);
    REQUIRE(gpu.textures->copy_to(view.image(), buffer->buffer, level, layer));
    REQUIRE(gpu.stream->wait(gpu.stream->current()));
    REQUIRE(gpu.memory->invalidate(*buffer));
    std::vector<u32> result(count);
    std::memcpy(result.data(), buffer->mapped, count * 4);
    return result;
}

std::vector<u32> expected_texels(GpuFixture& gpu, const pica::TextureBinding& binding)
{
    const u32 size = static_cast<u32>(pica::level_size(binding.format, binding.width, binding.height));
    const u32 present = gpu.guest.clamp_size(binding.address, size);
    const std::vector<u8> bytes = gpu.read(binding.address, present);
    std::vector<u32> result(u32{binding.width} * binding.height);
    pica::decode_texture(bytes, binding.format, binding.width, binding.height, result.data());
    return result;
}

} // namespace

TEST_CASE(
    "texture cache: levels lie behind each other, faces anywhere; from the CPU's and the device's bytes")
{
    GpuFixture gpu;
    Random random(23);
    for (u32 round = 0; round < 12; ++round)
    {
        CAPTURE(round);
        pica::TextureBinding binding;
        binding.width = static_cast<u16>(8u << random.below(4));
        binding.height = static_cast<u16>(8u << random.below(4));
        binding.format = static_cast<TextureFormat>(random.below(pica::kTextureFormatCount));
        binding.levels = static_cast<u8>(std::bit_width(std::min<u32>(binding.width, binding.height)) - 3);
        const u32 size = binding.byte_size();
        const bool cube = round % 2 != 0;
        const bool device = round % 4 >= 2;
        std::array<PhysAddr, 6> faces;
        for (u32 face = 0; face < 6; ++face)
            faces[face] = kFcramBase + 0x200000 + face * 0x10000;
        gpu.fill_random(random, kFcramBase, 0x60000);
        gpu.fill_random(random, faces[0], 0x60000);
        if (device)
        {
            pica::TextureCopy copy;
            copy.input = kFcramBase;
            copy.output = faces[0];
            copy.size = copy.input_width = copy.output_width = 0x60000;
            gpu.transfers->texture_copy(copy);
        }
        binding.address = faces[0];
        const TextureView view = gpu.textures->get(binding, cube ? &faces : nullptr);
        REQUIRE(view.view());
        for (u32 layer = 0; layer < (cube ? 6u : 1u); ++layer)
        {
            u32 offset = 0;
            for (u32 level = 0; level < binding.levels; ++level)
            {
                pica::TextureBinding of_level{faces[layer] + offset, static_cast<u16>(binding.width >> level),
                                              static_cast<u16>(binding.height >> level), binding.format};
                CAPTURE(level);
                CHECK(level_texels(gpu, view, binding.width, binding.height, level, layer) ==
                      expected_texels(gpu, of_level));
                offset += of_level.byte_size();
            }
            CHECK(offset == size);
        }
        // A byte of the last level of any face makes all of it stale.
        for (u32 face = 0; face < (cube ? 6u : 1u); ++face)
        {
            const u64 decodes = gpu.textures->counters.decodes;
            gpu.fill_random(random, faces[face] + size - 16, 16);
            (void)gpu.textures->get(binding, cube ? &faces : nullptr);
            CHECK(gpu.textures->counters.decodes == decodes + 1);
        }
    }
}

TEST_CASE("texture cache: all formats, from the CPU's bytes and from the device's")
{
    GpuFixture gpu;
    Random random(21);
    for (u32 format = 0; format < pica::kTextureFormatCount; ++format)
        for (u32 round = 0; round < 4; ++round)
        {
            CAPTURE(format);
            pica::TextureBinding binding;
            binding.address = (round & 1 ? kVramBase : kFcramBase) + random.below(0x100) * 8;
            binding.width = static_cast<u16>(8u << random.below(6));
            binding.height = static_cast<u16>(8u << random.below(6));
            binding.format = static_cast<TextureFormat>(format);
            const u32 size =
                static_cast<u32>(pica::level_size(binding.format, binding.width, binding.height));
            gpu.fill_random(random, binding.address, size);
            const u64 on_device = gpu.textures->decoder_counters().device_decodes;
            CHECK(texels(gpu, binding) == expected_texels(gpu, binding));
            CHECK(gpu.textures->decoder_counters().device_decodes == on_device);

            // The same bytes, written by a texture copy on the device.
            pica::TextureCopy copy;
            copy.input = binding.address & ~15u;
            copy.output = kFcramBase + 0x100000;
            copy.size = copy.input_width = copy.output_width = (size + 31) & ~15u;
            gpu.transfers->texture_copy(copy);
            pica::TextureBinding copied = binding;
            copied.address = copy.output + (binding.address & 15);
            const std::vector<u32> from_device = texels(gpu, copied);
            const bool compressed = format >= static_cast<u32>(TextureFormat::ETC1);
            CHECK(gpu.textures->decoder_counters().device_decodes == on_device + (compressed ? 0 : 1));
            CHECK(from_device == expected_texels(gpu, copied));
        }
}

TEST_CASE("texture cache: nothing is decoded twice while its pages stand still")
{
    GpuFixture gpu;
    Random random(22);
    gpu.fill_random(random, kFcramBase, 0x10000);
    pica::TextureBinding binding;
    binding.address = kFcramBase + 0x1000;
    binding.width = binding.height = 32;
    const TextureView first = gpu.textures->get(binding);
    for (u32 i = 0; i < 10; ++i)
        CHECK(gpu.textures->get(binding).image() == first.image());
    CHECK(gpu.textures->counters.decodes == 1);
    CHECK(gpu.textures->counters.decoded_bytes == 0x1000);
    const u8 bytes[] = {1};
    gpu.write(kFcramBase + 0x2000, bytes); // the page behind
    CHECK(gpu.textures->get(binding).image() == first.image());
    CHECK(gpu.textures->counters.decodes == 1);
    gpu.write(kFcramBase + 0x1FFF, bytes);
    const TextureView second = gpu.textures->get(binding);
    CHECK(second.image() != first.image()); // the batch that uses the first image is not recorded yet
    CHECK(gpu.textures->counters.decodes == 2);
    CHECK(texels(gpu, binding) == expected_texels(gpu, binding));
    gpu.stream->end_batch();
    gpu.write(kFcramBase + 0x1FFF, bytes);
    const TextureView third = gpu.textures->get(binding);
    CHECK((third.image() == first.image() || third.image() == second.image())); // images are used again
    CHECK(texels(gpu, binding) == expected_texels(gpu, binding));
    // A texture that is found as it is belongs to the batch as well: none of its images until that is recorded.
    gpu.stream->end_batch();
    CHECK(gpu.textures->get(binding).image() == third.image());
    for (u32 i = 0; i < 3; ++i)
    {
        gpu.write(kFcramBase + 0x1FFF, bytes);
        CHECK(gpu.textures->get(binding).image() != third.image());
    }
}

TEST_CASE("texture cache: a rendered surface is a texture without leaving the device")
{
    GpuFixture gpu;
    Random random(23);
    for (u32 format = 0; format < 5; ++format)
    {
        CAPTURE(format);
        pica::RenderTarget target;
        target.color_address = kVramBase + 0x8000;
        target.width = 64;
        target.height = 32;
        target.flip = 1;
        target.color_format = static_cast<pica::ColorFormat>(format);
        gpu.fill_random(random, target.color_address, target.color_bytes());
        Surface* surface = gpu.targets->acquire(target, SurfaceKind::Color);
        REQUIRE(surface);
        gpu.targets->use_as_attachment(*surface);
        gpu.targets->mark_dirty(*surface);
        pica::TextureBinding binding;
        binding.address = target.color_address;
        binding.width = 64;
        binding.height = 32;
        binding.format = static_cast<TextureFormat>(format);
        const u64 waits = gpu.stream->counters.waits;
        (void)gpu.textures->get(binding);
        CHECK(gpu.stream->counters.waits == waits);
        CHECK(gpu.textures->decoder_counters().surface_copies == format + 1);
        CHECK(gpu.targets->counters.stores == 2 * format);
        CHECK(texels(gpu, binding) == expected_texels(gpu, binding)); // stores

        // Seen as something else it goes through the bytes of memory.
        gpu.targets->mark_dirty(*gpu.targets->acquire(target, SurfaceKind::Color));
        binding.width = 32;
        const u64 decodes = gpu.textures->decoder_counters().device_decodes;
        const std::vector<u32> part = texels(gpu, binding);
        CHECK(gpu.textures->decoder_counters().device_decodes == decodes + 1);
        CHECK(part == expected_texels(gpu, binding));
    }
}

TEST_CASE("texture cache: bindings outside memory or without a size give something to sample")
{
    GpuFixture gpu;
    pica::TextureBinding binding;
    CHECK(gpu.textures->get(binding).image() == gpu.textures->fallback().image());
    binding.width = binding.height = 64;
    binding.address = 0x10000000;
    for (const u32 texel : texels(gpu, binding))
        REQUIRE(texel == 0);
    binding.address = kVramBase + pica::kVramSize - 0x800; // the rest is beyond memory
    Random random(24);
    gpu.fill_random(random, binding.address, 0x800);
    CHECK(texels(gpu, binding) == expected_texels(gpu, binding));
    binding.format = static_cast<TextureFormat>(14);
    CHECK(gpu.textures->get(binding).image() == gpu.textures->fallback().image());
}

TEST_CASE("texture cache: the number of textures is bounded, however small they are")
{
    GpuFixture gpu;
    Random random(9);
    gpu.fill_random(random, pica::kFcramBase, 0x10000);
    gpu.textures->most_textures = 16;
    for (u32 i = 0; i < 100; ++i)
    {
        const pica::TextureBinding binding{pica::kFcramBase + i * 256, 8, 8, pica::TextureFormat::RGBA8};
        CHECK(texels(gpu, binding) == expected_texels(gpu, binding));
        gpu.stream->end_batch();
    }
    CHECK(gpu.textures->counters.evictions >= 100 - 16 - 1);
}

TEST_CASE("texture cache: room is waited for where nothing has been recorded since")
{
    GpuFixture gpu;
    pica::TextureBinding binding;
    binding.width = binding.height = 1024;
    const u64 bytes = 1024 * 1024 * 4;
    for (u32 i = 0; i < 4; ++i)
    {
        binding.address = kVramBase + i * 0x1000;
        (void)gpu.textures->get(binding);
    }
    gpu.stream->end_batch();
    gpu.textures->budget = 4 * bytes;
    // The device is still decoding when the textures are evicted, unless it is very fast. They are retired with a submission
    // without commands.
    (void)gpu.stream->submit();
    binding.width = binding.height = 512;
    (void)gpu.textures->get(binding);
    CHECK(gpu.textures->counters.evictions >= 1);
    CHECK(gpu.textures->bytes() <= gpu.textures->budget);
}

TEST_CASE("texture cache: textures that nobody uses go")
{
    GpuFixture gpu;
    pica::TextureBinding binding;
    binding.width = binding.height = 256;
    for (u32 i = 0; i < 8; ++i)
    {
        binding.address = kVramBase + i * 0x1000;
        (void)gpu.textures->get(binding);
    }
    const u64 full = gpu.textures->bytes();
    CHECK(full >= 8 * 256 * 256 * 4);
    gpu.stream->end_batch();
    gpu.textures->budget = 4 * 256 * 256 * 4;
    for (u32 i = 0; i < 4; ++i)
        gpu.textures->end_frame();
    CHECK(gpu.textures->counters.evictions >= 4);
    CHECK(gpu.textures->bytes() == full); // until the device is through with them
    REQUIRE(gpu.stream->wait(gpu.stream->submit()));
    gpu.textures->end_frame();
    CHECK(gpu.textures->bytes() <= gpu.textures->budget);
}
