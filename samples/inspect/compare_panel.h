// SPDX-License-Identifier: MIT
// What the software core and the Vulkan renderer draw, and the difference, beside or below each other.
#pragma once

#include "samples/inspect/stream_model.h"

#include <array>
#include <string>

namespace samples
{

class CompareModel;
class GlCanvas;
class PixelModel;
class Places;
struct ComparedPicture;

class ComparePanel
{
public:
    ComparePanel(CompareModel& compare, PixelModel& pixel, GlCanvas& canvas, Places& places)
        : compare_(compare), pixel_(pixel), canvas_(canvas), places_(places)
    {
    }
    ~ComparePanel();
    ComparePanel(const ComparePanel&) = delete;
    ComparePanel& operator=(const ComparePanel&) = delete;

    // Fills the current ImGui window.
    void draw();

private:
    void draw_choice();
    void draw_picture(const ComparedPicture& compared);
    void draw_pointed(const ComparedPicture& compared, pica::u32 x, pica::u32 y);
    void upload(const ComparedPicture& compared);

    CompareModel& compare_;
    PixelModel& pixel_;
    GlCanvas& canvas_;
    Places& places_;
    std::string chosen_ = "color"; // name of the picture
    bool announced_ = false;       // the window says that it works
    std::array<unsigned, 3> textures_{};
    const ComparedPicture* uploaded_ = nullptr;
};

} // namespace samples
