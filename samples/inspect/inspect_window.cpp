// SPDX-License-Identifier: MIT
#include "samples/inspect/inspect_window.h"

#include "samples/cli/glfw_start.h"
#include "samples/inspect/details_panel.h"
#include "samples/inspect/gl_canvas.h"
#include "samples/inspect/picture_panel.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/stream_model.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

constexpr int kWidth = 1280;
constexpr int kHeight = 800;
constexpr float kListWidth = 400.0f;
constexpr float kTimelineHeight = 56.0f;
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

// Begins a window of Dear ImGui at a fixed place.
void begin_panel(const char* name, float x, float y, float width, float height, ImGuiWindowFlags flags = 0)
{
    ImGui::SetNextWindowPos({x, y});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin(name, nullptr, kFixed | flags);
}

} // namespace

struct InspectWindow::Imgui
{
    // Error: OpenGL is too old.
    static Result<std::unique_ptr<Imgui>> create(GLFWwindow* window)
    {
        std::unique_ptr<Imgui> imgui(new Imgui);
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::StyleColorsDark();
        ImGui::GetStyle().WindowRounding = 0.0f;
        imgui->glfw_ = ImGui_ImplGlfw_InitForOpenGL(window, true);
        imgui->gl_ = imgui->glfw_ && ImGui_ImplOpenGL3_Init("#version 130");
        if (!imgui->gl_)
            return Error{"window: OpenGL 3 does not start"};
        return imgui;
    }
    ~Imgui()
    {
        if (gl_)
            ImGui_ImplOpenGL3_Shutdown();
        if (glfw_)
            ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    Imgui(const Imgui&) = delete;
    Imgui& operator=(const Imgui&) = delete;

private:
    Imgui() = default;

    bool glfw_ = false;
    bool gl_ = false;
};

InspectWindow::InspectWindow(StreamModel& model, const renderer::Options& vulkan)
    : model_(model), vulkan_(vulkan), pixel_(std::make_unique<PixelModel>(model)),
      operations_(model, places_), seek_bar_(model, places_), timeline_(model, places_)
{
}

InspectWindow::~InspectWindow()
{
    details_.reset();
    pictures_.reset();
    canvas_.reset();
    imgui_.reset();
    if (window_ != nullptr)
        glfwDestroyWindow(window_);
    if (glfw_)
        glfwTerminate();
}

Status InspectWindow::open(const std::string& log)
{
    if (const Status opened = log_.open(log); !opened)
        return opened;
    glfw_ = start_glfw();
    if (!glfw_)
        return Error{"window: no display can be opened (DISPLAY or WAYLAND_DISPLAY)"};
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    const std::string title = "picavk inspect " + model_.name();
    window_ = glfwCreateWindow(kWidth, kHeight, title.c_str(), nullptr, nullptr);
    if (window_ == nullptr)
        return Error{"window: cannot open a window with OpenGL 3 on this display"};
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window_, this);
    auto canvas = GlCanvas::create();
    if (!canvas)
        return canvas.error();
    canvas_ = std::move(*canvas);
    auto imgui = Imgui::create(window_);
    if (!imgui)
        return imgui.error();
    imgui_ = std::move(*imgui);
    set_callbacks();
    pictures_ = std::make_unique<PicturePanel>(model_, *pixel_, *canvas_, places_);
    details_ = std::make_unique<DetailsPanel>(model_, *pixel_, vulkan_, *canvas_, places_);
    return {};
}

// Instead of those of Dear ImGui, which are called from here and from the queue.
void InspectWindow::set_callbacks()
{
    glfwSetKeyCallback(window_,
                       [](GLFWwindow* window, int key, int scancode, int action, int mods)
                       {
                           auto* self = static_cast<InspectWindow*>(glfwGetWindowUserPointer(window));
                           self->keys_.key(key, scancode, action, mods);
                       });
    glfwSetCharCallback(
        window_, [](GLFWwindow* window, unsigned character)
        { static_cast<InspectWindow*>(glfwGetWindowUserPointer(window))->keys_.character(character); });
    glfwSetMouseButtonCallback(window_,
                               [](GLFWwindow* window, int button, int action, int mods)
                               {
                                   auto* self = static_cast<InspectWindow*>(glfwGetWindowUserPointer(window));
                                   self->keys_.mouse();
                                   ImGui_ImplGlfw_MouseButtonCallback(window, button, action, mods);
                               });
}

