// SPDX-License-Identifier: MIT
// Calls of the instance's debug_utils functions.
#include "renderer/vulkan/debug.h"

#include "renderer/vulkan/device_times.h"

#include <cstdarg>
#include <cstdio>

namespace renderer
{

namespace
{

thread_local bool names_nothing = false;

} // namespace

void name_nothing_on_this_thread()
{
    names_nothing = true;
}

void set_name(Device& device, VkObjectType type, u64 object, const char* name)
{
    if (!device.api.vkSetDebugUtilsObjectNameEXT || !object || names_nothing)
        return;
    auto info = make<VkDebugUtilsObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = name;
    // A failure to set a name has no effect.
    (void)device.api.vkSetDebugUtilsObjectNameEXT(device.handle, &info);
}

LabelScope::LabelScope(Device& device, VkCommandBuffer cmd, const char* format, ...)
    : device_(device), cmd_(cmd)
{
    if (!device_.api.vkCmdBeginDebugUtilsLabelEXT && device_.times == nullptr)
        return;
    char text[128];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    times_ = device_.times;
    if (times_ != nullptr)
        times_->begin(cmd_, text);
    if (!device_.api.vkCmdBeginDebugUtilsLabelEXT)
        return;
    auto label = make<VkDebugUtilsLabelEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT);
    label.pLabelName = text;
    device_.api.vkCmdBeginDebugUtilsLabelEXT(cmd_, &label);
}

LabelScope::~LabelScope()
{
    // If the device has failed in the meantime, the function is gone.
    if (device_.api.vkCmdEndDebugUtilsLabelEXT)
        device_.api.vkCmdEndDebugUtilsLabelEXT(cmd_);
    if (times_ != nullptr)
        times_->end(cmd_);
}

} // namespace renderer
