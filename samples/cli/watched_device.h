// SPDX-License-Identifier: MIT
// A Vulkan device for a renderer whose pipelines are looked at: which of them it binds, of which shaders they are made,
// and what the driver tells of them (VK_KHR_pipeline_executable_properties).
#pragma once

#include "renderer/vulkan/host_device.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace samples
{

// One compiled program of a pipeline, in the words of the driver.
struct DriverExecutable
{
    std::string name;
    std::string description;
    pica::u32 subgroup_size = 0;
    std::vector<std::pair<std::string, std::string>> statistics; // names and values
};

struct WatchedPipeline
{
    // The renderer's names of the shaders, as capture tools show them.
    std::vector<std::string> shaders;
    std::vector<DriverExecutable> executables;
};

// There is at most one at a time in a process. It must outlive the renderer.
class WatchedDevice
{
public:
    // device_name: as renderer::Options::device_name. Error: there is no such device, or its driver tells nothing.
    static pica::Result<std::unique_ptr<WatchedDevice>> create(const std::string& device_name);
    ~WatchedDevice();
    WatchedDevice(const WatchedDevice&) = delete;
    WatchedDevice& operator=(const WatchedDevice&) = delete;

    // For renderer::Options::device.
    std::shared_ptr<const renderer::HostDevice> host() const { return host_; }
    const std::string& name() const { return name_; }
    // What was bound since the last call of forget(), each pipeline once, in the order of the first time.
    std::vector<WatchedPipeline> bound() const;
    void forget();

private:
    WatchedDevice() = default;
    pica::Status create_instance();
    pica::Status choose_physical(const std::string& device_name);
    pica::Status create_device();

    renderer::InstanceTable api_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    std::string name_;
    std::shared_ptr<renderer::HostDevice> host_ = std::make_shared<renderer::HostDevice>();
};

} // namespace samples
