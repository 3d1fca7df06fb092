// SPDX-License-Identifier: MIT
// Object names and command-buffer labels for captures. Without VK_EXT_debug_utils they do nothing.
#pragma once

#include "renderer/vulkan/device.h"

#include <type_traits>

namespace renderer
{

// Objects that the calling thread makes from now on have no names. Compile workers ask for it: loaders (1.3.239
// was seen to) look a device up in an unlocked list to set a name, so a name set while another thread of the
// process creates or destroys a device crashes.
void name_nothing_on_this_thread();

// Names a Vulkan object, unless the thread called name_nothing_on_this_thread. `name` is copied.
void set_name(Device& device, VkObjectType type, u64 object, const char* name);

template <typename T>
void set_name(Device& device, VkObjectType type, T object, const char* name)
{
    if constexpr (std::is_pointer_v<T>)
        set_name(device, type, reinterpret_cast<u64>(object), name);
    else
        set_name(device, type, static_cast<u64>(object), name);
}

// LabelScope: a labelled region of one command buffer outside of render passes, from construction to destruction. The text
// has the format of printf and at most 127 characters. It is made only where there are labels, or where the device's work
// is timed (DeviceTimes). `device` and `cmd` must outlive the object.
class LabelScope
{
public:
    [[gnu::format(printf, 4, 5)]] LabelScope(Device& device, VkCommandBuffer cmd, const char* format, ...);
    ~LabelScope();
    LabelScope(const LabelScope&) = delete;
    LabelScope& operator=(const LabelScope&) = delete;

private:
    Device& device_;
    VkCommandBuffer cmd_;
    DeviceTimes* times_ = nullptr; // that was told of the beginning
};

} // namespace renderer
