// SPDX-License-Identifier: MIT
// Pixels drawn by command lists: what a table of pica/hardware says, from the registers to guest memory. The
// software core draws; the conformance suites compare the Vulkan renderer with it.
#pragma once

#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "tests/support/scenes/command_list_builder.h"

#include <array>
#include <set>
#include <string>

namespace tests
{

// R, G, B, A, 0..255.
using Rgba = std::array<u32, 4>;

// An 8x8 target (RGBA8, D24S8) that starts with the same colour and depth word in every pixel, and rectangles
// drawn over it. Change registers through `list` before a draw; they keep their values.
class RegisterPixel : public Report
{
public:
    static constexpr u32 kSize = 8;
    static constexpr PhysAddr kColor = 0x18000000, kDepth = 0x18010000, kTextures = 0x18020000;

    RegisterPixel();

    CommandListBuilder list;

    void color_format(ColorFormat format);
    void depth_format(DepthFormat format);
    // The target's content before the next draw. word: depth in bits 0-23, stencil in 24-31.
    void fill_color(const Rgba& color);
    void fill_depth(u32 word);
    // Unit 0..2: 8x8 RGBA8 texels of one colour.
    void texture(u32 unit, const Rgba& color);

    // The surface as fragment lighting sees it. Initially there is no rotation, and the eye is along z.
    void frame(const std::array<f32, 4>& quaternion, const std::array<f32, 3>& view);

    // Draws a rectangle of this primary colour over the whole target at window depth `depth`. Returns pixel
    // (0, 0).
    Rgba draw(const Rgba& color, f32 depth = 0.5f);
    // Coordinates are in pixels, y up.
    Rgba pixel(u32 x = 0, u32 y = 0);
    u32 depth_word(u32 x = 0, u32 y = 0);
    // The bytes of the pixel, the first one in bits 0-7.
    u32 color_bytes(u32 x = 0, u32 y = 0);
    bool reported(const std::string& cause) const { return causes_.contains(cause); }

    void report(ReportKind, std::string_view cause, std::string_view) override { causes_.emplace(cause); }

private:
    u32 offset(u32 x, u32 y, u32 bytes) const;

    GuestArena arena_{0x10000};
    SoftwareCore core_;
    Gpu gpu_;
    std::set<std::string> causes_;
};

} // namespace tests
