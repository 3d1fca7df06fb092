// SPDX-License-Identifier: MIT
// What a renderer says of its device: features, verdicts of the self-test, paths, limits.
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

// What a bug report needs to know of the device. Names are for people and programs alike.
struct DeviceFacts
{
    std::string device;
    std::string driver; // name and version in the driver's words; its number where it has none
    pica::u32 vendor_id = 0;
    pica::u32 device_id = 0;
    std::string type;   // "discrete", "integrated", "virtual", "cpu" or "other"
    std::string vulkan; // "1.3.230"
    struct Feature
    {
        std::string name;
        bool used = false; // the device has it, and no workaround switches it off
    };
    std::vector<Feature> features;
    struct Verdict
    {
        std::string name;
        bool exact = false;
    };
    std::vector<Verdict> self_test; // empty: it was not run
    pica::u32 reciprocal_steps = 0; // of the self-test
    bool kept_verdict = false;      // measured by an earlier run
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
    std::vector<Limit> limits; // that decide how something is done
    // As lines "name: value", self-test and paths included.
    std::string text() const;
};

// self_test: null where it was not run. software_first: the software renderer draws while pipelines are made.
DeviceFacts facts_of(const Device& device, const SelfTestResult* self_test, const Options& options,
                     const Paths& paths, bool software_first);

} // namespace renderer
