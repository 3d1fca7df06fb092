// SPDX-License-Identifier: MIT
// Triangles as lines on a picture. A picture, because lists of lines of Dear ImGui end at 65536 corners.
// Tests: tests/cli/inspect_draw_models_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "samples/cli/png_file.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace samples
{

// x to the right, y down.
struct WireRect
{
    pica::f32 left = 0, top = 0, right = 0, bottom = 0;
    bool operator==(const WireRect&) const = default;
};

struct Wireframe
{
    std::vector<std::array<pica::f32, 2>> points;
    // Places in `points`. A triangle with a point that is no finite number is not drawn.
    std::vector<std::array<pica::u32, 3>> triangles;
    // For example the borders of the target.
    std::optional<WireRect> frame;

    // Of all finite points, and of the frame. Nothing: there are none.
    std::optional<WireRect> bounds() const;
};

// rect: what the picture shows; the longer side fits, the other one is centred. chosen: a triangle in another colour.
Picture draw_wireframe(const Wireframe& wires, const WireRect& rect, pica::u32 width, pica::u32 height,
                       std::optional<std::size_t> chosen);

} // namespace samples
