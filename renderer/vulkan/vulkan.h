// SPDX-License-Identifier: MIT
// The common include of the Vulkan backend: Vulkan through function tables (vulkan_api.h), and the base
// types.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/base/types.h"
#include "renderer/vulkan/vulkan_api.h"

namespace renderer
{

using pica::Error;
using pica::f32;
using pica::PhysAddr;
using pica::Result;
using pica::s32;
using pica::Status;
using pica::u16;
using pica::u32;
using pica::u64;
using pica::u8;

// A Vulkan structure with sType set and everything else zero.
template <typename T>
T make(VkStructureType type)
{
    T object{};
    object.sType = type;
    return object;
}

} // namespace renderer
