// SPDX-License-Identifier: MIT
// The options of a renderer, and why its creation can fail.
#pragma once

#include "renderer/cache/cache_options.h"
#include "renderer/pipelines/choices.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace renderer
{

struct HostDevice;
struct SelfTestResult;

// What to create a renderer with. The defaults suit most devices.
struct Options
{
    // The host's own Vulkan device (host_device.h). Null: the renderer creates an instance and a device.
    std::shared_ptr<const HostDevice> device;
    VertexExecutorChoice vertex_executor = VertexExecutorChoice::Auto;
    SerialGeometryChoice serial_geometry = SerialGeometryChoice::Cpu;
    BlendPathChoice blend_path = BlendPathChoice::Auto;
    CoverageChoice coverage = CoverageChoice::Auto;
    UbershaderChoice ubershader = UbershaderChoice::First;
    FallbackChoice fallback = FallbackChoice::Auto;
    pica::u32 scale = 1;           // internal resolution N, 1 to 8
    bool validation = false;       // enable the Vulkan validation layers, core and synchronization
    bool time_vertex_work = false; // measure vertex work with timestamps, for Statistics
    bool time_device = false;      // measure all work with timestamps, for Statistics
    bool self_test = true;         // run the start-up self-test, whose facts choose the exact fallbacks
    // Whether the rehearsal is held too (rehearsal.h). It takes seconds, so its verdict should be kept.
    RehearsalChoice rehearsal = RehearsalChoice::Auto;
    // Without self-test: the facts to assume. Null: everything is exact. Must outlive create().
    const SelfTestResult* assumed = nullptr;
    // Optional features to treat as absent (DeviceOptions::mask).
    std::vector<std::string> masked_features;
    pica::u64 texture_budget = pica::u64{256} << 20; // decoded textures on the device, bytes (TextureCache)
    // Rendered surfaces on the device, bytes. 0: what SurfaceBudget says for the scale and the device.
    pica::u64 surface_budget = 0;
    // How many pipelines of draws are kept. Of each kind of program a quarter as many are kept. On a software
    // rasteriser a pipeline takes 0.84 MB. Beyond this the least recently used ones are evicted.
    pica::u32 pipeline_budget = 512;
    CacheOptions cache;      // what is kept from run to run, and where; nothing by default
    std::string device_name; // part of the name of the wanted device; empty: the best one
    // How many seconds the CPU waits for one submission until the device counts as lost. 0: an hour. Slow
    // devices are not lost ones (Device::may_wait_on).
    pica::u32 device_timeout = 0;
    // Called about once a second while the CPU waits for the device, with the seconds of this wait. If it
    // returns false, the device counts as lost. While pipelines are compiled at start-up the result has no
    // effect, because drivers cannot be interrupted there.
    std::function<bool(pica::u32 seconds)> on_wait;
};

// Why a renderer could not be made.
enum class CreateFailure : pica::u8
{
    Unavailable,  // there is no such device, or it cannot do what the options ask for
    DeviceFailed, // the device was lost or ran out of memory during creation
};

} // namespace renderer
