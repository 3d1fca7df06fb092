// SPDX-License-Identifier: MIT
#include "samples/cli/play_window.h"

#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "samples/cli/new_file.h"
#include "samples/cli/overlay.h"
#include "samples/cli/resize.h"
#include "samples/cli/seeker.h"
#include "samples/cli/stream_list.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

namespace samples
{

namespace
{

using Clock = std::chrono::steady_clock;
using pica::u32;

constexpr u32 kTopWidth = pica::screen_width(pica::Screen::Top);
constexpr u32 kBottomWidth = pica::screen_width(pica::Screen::Bottom);
constexpr u32 kCanvasHeight = 2 * pica::kScreenHeight;
constexpr std::chrono::microseconds kFrameTime(16715); // 59.83 Hz
constexpr pica::s64 kPageFrames = 10;

void place(Picture& canvas, const Picture& picture, u32 left, u32 top)
{
    const u32 width = std::min(picture.width, canvas.width - left);
    const u32 height = std::min(picture.height, canvas.height - top);
    for (u32 y = 0; y < height; ++y)
    {
        std::memcpy(&canvas.rgba[(std::size_t(top + y) * canvas.width + left) * 4],
                    &picture.rgba[std::size_t(y) * picture.width * 4], std::size_t(width) * 4);
    }
    // The panels have no alpha.
    for (std::size_t i = 3; i < canvas.rgba.size(); i += 4)
        canvas.rgba[i] = 255;
}

// Room for both screens, with n x n pixels for each of theirs.
Picture black_canvas(u32 n)
{
    const u32 width = kTopWidth * n, height = kCanvasHeight * n;
    return {width, height, std::vector<pica::u8>(std::size_t(width) * height * 4)};
}

} // namespace

PlayWindow::PlayWindow(const PlayArguments& arguments)
    : arguments_(arguments), canvas_(black_canvas(arguments.shown_scale())), filter_(arguments.filter),
      playing_(!arguments.paused)
{
}

PlayWindow::~PlayWindow() = default;

pica::Status PlayWindow::open()
{
    if (names_standard_input_again(arguments_.streams))
        return pica::Error{kStandardInputOnce};
    for (const std::string& path : arguments_.streams)
    {
        pica::Result<pica::Trace> trace = open_stream(path);
        if (!trace)
            return trace.error();
        traces_.push_back(std::move(*trace));
    }
    const u32 size = std::max(arguments_.magnification, arguments_.shown_scale());
    if (pica::Status opened = window_.open(int(kTopWidth * size), int(kCanvasHeight * size)); !opened)
        return opened;
    glfwSetWindowUserPointer(window_.handle(), this);
    glfwSetKeyCallback(window_.handle(), &PlayWindow::on_key);
    glfwSetMouseButtonCallback(window_.handle(), &PlayWindow::on_button);
    return load_stream(0);
}

void PlayWindow::on_key(GLFWwindow* window, int key, int, int action, int)
{
    constexpr std::array kRepeated = {GLFW_KEY_LEFT, GLFW_KEY_RIGHT,   GLFW_KEY_A,
                                      GLFW_KEY_D,    GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN};
    const bool repeats = std::find(kRepeated.begin(), kRepeated.end(), key) != kRepeated.end();
    if (action == GLFW_PRESS || (action == GLFW_REPEAT && repeats))
        static_cast<PlayWindow*>(glfwGetWindowUserPointer(window))->keys_.push_back(key);
}

// A click on the timeline.
void PlayWindow::on_button(GLFWwindow* window, int button, int action, int)
{
    PlayWindow& play = *static_cast<PlayWindow*>(glfwGetWindowUserPointer(window));
    if (button != GLFW_MOUSE_BUTTON_LEFT || action != GLFW_PRESS || !play.overlay_)
        return;
    double x = 0, y = 0;
    int width = 0, height = 0;
    glfwGetCursorPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height); // in the units of the cursor
    const pica::PictureSize pixels = play.window_.presenter().size(), picture = play.picture_size();
    if (width <= 0 || height <= 0)
        return;
    const double left = (double(pixels.width) - picture.width) / 2,
                 top = (double(pixels.height) - picture.height) / 2;
    play.clicked_frame_ = timeline_frame(picture, play.traces_[play.stream_].frames(),
                                         x * pixels.width / width - left, y * pixels.height / height - top);
}

