// SPDX-License-Identifier: MIT
// The window of `picavk play`: both screens placed as on the console, the keys, and the overlay.
#pragma once

#include "samples/cli/console_report.h"
#include "samples/cli/glfw_window.h"
#include "samples/cli/playback.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct GLFWwindow;

namespace samples
{

class Seeker;
struct OverlayContent;
struct StreamPoint;

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
    bool asks_for_vulkan =
        false; // by a backend or a device; otherwise the software backend draws where there is none
    pica::u32 ssaa =
        1; // K, which divides N of options.scale: each pixel shown is the average of K x K drawn ones
    pica::u32 magnification = 2;
    Filter filter = Filter::Integer;
    pica::u32 frames = 0; // 0: until the user quits
    bool paused = false;
    std::string screenshot;

    // Pixels of the picture for each of the console's, in both directions.
    pica::u32 shown_scale() const { return options.scale / ssaa; }
};

class PlayWindow
{
public:
    // arguments must outlive it.
    explicit PlayWindow(const PlayArguments& arguments);
    ~PlayWindow();
    PlayWindow(const PlayWindow&) = delete;
    PlayWindow& operator=(const PlayWindow&) = delete;

    pica::Status open();
    pica::Status run();
    // The last error was the failure of a Vulkan device.
    bool device_failed() const { return device_failed_; }

private:
    // What the top half of the window shows if the picture is stereoscopic.
    enum class Eye : pica::u8
    {
        Left,
        Right,
        Anaglyph, // red from the left eye, green and blue from the right one
    };

    pica::Status make_playback(std::size_t index);
    pica::Status load_stream(std::size_t index);
    pica::Status handle(int key);
    pica::Status handle_seek(int key);
    pica::Status handle_typing(int key);
    pica::Status step_frame();
    pica::Status step_draw();
    pica::Status show_target();
    // Where the stream stands, and to another point of it.
    StreamPoint point() const;
    pica::Result<Seeker*> seeker();
    pica::Status seek(StreamPoint point);
    pica::Status seek_frame(pica::s64 frame); // the nearest that there is
    pica::Status seek_back_a_draw();
    pica::u32 shown_frame() const;
    pica::u32 shown_draw() const;
    void place_screens();
    // As it is shown with --ssaa.
    Picture averaged(Picture drawn) const;
    pica::Status present();
    pica::Status show();
    OverlayContent overlay();
    pica::PictureSize picture_size() const;
    std::string place_text() const; // "frame 3 draw 5"
    pica::Status take_screenshot();
    static void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers);
    static void on_button(GLFWwindow* window, int button, int action, int modifiers);

    const PlayArguments& arguments_;
    ConsoleReport report_;
    GlfwWindow window_;
    std::vector<pica::Trace> traces_; // one for each stream, all checked before the window opens
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<Seeker> seeker_; // of the stream; made when it is first needed
    std::size_t stream_ = 0;
    Picture canvas_;
    Filter filter_;
    std::vector<int> keys_;
    std::optional<pica::u32> clicked_frame_;
    std::string typed_; // the number of a frame
    Eye eye_ = Eye::Left;
    bool playing_;
    bool overlay_ = false;
    bool device_failed_ = false;
    bool mid_frame_ = false; // stepping by draws: the target of the last draw is shown
    pica::u32 frames_shown_ = 0;
    double frame_ms_ = 0.0;
};

} // namespace samples
