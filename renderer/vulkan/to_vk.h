// SPDX-License-Identifier: MIT
// Conversions of PICA enumerations to Vulkan enumerations. They are constexpr and total: any bit pattern
// gives a defined value.
#pragma once

#include "pica/regs/enums.h"

#include <vulkan/vulkan_core.h>

namespace renderer
{

constexpr VkCompareOp to_vk(pica::CompareFunc func)
{
    constexpr VkCompareOp table[8] = {
        VK_COMPARE_OP_NEVER,   VK_COMPARE_OP_ALWAYS,
        VK_COMPARE_OP_EQUAL,   VK_COMPARE_OP_NOT_EQUAL,
        VK_COMPARE_OP_LESS,    VK_COMPARE_OP_LESS_OR_EQUAL,
        VK_COMPARE_OP_GREATER, VK_COMPARE_OP_GREATER_OR_EQUAL,
    };
    return table[static_cast<unsigned>(func) & 7];
}

constexpr VkStencilOp to_vk(pica::StencilOp op)
{
    constexpr VkStencilOp table[8] = {
        VK_STENCIL_OP_KEEP,
        VK_STENCIL_OP_ZERO,
        VK_STENCIL_OP_REPLACE,
        VK_STENCIL_OP_INCREMENT_AND_CLAMP,
        VK_STENCIL_OP_DECREMENT_AND_CLAMP,
        VK_STENCIL_OP_INVERT,
        VK_STENCIL_OP_INCREMENT_AND_WRAP,
        VK_STENCIL_OP_DECREMENT_AND_WRAP,
    };
    return table[static_cast<unsigned>(op) & 7];
}

constexpr VkLogicOp to_vk(pica::LogicOp op)
{
    constexpr VkLogicOp table[16] = {
        VK_LOGIC_OP_CLEAR,       VK_LOGIC_OP_AND,          VK_LOGIC_OP_AND_REVERSE,
        VK_LOGIC_OP_COPY,        VK_LOGIC_OP_SET,          VK_LOGIC_OP_COPY_INVERTED,
        VK_LOGIC_OP_NO_OP,       VK_LOGIC_OP_INVERT,       VK_LOGIC_OP_NAND,
        VK_LOGIC_OP_OR,          VK_LOGIC_OP_NOR,          VK_LOGIC_OP_XOR,
        VK_LOGIC_OP_EQUIVALENT,  VK_LOGIC_OP_AND_INVERTED, VK_LOGIC_OP_OR_REVERSE,
        VK_LOGIC_OP_OR_INVERTED,
    };
    return table[static_cast<unsigned>(op) & 15];
}

constexpr VkBlendOp to_vk(pica::BlendEquation equation)
{
    switch (equation)
    {
    case pica::BlendEquation::Subtract:
        return VK_BLEND_OP_SUBTRACT;
    case pica::BlendEquation::ReverseSubtract:
        return VK_BLEND_OP_REVERSE_SUBTRACT;
    case pica::BlendEquation::Min:
        return VK_BLEND_OP_MIN;
    case pica::BlendEquation::Max:
        return VK_BLEND_OP_MAX;
    case pica::BlendEquation::Add:
        break;
    }
    return VK_BLEND_OP_ADD;
}

// Only factors that fixed-function blending may use (OutputClass::FixedBlend).
constexpr VkBlendFactor to_vk_exact(pica::BlendFactor factor)
{
    return factor == pica::BlendFactor::Zero ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE;
}

} // namespace renderer
