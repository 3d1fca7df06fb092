// SPDX-License-Identifier: MIT
// The push constants of the graphics pipelines, made of the list in shaders/include/push_graphics.h.
#pragma once

#include "pica/base/types.h"
#include "shaders/include/layout.h"
#include "shaders/include/push_graphics.h"

#include <array>
#include <string_view>

namespace shadergen
{

// As in GLSL.
using ivec2 = std::array<pica::s32, 2>;

struct GraphicsPush
{
#define MEMBER(type, name) type name{};
    PUSH_GRAPHICS(MEMBER)
#undef MEMBER
};
static_assert(sizeof(GraphicsPush) == PUSH_GRAPHICS_BYTES);
static_assert(PUSH_GRAPHICS_BYTES <= 128); // every device has as many

// Declares the members in GLSL.
#define MEMBER(type, name) #type " " #name "; "
inline constexpr std::string_view kGraphicsPush =
    "layout(push_constant) uniform Push { " PUSH_GRAPHICS(MEMBER) "};";
#undef MEMBER

} // namespace shadergen
