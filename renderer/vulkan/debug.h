// SPDX-License-Identifier: MIT
// Object names and command-buffer labels for captures; nothing happens where VK_EXT_debug_utils is absent.
#pragma once

#include "renderer/vulkan/device.h"

#include <type_traits>

namespace renderer
{

void set_name(Device& device, VkObjectType type, u64 object, const char* name);

template <typename T>
void set_name(Device& device, VkObjectType type, T object, const char* name)
{
    if constexpr (std::is_pointer_v<T>)
        set_name(device, type, reinterpret_cast<u64>(object), name);
    else
        set_name(device, type, static_cast<u64>(object), name);
}

// A labelled region for the life of the object, within one command buffer. The text (as for printf, at most
// 127 characters) is only made where there are labels.
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
};

} // namespace renderer
