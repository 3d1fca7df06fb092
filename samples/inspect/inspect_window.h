// SPDX-License-Identifier: MIT
// The window of `picavk inspect`: GLFW, Dear ImGui, keys, and the places of the panels.
//
// Dear ImGui draws with its OpenGL 3 part. Its Vulkan part cannot show pictures in the version of Debian 12 (1.86): it
// draws everything with the texture of the font ("User texture binding" in imgui_impl_vulkan.h). It also calls Vulkan's
// functions by their names, which volk's pointers take in this program.
#pragma once

#include "pica/base/result.h"
#include "samples/inspect/event_log.h"
#include "samples/inspect/key_queue.h"
#include "samples/inspect/operation_panel.h"
#include "samples/inspect/places.h"
#include "samples/inspect/seek_bar.h"
#include "samples/inspect/timeline_panel.h"

#include <memory>
#include <string>

struct GLFWwindow;

namespace renderer
{
struct Options;
}

namespace samples
{

class DetailsPanel;
class GlCanvas;
class PicturePanel;
class PixelModel;
class StreamModel;

class InspectWindow
{
public:
    // vulkan: the renderer to compare with. It must outlive the window.
    InspectWindow(StreamModel& model, const renderer::Options& vulkan);
    ~InspectWindow();
    InspectWindow(const InspectWindow&) = delete;
    InspectWindow& operator=(const InspectWindow&) = delete;

    // log: see event_log.h; may be empty.
    pica::Status open(const std::string& log);
    // Until the window is closed.
    void run();

private:
    struct Imgui; // the contexts of Dear ImGui and of its parts

    void on_key(int key);
    void set_callbacks();
    void draw();
    void draw_panels(float width, float height);
    void write_log();

    StreamModel& model_;
    const renderer::Options& vulkan_;
    bool glfw_ = false;
    GLFWwindow* window_ = nullptr;
    EventLog log_;
    std::unique_ptr<Imgui> imgui_;
    std::unique_ptr<GlCanvas> canvas_;
    Places places_;
    std::unique_ptr<PixelModel> pixel_;
    OperationPanel operations_;
    SeekBar seek_bar_;
    TimelinePanel timeline_;
    std::unique_ptr<PicturePanel> pictures_;
    std::unique_ptr<DetailsPanel> details_;
    KeyQueue keys_;
    int busy_ = 3; // frames to draw before waiting for the next event
};

} // namespace samples