pica::Status PlayWindow::make_playback(std::size_t index)
{
    PlaybackOptions options = arguments_.options;
    if (playback_ && playback_->backend().name() == "software")
        options.backend = BackendChoice::Software; // stay with what the user chose
    playback_.reset();
    if (stream_ != index)
        seeker_.reset();
    stream_ = index;
    options.vulkan.cache.title = stream_name(arguments_.streams[index]);
    report_.forget();
    renderer::CreateFailure failure{};
    auto playback = Playback::create(traces_[index], options, report_, &failure);
    const bool may_do_without = !arguments_.asks_for_vulkan && options.backend == BackendChoice::Vulkan;
    if (!playback && may_do_without && failure == renderer::CreateFailure::Unavailable)
    {
        std::fprintf(stderr, "picavk: %s; the software backend draws\n", playback.error().message.c_str());
        options.backend = BackendChoice::Software;
        playback = Playback::create(traces_[index], options, report_, &failure);
    }
    device_failed_ = failure == renderer::CreateFailure::DeviceFailed;
    if (!playback)
        return playback.error();
    playback_ = std::move(*playback);
    return {};
}

pica::Status PlayWindow::load_stream(std::size_t index)
{
    const pica::Status made = make_playback(index);
    return made ? step_frame() : made;
}

void PlayWindow::place_screens()
{
    Picture top = playback_->screen(pica::Screen::Top);
    if (playback_->screens().size() == 3 && eye_ != Eye::Left)
    {
        Picture right = playback_->screen(pica::Screen::TopRight);
        for (std::size_t i = 0; eye_ == Eye::Anaglyph && i < right.rgba.size(); i += 4)
            right.rgba[i] = top.rgba[i];
        top = std::move(right);
    }
    place(canvas_, averaged(std::move(top)), 0, 0);
    const u32 n = arguments_.shown_scale();
    place(canvas_, averaged(playback_->screen(pica::Screen::Bottom)), (kTopWidth - kBottomWidth) / 2 * n,
          pica::kScreenHeight * n);
}

Picture PlayWindow::averaged(Picture drawn) const
{
    const u32 k = arguments_.ssaa;
    return k == 1 ? std::move(drawn) : resized(drawn, {drawn.width / k, drawn.height / k});
}

pica::Status PlayWindow::step_frame()
{
    const Clock::time_point start = Clock::now();
    bool stepped = playback_->step_frame();
    if (!stepped)
    {
        if (playback_->frames() == 0)
            return pica::Error{arguments_.streams[stream_] +
                               ": the stream has no frame marker, so there is nothing to show"};
        playback_->restart();
        playback_->step_frame();
    }
    mid_frame_ = false;
    place_screens();
    frame_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    ++frames_shown_;
    return show();
}

pica::Status PlayWindow::step_draw()
{
    const u32 frame = playback_->frames();
    if (!playback_->step_draw())
        return step_frame();          // the stream has ended: from its start again
    if (playback_->frames() != frame) // the frame had no further draw, so its marker was passed
    {
        mid_frame_ = false;
        place_screens();
        return show();
    }
    return show_target();
}

pica::Status PlayWindow::show_target()
{
    mid_frame_ = true;
    const Picture target = averaged(playback_->last_target());
    std::fill(canvas_.rgba.begin(), canvas_.rgba.end(), pica::u8(0));
    place(canvas_, target, target.width < canvas_.width ? (canvas_.width - target.width) / 2 : 0, 0);
    return show();
}

StreamPoint PlayWindow::point() const
{
    return {playback_->frames(), mid_frame_ ? u32(playback_->draws_in_frame()) : 0};
}

u32 PlayWindow::shown_frame() const
{
    return mid_frame_ || playback_->frames() == 0 ? playback_->frames() : playback_->frames() - 1;
}

// In the middle of a frame: the draw that was executed last, by its number in the frame, from 0.
u32 PlayWindow::shown_draw() const
{
    return std::max(point().draws, 1u) - 1;
}

pica::Result<Seeker*> PlayWindow::seeker()
{
    if (!seeker_)
    {
        auto created = Seeker::create(traces_[stream_]);
        if (!created)
            return created.error();
        seeker_ = std::move(*created);
    }
    return seeker_.get();
}

