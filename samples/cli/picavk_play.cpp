// SPDX-License-Identifier: MIT
// picavk play: streams in a window, both screens placed as on the console.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/console_report.h"
#include "samples/cli/resize.h"
#include "samples/cli/window_presenter.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

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

// How the picture gets the size of the window.
enum class Filter : pica::u8
{
    Integer, // whole multiples of pixels
    Sharp,   // as large as the window
};

struct PlayArguments
{
    std::vector<std::string> streams;
    PlaybackOptions options{.backend = BackendChoice::Vulkan};
    u32 magnification = 2;
    Filter filter = Filter::Integer;
    u32 frames = 0; // 0: until the user quits
    bool paused = false;
    std::string screenshot;
};

bool start_glfw()
{
#ifdef GLFW_PLATFORM // GLFW 3.4
    // It would try Wayland as well, whose library writes a line of its own to stderr where there is no session.
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    if (std::getenv("XDG_RUNTIME_DIR") == nullptr && (wayland == nullptr || wayland[0] != '/') &&
        glfwPlatformSupported(GLFW_PLATFORM_X11))
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    return glfwInit() == GLFW_TRUE;
}

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

// Room for both screens at scale N.
Picture black_canvas(u32 n)
{
    const u32 width = kTopWidth * n, height = kCanvasHeight * n;
    return {width, height, std::vector<pica::u8>(std::size_t(width) * height * 4)};
}

// What the top half of the window shows if the picture is stereoscopic.
enum class Eye : pica::u8
{
    Left,
    Right,
    Anaglyph, // red from the left eye, green and blue from the right one
};

class Player
{
public:
    explicit Player(const PlayArguments& arguments)
        : arguments_(arguments), canvas_(black_canvas(arguments.options.scale)), filter_(arguments.filter),
          playing_(!arguments.paused)
    {
    }
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    pica::Status open();
    pica::Status run();
    // The last error was the failure of a Vulkan device.
    bool device_failed() const { return device_failed_; }

private:
    pica::Status load_stream(std::size_t index);
    pica::Status handle(int key);
    pica::Status step_frame();
    pica::Status step_draw();
    void place_screens();
    pica::Status present();
    pica::Status show();
    pica::Status take_screenshot();
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers);

    const PlayArguments& arguments_;
    ConsoleReport report_;
    GLFWwindow* window_ = nullptr;
    bool glfw_ = false;
    std::unique_ptr<WindowPresenter> presenter_;
    std::vector<pica::Trace> traces_; // one for each stream, all checked before the window opens
    std::unique_ptr<Playback> playback_;
    std::size_t stream_ = 0;
    Picture canvas_;
    Filter filter_;
    std::vector<int> keys_;
    Eye eye_ = Eye::Left;
    bool playing_;
    bool device_failed_ = false;
    bool mid_frame_ = false; // stepping by draws: the target of the last draw is shown
    u32 frames_shown_ = 0;
    double frame_ms_ = 0.0;
};

Player::~Player()
{
    presenter_.reset();
    if (window_ != nullptr)
        glfwDestroyWindow(window_);
    if (glfw_)
        glfwTerminate();
}

pica::Status Player::open()
{
    for (const std::string& path : arguments_.streams)
    {
        pica::Result<pica::Trace> trace = open_stream(path);
        if (!trace)
            return trace.error();
        traces_.push_back(std::move(*trace));
    }
    glfw_ = start_glfw();
    if (!glfw_)
        return pica::Error{"window: no display can be opened (DISPLAY or WAYLAND_DISPLAY)"};
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    const u32 size = std::max(arguments_.magnification, arguments_.options.scale);
    window_ = glfwCreateWindow(int(kTopWidth * size), int(kCanvasHeight * size), "picavk", nullptr, nullptr);
    if (window_ == nullptr)
        return pica::Error{"window: cannot open a window on this display"};
    glfwSetWindowUserPointer(window_, this);
    glfwSetKeyCallback(window_, &Player::on_key);
    auto presenter = WindowPresenter::create(window_);
    if (!presenter)
        return presenter.error();
    presenter_ = std::move(*presenter);
    return load_stream(0);
}

void Player::on_key(GLFWwindow* window, int key, int, int action, int)
{
    if (action == GLFW_PRESS || (action == GLFW_REPEAT && (key == GLFW_KEY_RIGHT || key == GLFW_KEY_D)))
        static_cast<Player*>(glfwGetWindowUserPointer(window))->keys_.push_back(key);
}

pica::Status Player::load_stream(std::size_t index)
{
    PlaybackOptions options = arguments_.options;
    if (playback_ && playback_->backend().name() == "software")
        options.backend = BackendChoice::Software; // stay with what the user chose
    playback_.reset();
    stream_ = index;
    options.vulkan.cache.title = stream_name(arguments_.streams[index]);
    report_.forget();
    renderer::CreateFailure failure{};
    auto playback = Playback::create(traces_[index], options, report_, &failure);
    device_failed_ = failure == renderer::CreateFailure::DeviceFailed;
    if (!playback)
        return playback.error();
    playback_ = std::move(*playback);
    return step_frame();
}

