// SPDX-License-Identifier: MIT
// The right side of the window: tabs that look into the last draw up to the selected operation.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

namespace renderer
{
struct Options;
}

namespace samples
{

class EventLog;
class GlCanvas;
class PixelModel;
class Places;
class StreamModel;

class DetailsPanel
{
public:
    // vulkan: the renderer to compare with.
    DetailsPanel(StreamModel& model, PixelModel& pixel, const renderer::Options& vulkan, GlCanvas& canvas,
                 Places& places);

    ~DetailsPanel();
    DetailsPanel(const DetailsPanel&) = delete;
    DetailsPanel& operator=(const DetailsPanel&) = delete;

    // Fills the current ImGui window.
    void draw();
    // To the next breakpoint, or the last one before. work() then searches for about so long; it returns false once there
    // is nothing to do.
    void run(bool forwards);
    bool work(std::chrono::milliseconds time);
    // Of the tab that is open.
    void write_log(EventLog& log);

private:
    struct Parts; // the models and the panels

    Places& places_;
    std::unique_ptr<Parts> parts_;
    std::size_t tab_ = 0;
};

} // namespace samples
