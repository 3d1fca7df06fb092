// SPDX-License-Identifier: MIT
// Plays one recorded stream: guest memory, the Gpu, the chosen backend, and what the screens show.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"
#include "pica/trace/pvk_recorder.h"
#include "pica/trace/trace.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/options.h"
#include "samples/cli/png_file.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pica
{
class Gpu;
class LiveBackend;
class PlaneMemory;
class Replay;
class SoftwareCore;
} // namespace pica

namespace renderer
{
class Renderer;
}

namespace samples
{

enum class BackendChoice : pica::u8
{
    Auto, // Vulkan, unless there is no device or it is a CPU
    Vulkan,
    Software,
};

// The default options of the Vulkan backend in this program: its disk cache is in the user's cache folder
// ($XDG_CACHE_HOME/picavk or ~/.cache/picavk).
renderer::Options default_vulkan_options();

struct PlaybackOptions
{
    BackendChoice backend = BackendChoice::Auto;
    pica::u32 scale = 1; // internal resolution N
    renderer::Options vulkan = default_vulkan_options();
};

// "s_triangle" of "a/b/s_triangle.ctf"; "stdin" of "-".
std::string stream_name(const std::string& path);
// Reads and checks the file. An error is one line that names the file.
pica::Result<pica::Trace> open_stream(const std::string& path);

// "top", "top_right", "bottom": parts of file names.
const char* screen_name(pica::Screen screen);

class Playback
{
public:
    // The trace and the report must outlive the playback. failure (may be null): as in Renderer::create. With
    // BackendChoice::Auto, a device that fails is an error too, but one that cannot be used is not.
    static pica::Result<std::unique_ptr<Playback>> create(const pica::Trace& trace,
                                                          const PlaybackOptions& options,
                                                          pica::Report& report,
                                                          renderer::CreateFailure* failure = nullptr);
    ~Playback();
    Playback(const Playback&) = delete;
    Playback& operator=(const Playback&) = delete;

    // Plays up to the next frame marker, or up to the next draw or frame marker. Returns false at the end of
    // the stream.
    bool step_frame();
    bool step_draw();
    // One step of a replay (pica/inspect/replay.h): at most one draw, fill, transfer or frame marker.
    bool step();
    // Starts again at the first element. Memory and caches stay as they are.
    void restart();
    // Continues where a replay of the same stream stands, above 1x with the replay's planes, too.
    void jump_to(pica::Replay& replay);
    // Number of frame markers passed since the start.
    pica::u32 frames() const { return player_->frame(); }
    // Number of draws since the last frame marker.
    pica::u64 draws_in_frame() const;
    // Guest memory, with what the device has of the range.
    const pica::GuestMemory& read_back(const pica::ByteRange& range);
    // The planes of guest memory, with the newest bytes of the range. Null at 1x. Valid until the next step.
    const pica::PlaneMemory* planes(const pica::ByteRange& range);
    // Reads back what the LCDs show; waits for the device.
    void finish_frame();

    // The top and bottom screen, and the right eye of the top screen if the LCD registers ask for stereo.
    std::vector<pica::Screen> screens() const;
    // The picture that the LCD shows, upright, with N * N pixels for each of the LCD's.
    Picture screen(pica::Screen screen);
    // The colour target of the last draw, turned like the console's screens (memory rows are columns from
    // left to right), N times as large, too.
    Picture last_target();

    // Records what is played from now on in picavk's own format.
    pica::Status record(const std::string& path);
    // Ends the recording. Error: not all of it could be written.
    pica::Status stop_recording();

    // Reports what the Vulkan backend has done so far, if it is in use.
    void report_work();
    // The Vulkan device's first failure, if there was one. Pictures shown since then are not those of the
    // stream.
    pica::Status status() const;

    // Lets the other backend continue at this point of the stream, with the same memory. Above 1x there is no other
    // one; that is reported.
    pica::Status switch_backend();
    pica::LiveBackend& backend() { return *backend_; }
    // Null if the Vulkan backend was never in use.
    const renderer::Renderer* vulkan() const { return vulkan_.get(); }
    pica::u32 scale() const { return options_.scale; }
    const pica::SoftwareCore* software() const { return software_.get(); }

private:
    Playback(const pica::Trace& trace, const PlaybackOptions& options, pica::Report& report);
    pica::Status create_vulkan(renderer::CreateFailure* failure = nullptr);
    void move_planes(bool to_software);
    void commit_memory();

    const pica::Trace& trace_;
    PlaybackOptions options_;
    pica::Report& report_;
    pica::GuestArena arena_;
    std::unique_ptr<pica::SoftwareCore> software_;
    std::unique_ptr<renderer::Renderer> vulkan_;
    std::unique_ptr<pica::LiveBackend> backend_;
    std::unique_ptr<pica::Gpu> gpu_;
    std::unique_ptr<pica::PvkRecorder> recorder_;
    std::optional<pica::TracePlayer> player_;
    std::vector<pica::u32> scanned_;
    pica::u64 draws_at_start_ = 0; // number of draws at the start of the current frame
    bool at_marker_ = true;
};

} // namespace samples
