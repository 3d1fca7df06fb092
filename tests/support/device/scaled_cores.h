// SPDX-License-Identifier: MIT
// ScaledCores: both backends at N times the resolution, each on its memory, for tests that compare them. At 1x there are
// no planes to compare.
#pragma once

#include "pica/command/backend.h"
#include "pica/soft/software_core.h"
#include "pica/upscale/plane_comparison.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/backend/renderer.h"
#include "tests/support/device/validation.h"
#include "tests/support/message_of.h"
#include "tests/support/scenes/pixel_probe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tests
{

class ScaledCores
{
public:
    // surface_budget: 0 for the usual one.
    explicit ScaledCores(u32 n, u32 fcram_bytes = 0x1000, u64 surface_budget = 0)
        : software_arena_(fcram_bytes), vulkan_arena_(fcram_bytes),
          software(software_arena_.memory(), reports_, {.threads = 1, .scale = n})
    {
        renderer::Options options;
        options.scale = n;
        options.surface_budget = surface_budget;
        options.ubershader = renderer::UbershaderChoice::Never;
        options.validation = kAskForValidationLayers;
        auto made = renderer::Renderer::create(options, vulkan_arena_.memory(), reports_);
        REQUIRE_MESSAGE(made, message_of(made));
        vulkan = std::move(*made);
    }
    ~ScaledCores() { CHECK(vulkan->validation_messages() == std::vector<std::string>{}); }
    ScaledCores(const ScaledCores&) = delete;
    ScaledCores& operator=(const ScaledCores&) = delete;

    // The same operations for both.
    template <typename Operation>
    void each(Operation operation)
    {
        operation(static_cast<Backend&>(software));
        operation(static_cast<Backend&>(*vulkan));
    }
    void fill_with(const GuestMemory& from)
    {
        each(
            [&](Backend& backend)
            {
                for (const MemoryRegion& region : from.regions())
                {
                    const u32 size = static_cast<u32>(region.bytes.size());
                    backend.will_write(region.base, size);
                    std::copy(region.bytes.begin(), region.bytes.end(),
                              backend.memory().span(region.base, size).begin());
                    backend.did_write(region.base, size);
                }
            });
    }
    // Guest memory and planes.
    void compare()
    {
        for (const MemoryRegion& region : software_arena_.memory().regions())
        {
            const ByteRange range{region.base, region.bytes.size()};
            vulkan->will_read(range.begin, static_cast<u32>(range.size));
            const std::span<const u8> other = vulkan_arena_.memory().span(range.begin, range.size);
            CHECK(std::equal(region.bytes.begin(), region.bytes.end(), other.begin()));
            if (software.planes() == nullptr)
                continue;
            const auto difference =
                first_difference(std::as_const(software).planes(), vulkan->current_planes(range), range);
            CHECK_MESSAGE(!difference, difference->place << ": " << difference->values);
        }
    }
    GuestMemory& software_memory() { return software_arena_.memory(); }
    const PlaneTracker& tracker() const { return software.planes()->tracker(); }

private:
    Reports reports_;
    GuestArena software_arena_, vulkan_arena_;

public:
    SoftwareCore software;
    std::unique_ptr<renderer::Renderer> vulkan;
};

} // namespace tests