void Player::place_screens()
{
    Picture top = playback_->screen(pica::Screen::Top);
    if (playback_->screens().size() == 3 && eye_ != Eye::Left)
    {
        Picture right = playback_->screen(pica::Screen::TopRight);
        for (std::size_t i = 0; eye_ == Eye::Anaglyph && i < right.rgba.size(); i += 4)
            right.rgba[i] = top.rgba[i];
        top = std::move(right);
    }
    place(canvas_, top, 0, 0);
    const u32 n = playback_->scale();
    place(canvas_, playback_->screen(pica::Screen::Bottom), (kTopWidth - kBottomWidth) / 2 * n,
          pica::kScreenHeight * n);
}

pica::Status Player::step_frame()
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

pica::Status Player::step_draw()
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
    mid_frame_ = true;
    const Picture target = playback_->last_target();
    std::fill(canvas_.rgba.begin(), canvas_.rgba.end(), pica::u8(0));
    place(canvas_, target, target.width < canvas_.width ? (canvas_.width - target.width) / 2 : 0, 0);
    return show();
}

pica::Status Player::present()
{
    const pica::PictureSize canvas{canvas_.width, canvas_.height};
    const pica::PictureSize size = pica::fitting_size(canvas, presenter_->size(), filter_ == Filter::Integer);
    pica::Status presented = presenter_->present(size == canvas ? canvas_ : resized(canvas_, size));
    device_failed_ |= !presented; // the window's
    return presented;
}

pica::Status Player::show()
{
    if (pica::Status device = playback_->status(); !device)
    {
        device_failed_ = true;
        return device;
    }
    std::string title = "picavk: " + stream_name(arguments_.streams[stream_]);
    if (mid_frame_)
    {
        title += ", frame " + std::to_string(playback_->frames()) + " draw " +
                 std::to_string(playback_->draws_in_frame());
    }
    else
    {
        title += ", frame " + std::to_string(playback_->frames() - 1);
    }
    char time[32];
    std::snprintf(time, sizeof time, ", %.2f ms, ", frame_ms_);
    title += time;
    title += playback_->backend().name();
    if (playback_->backend().name() == "vulkan")
        title += " on " + presenter_->device_name();
    if (!mid_frame_ && eye_ != Eye::Left && playback_->screens().size() == 3)
        title += eye_ == Eye::Right ? ", right eye" : ", red-cyan";
    if (filter_ == Filter::Sharp)
        title += ", sharp";
    if (!playing_)
        title += ", paused";
    if (pica::Status presented = present(); !presented)
        return presented;
    glfwSetWindowTitle(window_, title.c_str());
    return {};
}

pica::Status Player::take_screenshot()
{
    std::string path = arguments_.screenshot;
    if (path.empty())
    {
        path = stream_name(arguments_.streams[stream_]) + "_frame" + std::to_string(playback_->frames() - 1) +
               ".png";
    }
    if (pica::Status written = write_png(path, canvas_); !written)
        return written;
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    return {};
}

pica::Status Player::handle(int key)
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
    case GLFW_KEY_Q:
    case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(window_, GLFW_TRUE);
        return {};
    default:
        return {};
    }
}

pica::Status Player::run()
{
    Clock::time_point next = Clock::now() + kFrameTime;
    while (glfwWindowShouldClose(window_) == GLFW_FALSE)
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

int run_play(const PlayArguments& arguments)
{
    if (const pica::Status possible = check_scale(arguments.options); !possible)
        return bad_input(possible.error().message);
    Player player(arguments);
    pica::Status status = player.open();
    if (status)
        status = player.run();
    if (status)
        return kExitSuccess;
    return player.device_failed() ? failed(status.error().message) : bad_input(status.error().message);
}

} // namespace

Verb add_play(CLI::App& program)
{
    const auto arguments = std::make_shared<PlayArguments>();
    CLI::App* app = program.add_subcommand(
        "play",
        "Play streams in a window. Keys: space play/pause, right step a frame, d step a draw (its colour "
        "target is shown), e eye of a stereo picture (left, right, red-cyan), b switch backend, f filter, n "
        "next stream, s screenshot, q quit");
    app->add_option("STREAM", arguments->streams, "Recorded streams (.pvk or CiTrace)")->required();
    add_backend_option(*app, arguments->options.backend);
    add_scale_option(*app, arguments->options.scale);
    add_device_options(*app, arguments->options.vulkan);
    app->add_option("--magnify", arguments->magnification, "Magnification of the window when it opens")
        ->check(CLI::Range(1u, 8u))
        ->option_text("N");
    add_choice_option<Filter>(
        *app, "--filter", arguments->filter, {{"integer", Filter::Integer}, {"sharp", Filter::Sharp}},
        "How the picture fills the window: integer magnifies it by the largest whole number that fits, sharp "
        "by any number, and mixes pixels only where their borders fall into a pixel of the window");
    app->add_option("--frames", arguments->frames, "Quit after this many frames")->option_text("N");
    app->add_option("--screenshot", arguments->screenshot,
                    "Where the s key writes, and what is written when --frames ends")
        ->option_text("FILE");
    app->add_flag("--paused", arguments->paused, "Wait after the first frame");
    return {app, [arguments] { return run_play(*arguments); }};
}

} // namespace samples
