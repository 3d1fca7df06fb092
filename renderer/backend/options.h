// SPDX-License-Identifier: MIT
// What a renderer is made with.
#pragma once

#include "renderer/pipelines/choices.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace renderer
{

struct HostDevice;

struct Options
{
    // The host's own Vulkan device (host_device.h); null: instance and device are made.
    std::shared_ptr<const HostDevice> device;
    VertexExecutorChoice vertex_executor = VertexExecutorChoice::Auto;
    BlendPathChoice blend_path = BlendPathChoice::Auto;
    CoverageChoice coverage = CoverageChoice::Auto;
    UbershaderChoice ubershader = UbershaderChoice::First;
    StandInChoice stand_in = StandInChoice::Auto;
    pica::u32 scale = 1;           // internal resolution N; 1 until upscaling is built
    bool validation = false;       // Vulkan validation layers, core and synchronization
    bool time_vertex_work = false; // with timestamps, for Statistics
    bool self_test = true;         // run the start-up self-test (its facts decide the exact fallbacks)
    std::vector<std::string> masked_features;        // optional features to treat as absent (device.h)
    pica::u64 texture_budget = pica::u64{256} << 20; // bytes of decoded textures on the device (TextureCache)
    // Pipelines of draws that are kept, and a quarter as many of each kind of program; 0.84 MB each on a
    // software rasteriser. Beyond it those go that were not used for longest.
    pica::u32 pipeline_budget = 512;
    std::string cache_directory; // where self-test verdicts are kept; empty: nowhere
    std::string device_name;     // part of the device's name; empty: the best one
    // Seconds that one submission may take while somebody waits for it, until the device counts as lost; 0:
    // an hour. Slow devices are not lost ones (Device::may_wait_on).
    pica::u32 device_timeout = 0;
    // Told about once a second, with the seconds for this submission, by who waits for the device; false: it
    // counts as lost (not while pipelines are made at start-up: drivers cannot be interrupted there).
    std::function<bool(pica::u32 seconds)> on_wait;
};

// Why a renderer could not be made.
enum class CreateFailure : pica::u8
{
    Unavailable,  // no such device, or it cannot do what the options ask
    DeviceFailed, // there is one, and it was lost or ran out of memory on the way
};

} // namespace renderer
