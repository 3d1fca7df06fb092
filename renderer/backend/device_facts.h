// SPDX-License-Identifier: MIT
// The facts about a device that a bug report needs: features, verdicts of the self-test, chosen paths,
// limits.
#pragma once

#include "pica/base/types.h"

#include <string>
#include <vector>

namespace renderer
{

class Device;
struct Options;
struct Paths;
struct SelfTestResult;

// A description of the device and of how the renderer uses it. The names are stable enough for programs to
// read.
struct DeviceFacts
{
    std::string device;
    std::string driver; // name and version as the driver gives them; else its version number
    pica::u32 vendor_id = 0;
    pica::u32 device_id = 0;
    std::string type;   // "discrete", "integrated", "virtual", "cpu" or "other"
    std::string vulkan; // "1.3.230"
    struct Feature
    {
        std::string name;
        bool used = false; // the device has it, and neither a mask nor a quirk disables it
    };
    std::vector<Feature> features;
    struct Verdict
    {
        std::string name;
        bool exact = false;
    };
    std::vector<Verdict> self_test; // empty if the self-test was not run
    // Corrections after which the device's reciprocal is exact, from the self-test.
    pica::u32 reciprocal_steps = 0;
    bool kept_verdict = false; // the verdicts were read from a file of an earlier run
    struct Path
    {
        std::string name;
        std::string choice;
    };
    std::vector<Path> paths;
    struct Limit
    {
        std::string name; // as in VkPhysicalDeviceLimits
        pica::u64 value = 0;
    };
    std::vector<Limit> limits; // the limits that influence how the renderer works
    // All facts as text, one line "name: value" per kind. The last line has no line end.
    std::string text() const;
};

// Collects the facts. self_test: null if it was not run. software_first: the software renderer draws until
// pipelines are ready.
DeviceFacts facts_of(const Device& device, const SelfTestResult* self_test, const Options& options,
                     const Paths& paths, bool software_first);

} // namespace renderer
