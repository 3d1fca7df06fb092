// SPDX-License-Identifier: MIT
// The vertices of the last draw: a table, wireframes before and after the programs, and the triangles.
#pragma once

#include "pica/base/types.h"
#include "samples/cli/json_text.h"

#include <array>
#include <cstddef>
#include <optional>

namespace samples
{

class GlCanvas;
class Places;
class VerticesModel;

class VerticesPanel
{
public:
    VerticesPanel(VerticesModel& vertices, GlCanvas& canvas, Places& places)
        : vertices_(vertices), canvas_(canvas), places_(places)
    {
    }
    ~VerticesPanel();
    VerticesPanel(const VerticesPanel&) = delete;
    VerticesPanel& operator=(const VerticesPanel&) = delete;

    // Fills the current ImGui window. Returns the element whose program is to be shown, if one was clicked.
    std::optional<pica::u32> draw();
    // What `--log` writes.
    Json log();

private:
    std::optional<pica::u32> draw_table();
    void draw_wires();
    void draw_triangles();

    VerticesModel& vertices_;
    GlCanvas& canvas_;
    Places& places_;
    std::size_t tab_ = 0;
    int side_ = 0;      // of the wireframe before the program
    bool fits_ = false; // the wireframe after it: all points, not the target
    std::optional<std::size_t> triangle_;
    std::optional<std::size_t> draw_; // of which triangle_ is
    unsigned texture_ = 0;
    Json shown_; // what the texture shows
};

} // namespace samples