pica::Status PlayWindow::seek(StreamPoint point)
{
    const Clock::time_point start = Clock::now();
    if (playback_->scale() == 1)
    {
        const pica::Result<Seeker*> seeker = this->seeker();
        if (!seeker)
            return seeker.error();
        (*seeker)->move(*playback_, point);
    }
    else // from the start: a seeker at N times the resolution would draw all of it in software first
    {
        if (pica::Status made = make_playback(stream_); !made)
            return made;
        for (u32 marker = 0; marker < point.markers; ++marker)
            playback_->step_frame();
        for (u32 draw = 0; draw < point.draws; ++draw)
            playback_->step_draw();
    }
    mid_frame_ = point.draws != 0;
    if (!mid_frame_)
        place_screens();
    frame_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return mid_frame_ ? show_target() : show();
}

pica::Status PlayWindow::seek_frame(pica::s64 frame)
{
    const pica::s64 last = pica::s64(traces_[stream_].frames()) - 1;
    return seek({u32(std::clamp<pica::s64>(frame, 0, last)) + 1, 0});
}

pica::Status PlayWindow::seek_back_a_draw()
{
    const pica::Result<Seeker*> seeker = this->seeker();
    if (!seeker)
        return seeker.error();
    const StreamPoint before = (*seeker)->draw_before(point());
    return before == point() ? show() : seek(before);
}

pica::PictureSize PlayWindow::picture_size() const
{
    return pica::fitting_size({canvas_.width, canvas_.height}, window_.presenter().size(),
                              filter_ == Filter::Integer);
}

std::string PlayWindow::place_text() const
{
    return "frame " + std::to_string(shown_frame()) +
           (mid_frame_ ? " draw " + std::to_string(shown_draw()) : "");
}

OverlayContent PlayWindow::overlay()
{
    OverlayContent content;
    content.frame = shown_frame();
    content.frames = traces_[stream_].frames();
    std::string place =
        "frame " + std::to_string(content.frame) + " of 0 to " + std::to_string(content.frames - 1);
    // Both count from 0, as in the other verbs.
    if (const pica::Result<Seeker*> seeker = mid_frame_ ? this->seeker() : nullptr; seeker && *seeker)
        place += ", draw " + std::to_string(shown_draw()) + " of 0 to " +
                 std::to_string(std::max((*seeker)->draws_of(content.frame), 1u) - 1);
    char time[32];
    std::snprintf(time, sizeof time, "%.2f ms, ", frame_ms_);
    content.lines = {stream_name(arguments_.streams[stream_]), place,
                     time + std::string(playback_->backend().name()) + (playing_ ? "" : ", paused")};
    if (!typed_.empty())
        content.lines.push_back("go to frame " + typed_ + "_");
    return content;
}

pica::Status PlayWindow::present()
{
    const pica::PictureSize canvas{canvas_.width, canvas_.height};
    const pica::PictureSize size = picture_size();
    Picture picture = size == canvas ? canvas_ : resized(canvas_, size);
    if (overlay_)
        draw_overlay(overlay(), picture);
    pica::Status presented = window_.presenter().present(picture);
    device_failed_ |= !presented; // the window's
    return presented;
}

pica::Status PlayWindow::show()
{
    if (pica::Status device = playback_->status(); !device)
    {
        device_failed_ = true;
        return device;
    }
    std::string title = "picavk: " + stream_name(arguments_.streams[stream_]) + ", " + place_text();
    char time[32];
    std::snprintf(time, sizeof time, ", %.2f ms, ", frame_ms_);
    title += time;
    title += playback_->backend().name();
    if (playback_->backend().name() == "vulkan")
        title += " on " + window_.presenter().device_name();
    if (!mid_frame_ && eye_ != Eye::Left && playback_->screens().size() == 3)
        title += eye_ == Eye::Right ? ", right eye" : ", red-cyan";
    if (filter_ == Filter::Sharp)
        title += ", sharp";
    if (!playing_)
        title += ", paused";
    if (!typed_.empty())
        title += ", go to " + typed_;
    if (pica::Status presented = present(); !presented)
        return presented;
    glfwSetWindowTitle(window_.handle(), title.c_str());
    return {};
}

