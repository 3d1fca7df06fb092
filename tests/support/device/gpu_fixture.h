// SPDX-License-Identifier: MIT
// The Vulkan parts of the renderer put together for tests, with validation layers: guest memory, a device,
// and everything between. The destructor fails the test if the layers reported anything.
#pragma once

#include "pica/memory/guest_arena.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/residency.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/residency/transfer.h"
#include "tests/support/kept_report.h"
#include "tests/support/seeds.h"

#include <memory>
#include <string>
#include <vector>

namespace tests
{

class GpuFixture
{
public:
    // mask: names as in renderer::DeviceOptions.
    explicit GpuFixture(std::vector<std::string> mask = {}, u32 scale = 1, u32 fcram_size = 0x400000);
    ~GpuFixture();
    GpuFixture(const GpuFixture&) = delete;
    GpuFixture& operator=(const GpuFixture&) = delete;

    // Writes of the CPU, with the calls that a user of a backend makes.
    void write(PhysAddr address, std::span<const u8> bytes);
    std::vector<u8> read(PhysAddr address, u32 size);
    void fill_random(Random& random, PhysAddr address, u32 size);

    KeptReport report;
    pica::GuestArena arena;
    pica::GuestMemory& guest;
    std::unique_ptr<renderer::Device> device;
    std::unique_ptr<renderer::Memory> memory;
    std::unique_ptr<renderer::Stream> stream;
    std::unique_ptr<renderer::UploadRing> ring;
    std::unique_ptr<renderer::DriverCache> driver_cache;
    std::unique_ptr<renderer::FixedPipelines> pipelines;
    std::unique_ptr<renderer::GuestMirror> mirror;
    std::unique_ptr<renderer::RenderTargets> targets;
    std::unique_ptr<renderer::Residency> residency;
    std::unique_ptr<renderer::TextureCache> textures;
    std::unique_ptr<renderer::TransferEngine> transfers;
};

} // namespace tests
