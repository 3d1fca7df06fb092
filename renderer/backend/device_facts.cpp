// SPDX-License-Identifier: MIT
#include "renderer/backend/device_facts.h"

#include "renderer/backend/options.h"
#include "renderer/backend/paths.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/self_test/self_test.h"
#include "renderer/vulkan/device_type.h"

#include <cstdio>
#include <string>

namespace renderer
{

namespace
{

const char* name_of(BlendPath path)
{
    switch (path)
    {
    case BlendPath::RasterOrder:
        return "rasterization-order attachment access";
    case BlendPath::Interlock:
        return "fragment shader interlock";
    case BlendPath::Barrier:
        break;
    }
    return "barrier batches";
}

const char* name_of(UbershaderChoice choice)
{
    switch (choice)
    {
    case UbershaderChoice::First:
        return "made by worker threads";
    case UbershaderChoice::Never:
        return "made when a draw needs them";
    case UbershaderChoice::Always:
        return "the ubershader alone";
    case UbershaderChoice::Mixed:
        break;
    }
    return "the ubershader for every other draw";
}

std::string version_text(u32 version)
{
    return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
           std::to_string(VK_API_VERSION_MINOR(version)) + "." +
           std::to_string(VK_API_VERSION_PATCH(version));
}

} // namespace

DeviceFacts facts_of(const Device& device, const SelfTestResult* self_test, const Options& options,
                     const Paths& paths, bool software_first)
{
    DeviceFacts facts;
    facts.device = device.properties.deviceName;
    facts.driver = device.driver_name;
    if (!device.driver_info.empty())
        facts.driver += (facts.driver.empty() ? "" : " ") + device.driver_info;
    if (facts.driver.empty())
        facts.driver = "version " + std::to_string(device.properties.driverVersion);
    facts.vendor_id = device.properties.vendorID;
    facts.device_id = device.properties.deviceID;
    facts.type = name_of(device.properties.deviceType);
    facts.vulkan = version_text(device.properties.apiVersion);

    const Features& f = device.features;
    facts.features = {
        {"rasterization-order attachment access", f.rasterization_order_access},
        {"fragment shader interlock", f.fragment_interlock},
        {"logic operations", f.logic_op},
        {"several indirect draws in a command", f.multi_draw_indirect},
        {"float controls: round to nearest even", f.float_rte},
        {"float controls: NaN preserved", f.float_nan_preserve},
        {"attributes beyond the stride", f.beyond_stride},
        {"timeline semaphores", f.timeline_semaphore},
        {"feedback about the creation of pipelines", f.creation_feedback},
        {"depth buffers with stencil", f.depth_stencil},
        {"votes in fragment shaders", f.votes},
        {"four texels at once", f.gathers},
        {"uniforms as varyings", f.flat_constants},
        {"debug labels", f.debug_utils},
    };
    if (self_test != nullptr)
    {
        facts.reciprocal_steps = self_test->reciprocal_steps;
        facts.kept_verdict = self_test->from_cache;
        self_test->for_each([&](const char* name, bool exact) { facts.self_test.push_back({name, exact}); });
    }
    std::string pipelines = name_of(options.ubershader);
    if (options.ubershader == UbershaderChoice::First)
        pipelines += software_first ? ", the software core first" : ", the ubershader first";
    facts.paths = {
        {"blend path", name_of(paths.blend)},
        {"vertex executor", !paths.compute     ? "cpu"
                            : paths.interprets ? "compute, interpreted"
                                               : "compute"},
        {"coverage", paths.coverage_in_shader ? "in the shader" : "fixed function"},
        {"stencil test", paths.stencil ? "fixed function" : "the software core"},
        {"pipelines", pipelines},
        {"choices in shaders", f.branches ? "branches" : "selections"},
        {"driver compiles", f.compiles_late ? "at the first draw" : "when a pipeline is made"},
    };
    const VkPhysicalDeviceLimits& limits = device.properties.limits;
    facts.limits = {
        {"maxImageDimension2D", limits.maxImageDimension2D},
        {"maxStorageBufferRange", limits.maxStorageBufferRange},
        {"maxTexelBufferElements", limits.maxTexelBufferElements},
        {"maxUniformBufferRange", limits.maxUniformBufferRange},
        {"maxPerStageDescriptorStorageBuffers", limits.maxPerStageDescriptorStorageBuffers},
        {"maxVertexInputAttributes", limits.maxVertexInputAttributes},
        {"maxFragmentInputComponents", limits.maxFragmentInputComponents},
        {"maxMemoryAllocationCount", limits.maxMemoryAllocationCount},
        {"subPixelPrecisionBits", limits.subPixelPrecisionBits},
        {"viewportSubPixelBits", limits.viewportSubPixelBits},
        {"nonCoherentAtomSize", limits.nonCoherentAtomSize},
    };
    return facts;
}

std::string DeviceFacts::text() const
{
    char ids[32];
    std::snprintf(ids, sizeof ids, "%04x:%04x", vendor_id, device_id);
    std::string text =
        "device: " + device + " (" + type + ", " + ids + ")\ndriver: " + driver + "\nVulkan: " + vulkan;
    std::string used, unused;
    for (const Feature& feature : features)
    {
        std::string& list = feature.used ? used : unused;
        list += (list.empty() ? "" : ", ") + feature.name;
    }
    text += "\nfeatures used: " + (used.empty() ? "none" : used);
    text += "\nfeatures not there: " + (unused.empty() ? "none" : unused);
    text += "\nself-test: ";
    if (self_test.empty())
        text += "not run";
    else
        text += "reciprocal steps " + std::to_string(reciprocal_steps);
    for (const Verdict& verdict : self_test)
        text += ", " + verdict.name + (verdict.exact ? " exact" : " INEXACT");
    text += kept_verdict ? " (kept verdict)" : "";
    for (const Path& path : paths)
        text += "\n" + path.name + ": " + path.choice;
    std::string all_limits;
    for (const Limit& limit : limits)
        all_limits += (all_limits.empty() ? "" : ", ") + limit.name + " " + std::to_string(limit.value);
    return text + "\nlimits: " + all_limits;
}

} // namespace renderer