pica::Status PlayWindow::take_screenshot()
{
    std::string path = arguments_.screenshot;
    if (path.empty())
    {
        char place[64];
        std::snprintf(place, sizeof place, mid_frame_ ? "_frame%04u_draw%04u" : "_frame%04u", shown_frame(),
                      shown_draw());
        auto made = make_new_file(stream_name(arguments_.streams[stream_]) + place, "png");
        if (!made)
            return made.error();
        path = std::move(*made);
    }
    if (pica::Status written = write_png(path, canvas_); !written)
        return written;
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    return {};
}

pica::Status PlayWindow::handle_typing(int key)
{
    constexpr std::size_t kMostDigits = 8;
    const int digit = key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9 ? key - GLFW_KEY_KP_0 : key - GLFW_KEY_0;
    const bool enters = key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER;
    if (digit >= 0 && digit <= 9 && typed_.size() < kMostDigits)
        typed_ += char('0' + digit);
    else if (key == GLFW_KEY_BACKSPACE && !typed_.empty())
        typed_.pop_back();
    else if (enters && !typed_.empty())
        return seek_frame(std::stol(std::exchange(typed_, {})));
    return show();
}

pica::Status PlayWindow::handle_seek(int key)
{
    switch (key)
    {
    case GLFW_KEY_LEFT:
        playing_ = false;
        return playback_->frames() == 0 ? show() : seek_frame(pica::s64(shown_frame()) - 1);
    case GLFW_KEY_A:
        playing_ = false;
        return seek_back_a_draw();
    case GLFW_KEY_HOME:
        return seek_frame(0);
    case GLFW_KEY_END:
        return seek_frame(pica::s64(traces_[stream_].frames()) - 1);
    case GLFW_KEY_PAGE_UP:
        return seek_frame(shown_frame() - kPageFrames);
    case GLFW_KEY_PAGE_DOWN:
        return seek_frame(shown_frame() + kPageFrames);
    default:
        return handle_typing(key);
    }
}

pica::Status PlayWindow::handle(int key)
{
    switch (key)
    {
    case GLFW_KEY_SPACE:
        playing_ = !playing_;
        return show();
    case GLFW_KEY_RIGHT:
        playing_ = false;
        return step_frame();
    case GLFW_KEY_D:
        playing_ = false;
        return step_draw();
    case GLFW_KEY_B:
        if (pica::Status switched = playback_->switch_backend(); !switched)
        {
            // Continue with the old one.
            std::fprintf(stderr, "picavk: %s\n", switched.error().message.c_str());
            return {};
        }
        return show();
    case GLFW_KEY_E:
        eye_ = static_cast<Eye>((static_cast<u32>(eye_) + 1) % 3);
        if (!mid_frame_)
            place_screens();
        return show();
    case GLFW_KEY_F:
        filter_ = filter_ == Filter::Integer ? Filter::Sharp : Filter::Integer;
        return show();
    case GLFW_KEY_N:
        return load_stream((stream_ + 1) % arguments_.streams.size());
    case GLFW_KEY_S:
        return take_screenshot();
    case GLFW_KEY_H:
        overlay_ = !overlay_;
        return show();
    case GLFW_KEY_Q:
    case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(window_.handle(), GLFW_TRUE);
        return {};
    default:
        return handle_seek(key);
    }
}

pica::Status PlayWindow::run()
{
    Clock::time_point next = Clock::now() + kFrameTime;
    while (glfwWindowShouldClose(window_.handle()) == GLFW_FALSE)
    {
        if (playing_)
            glfwPollEvents();
        else
            glfwWaitEventsTimeout(0.1);
        for (const int key : std::exchange(keys_, {}))
        {
            if (pica::Status handled = handle(key); !handled)
                return handled;
        }
        if (const std::optional<u32> frame = std::exchange(clicked_frame_, {}))
            if (pica::Status sought = seek_frame(*frame); !sought)
                return sought;
        if (arguments_.frames != 0 && frames_shown_ >= arguments_.frames)
            return arguments_.screenshot.empty() ? pica::Status{} : take_screenshot();
        if (!playing_)
        {
            if (pica::Status shown = present(); !shown) // the window may have been uncovered
                return shown;
            continue;
        }
        std::this_thread::sleep_until(next);
        next = std::max(next + kFrameTime, Clock::now());
        if (pica::Status stepped = step_frame(); !stepped)
            return stepped;
    }
    return {};
}

} // namespace samples
