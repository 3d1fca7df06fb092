// SPDX-License-Identifier: MIT
#include "tests/support/device/gpu_fixture.h"

#include "tests/support/device/validation.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tests
{

namespace
{

template <typename T>
T take(pica::Result<T> result)
{
    if (!result)
    {
        std::fprintf(stderr, "the test needs Vulkan: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

} // namespace

GpuFixture::GpuFixture(std::vector<std::string> mask, u32 scale, u32 fcram_size)
    : arena(fcram_size), guest(arena.memory())
{
    renderer::DeviceOptions options;
    options.validation = kAskForValidationLayers;
    options.mask = std::move(mask);
    options.report = &report;
    device = take(renderer::Device::create(options));
    memory = std::make_unique<renderer::Memory>(*device);
    stream = take(renderer::Stream::create(*device));
    ring = std::make_unique<renderer::UploadRing>(*memory, *stream);
    driver_cache = take(renderer::DriverCache::create(*device));
    pipelines = take(renderer::FixedPipelines::create(*device, *stream, *driver_cache));
    mirror = take(renderer::GuestMirror::create(*device, *memory, *stream, *ring, *pipelines, guest));
    targets = take(renderer::RenderTargets::create({*device, *memory, *stream, *pipelines, *mirror}, scale));
    residency =
        std::make_unique<renderer::Residency>(renderer::Residency::Parts{*device, guest, *mirror, *targets});
    textures = take(renderer::TextureCache::create(
        {*device, *memory, *stream, *ring, *pipelines, *mirror, *targets, *residency, guest}));
    transfers = std::make_unique<renderer::TransferEngine>(
        renderer::TransferEngine::Parts{*device, *stream, *pipelines, *mirror, *targets, *residency, guest});
}

GpuFixture::~GpuFixture()
{
    transfers.reset();
    textures.reset();
    residency.reset();
    targets.reset();
    mirror.reset();
    pipelines.reset();
    driver_cache.reset();
    ring.reset();
    stream.reset();
    memory.reset();
    for (const std::string& message : device->validation_messages())
        FAIL_CHECK(message);
    CHECK(device->status());
}

void GpuFixture::write(PhysAddr address, std::span<const u8> bytes)
{
    const u32 size = static_cast<u32>(bytes.size());
    REQUIRE(residency->make_current(address, size));
    std::memcpy(guest.span(address, size).data(), bytes.data(), bytes.size());
    residency->did_write(address, size);
}

std::vector<u8> GpuFixture::read(PhysAddr address, u32 size)
{
    REQUIRE(residency->make_current(address, size));
    const std::span<const u8> bytes = guest.span(address, size);
    return {bytes.begin(), bytes.end()};
}

void GpuFixture::fill_random(Random& random, PhysAddr address, u32 size)
{
    std::vector<u8> bytes(size);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<u8>(random.next()); });
    write(address, bytes);
}

} // namespace tests