void InspectWindow::on_key(int key)
{
    if (key == GLFW_KEY_Q)
        glfwSetWindowShouldClose(window_, GLFW_TRUE);
    if (!model_.is_read() || model_.empty())
        return;
    const u32 frame = model_.operations()[model_.selected()].frame;
    switch (key)
    {
    case GLFW_KEY_DOWN:
        return operations_.step(1);
    case GLFW_KEY_UP:
        return operations_.step(-1);
    case GLFW_KEY_RIGHT:
        return model_.select_draw_after();
    case GLFW_KEY_LEFT:
        return model_.select_draw_before();
    case GLFW_KEY_L:
        return model_.select_list_after();
    case GLFW_KEY_K:
        return model_.select_list_before();
    case GLFW_KEY_PAGE_DOWN:
        return model_.select_frame(frame + 1);
    case GLFW_KEY_PAGE_UP:
        return model_.select_frame(frame == 0 ? 0 : frame - 1);
    case GLFW_KEY_F7:
        return details_->run(false);
    case GLFW_KEY_F8:
        return details_->run(true);
    case GLFW_KEY_HOME:
        return model_.select(0);
    case GLFW_KEY_END:
        return model_.select(model_.operations().size() - 1);
    default:
        return;
    }
}

void InspectWindow::run()
{
    while (glfwWindowShouldClose(window_) == GLFW_FALSE)
    {
        // Dear ImGui takes a frame or two to answer an event; then nothing changes until the next one.
        if (busy_ > 0 || !model_.is_read())
        {
            glfwPollEvents();
            --busy_;
        }
        else
        {
            glfwWaitEventsTimeout(0.5);
            busy_ = 2;
        }
        if (!model_.is_read() && !model_.read_more(std::chrono::milliseconds(30)))
            busy_ = 3;
        if (model_.is_read() && !model_.empty() && details_->work(std::chrono::milliseconds(30)))
            busy_ = 3;
        if (keys_.deliver(window_, [this](int key) { on_key(key); }))
            busy_ = 2;
        draw();
        write_log();
    }
}

void InspectWindow::draw()
{
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    draw_panels(size.x, size.y);
    ImGui::Render();
    canvas_->clear(width, height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_);
}

void InspectWindow::draw_panels(float width, float height)
{
    const float top = height - kTimelineHeight;
    const float details = std::floor(width * 0.345f);
    begin_panel("operations", 0, 0, kListWidth, top);
    operations_.draw();
    ImGui::End();
    begin_panel("pictures", kListWidth, 0, width - kListWidth - details, top);
    if (!model_.is_read())
        ImGui::Text("reading the stream: %zu operations", model_.operations().size());
    else if (model_.empty())
        ImGui::TextUnformatted("the stream draws nothing");
    else
    {
        seek_bar_.draw();
        pictures_->draw();
    }
    ImGui::End();
    begin_panel("details", width - details, 0, details, top);
    if (model_.is_read() && !model_.empty())
        details_->draw();
    ImGui::End();
    begin_panel("timeline", 0, top, width, kTimelineHeight,
                ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar);
    timeline_.draw();
    ImGui::End();
}

void InspectWindow::write_log()
{
    Json places = places_.take();
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    places["bounds"] = {0, 0, width, height};
    if (!log_.is_open() || !model_.is_read() || model_.empty())
        return;
    log_.write("places", {{"places", places}});
    details_->write_log(log_);
    if (pixel_->picked())
        log_.write("pixel", pixel_->log());
    const ReplayOperation& operation = model_.operations()[model_.selected()];
    Json selected = {{"operation", model_.selected()}, {"frame", operation.frame},
                     {"list", operation.list},         {"draw", operation.draw},
                     {"is_draw", operation.is_draw()}, {"label", model_.label(model_.selected())}};
    if (model_.scale() != 1)
        selected["scale"] = model_.scale();
    log_.write("selected", selected);
}

} // namespace samples
