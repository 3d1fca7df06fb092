// SPDX-License-Identifier: MIT
#include "samples/cli/playback.h"

#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/inspect/replay.h"
#include "pica/soft/software_core.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/backend/compare_planes.h"
#include "samples/cli/device_report.h"
#include "samples/cli/host.h"
#include "samples/cli/input_file.h"
#include "samples/cli/parsed_stream.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// On stderr whatever was asked for: somebody who sees nothing for minutes takes the program for dead.
bool tell_wait(u32 seconds)
{
    constexpr u32 kFirst = 10;
    if (seconds % kFirst == 0 && std::has_single_bit(seconds / kFirst))
        std::fprintf(stderr, "waiting for the Vulkan device: %u s (it may be compiling shaders)\n", seconds);
    return true;
}

} // namespace

renderer::Options default_vulkan_options()
{
    renderer::Options options;
    options.on_wait = tell_wait;
    if (const std::string folder = user_cache_folder(); !folder.empty())
        options.cache.directory = folder + "/picavk";
    return options;
}

namespace
{

SoftwareOptions software_options(u32 scale)
{
    SoftwareOptions options;
    options.keeps_draws_in_flight = true;
    options.scale = scale;
    return options;
}

} // namespace

std::string stream_name(const std::string& path)
{
    return path == kStandardInput ? "stdin" : std::filesystem::path(path).stem().string();
}

Result<Trace> open_stream(const std::string& path)
{
    auto file = read_input(path, Trace::kMagicBytes, Trace::most_bytes);
    if (!file)
        return file.error();
    return parse_stream(path, std::move(*file));
}

const char* screen_name(pica::Screen screen)
{
    return screen == pica::Screen::Bottom ? "bottom" : screen == pica::Screen::Top ? "top" : "top_right";
}

Playback::Playback(const Trace& trace, const PlaybackOptions& options, Report& report)
    : trace_(trace), options_(options), report_(report), arena_(trace.memory())
{
    commit_memory();
}

// What a game has touched long before the first frame that is played here.
void Playback::commit_memory()
{
    arena_.commit({kVramBase, kVramSize});
    for (const TraceElement& element : trace_.elements())
    {
        if (element.kind == TraceElementKind::MemoryLoad)
            arena_.commit({element.address, static_cast<u32>(element.data.size())});
    }
}

Playback::~Playback() = default;

u64 Playback::draws_in_frame() const
{
    return backend_->draws() - draws_at_start_;
}

Result<std::unique_ptr<Playback>> Playback::create(const Trace& trace, const PlaybackOptions& options,
                                                   Report& report, renderer::CreateFailure* failure)
{
    std::unique_ptr<Playback> playback(new Playback(trace, options, report));
    if (failure != nullptr)
        *failure = renderer::CreateFailure::Unavailable;
    playback->options_.vulkan.scale = options.scale;
    if (options.backend != BackendChoice::Software)
    {
        renderer::CreateFailure why{};
        const Status vulkan = playback->create_vulkan(&why);
        if (failure != nullptr)
            *failure = why;
        // A device that fails is no reason to draw without it unasked: it would be slow, and nobody would
        // know.
        if (!vulkan &&
            (options.backend == BackendChoice::Vulkan || why == renderer::CreateFailure::DeviceFailed))
            return vulkan.error();
        if (!vulkan)
            report.report(ReportKind::Info, "Vulkan is not used", vulkan.error().message);
    }
    const bool use_vulkan = playback->vulkan_ &&
                            (options.backend == BackendChoice::Vulkan || !playback->vulkan_->device_is_cpu());
    Backend* first = playback->vulkan_.get();
    report.report(ReportKind::Info, "backend",
                  use_vulkan          ? "vulkan"
                  : playback->vulkan_ ? "software, because the Vulkan device is a CPU"
                                      : "software");
    if (!use_vulkan)
    {
        playback->vulkan_.reset();
        playback->software_ = std::make_unique<SoftwareCore>(playback->arena_.memory(), report,
                                                             software_options(options.scale));
        first = playback->software_.get();
    }
    playback->backend_ = std::make_unique<LiveBackend>(*first);
    playback->gpu_ = std::make_unique<Gpu>(*playback->backend_, report);
    playback->player_.emplace(trace, *playback->gpu_);
    if (!playback->player_->status())
        return playback->player_->status().error();
    return playback;
}

Status Playback::create_vulkan(renderer::CreateFailure* failure)
{
    auto created = renderer::Renderer::create(options_.vulkan, arena_.memory(), report_, failure);
    if (!created)
        return created.error();
    vulkan_ = std::move(*created);
    report_start(*vulkan_, report_);
    return {};
}

void Playback::report_work()
{
    if (vulkan_)
        samples::report_work(*vulkan_, report_);
}

Status Playback::status() const
{
    return vulkan_ ? vulkan_->status() : Status{};
}

Status Playback::switch_backend()
{
    const bool to_software = &backend_->current() == vulkan_.get();
    if (to_software && !software_)
        software_ =
            std::make_unique<SoftwareCore>(arena_.memory(), report_, software_options(options_.scale));
    if (!to_software && !vulkan_)
    {
        if (Status created = create_vulkan(); !created)
            return created;
    }
    if (to_software)
        backend_->exchange(*software_);
    else
        backend_->exchange(*vulkan_);
    move_planes(to_software);
    return {};
}

// After an exchange: the pictures of N x pixels go along.
void Playback::move_planes(bool to_software)
{
    if (options_.scale == 1)
        return;
    if (!to_software)
        vulkan_->take_planes(*software_->planes());
    else if (const PlaneMemory* const planes = renderer::all_current_planes(vulkan_.get()))
        software_->planes()->take_over(*planes);
}

Status Playback::record(const std::string& path)
{
    auto made = PvkRecorder::to_file(path, *gpu_, *backend_);
    if (!made)
        return made.error();
    recorder_ = std::move(*made);
    return {};
}

Status Playback::stop_recording()
{
    return recorder_ ? recorder_->stop() : Status{};
}

bool Playback::step_frame()
{
    draws_at_start_ = backend_->draws();
    at_marker_ = player_->step(Step::Frame) == StepResult::Frame;
    return at_marker_;
}

bool Playback::step_draw()
{
    const u64 draws = backend_->draws();
    while (step())
        if (at_marker_ || backend_->draws() != draws)
            return true;
    return false;
}

bool Playback::step()
{
    if (at_marker_)
        draws_at_start_ = backend_->draws();
    const StepResult result = player_->step(Step::Draw);
    at_marker_ = result == StepResult::Frame;
    return result != StepResult::End;
}

void Playback::restart()
{
    player_->rewind();
    if (recorder_)
        recorder_->state_replaced();
    at_marker_ = true;
}

void Playback::jump_to(Replay& replay)
{
    constexpr u32 kPage = 4096;
    const GuestMemory& from = replay.memory();
    for (const MemoryRegion& region : from.regions())
    {
        const u32 size = static_cast<u32>(region.bytes.size());
        backend_->will_read(region.base, size);
        for (u32 begin = 0; begin < size; begin += kPage)
        {
            const PhysAddr page = region.base + begin;
            const u32 bytes = std::min(kPage, size - begin);
            // Pages that neither has written are zero in both.
            if (from.generation(page, bytes) == 0 && arena_.memory().generation(page, bytes) == 0)
                continue;
            const std::span<const u8> then = region.bytes.subspan(begin, bytes);
            const std::span<u8> now = arena_.memory().span(page, bytes);
            if (std::ranges::equal(then, now))
                continue;
            // Not through the Gpu, which would first end the list in which it stands.
            backend_->will_write(page, bytes);
            std::ranges::copy(then, now.begin());
            backend_->did_write(page, bytes);
        }
    }
    gpu_->set_state(replay.gpu().state()); // planes go with it
    if (const PlaneMemory* const planes = replay.core().planes(); planes != nullptr && options_.scale != 1)
    {
        if (&backend_->current() == vulkan_.get())
            vulkan_->take_planes(*planes);
        else
            software_->planes()->take_over(*planes);
    }
    player_->resume(replay.element(), replay.frame());
    draws_at_start_ = backend_->draws() - replay.frame_draws();
    at_marker_ = replay.frame_draws() == 0;
    for (std::size_t number = replay.next_operation(); number-- > 0;)
        if (const ReplayOperation& operation = replay.operations()[number]; operation.is_draw())
        {
            backend_->set_last_target(std::get<DrawnTarget>(operation.what).target);
            break;
        }
}

std::vector<pica::Screen> Playback::screens() const
{
    if (is_stereoscopic(gpu_->external()))
        return {pica::Screen::Top, pica::Screen::TopRight, pica::Screen::Bottom};
    return {pica::Screen::Top, pica::Screen::Bottom};
}

Picture Playback::screen(pica::Screen screen)
{
    const ScreenConfig config = decode_screen(gpu_->external(), screen);
    (void)read_back(config.input_range());
    const u32 n = options_.scale;
    scanned_.resize(std::size_t(screen_width(screen)) * n * kScreenHeight * n);
    if (n > 1 && &backend_->current() == vulkan_.get())
        vulkan_->scan_out(config, scanned_.data(), report_);
    else if (n > 1)
        software_->scan_out(config, scanned_.data(), report_);
    else
        scan_out(arena_.memory(), config, scanned_.data(), report_);
    return to_picture(screen_width(screen) * n, kScreenHeight * n, scanned_);
}

void Playback::finish_frame()
{
    for (const pica::Screen screen : screens())
        (void)read_back(decode_screen(gpu_->external(), screen).input_range());
}

const GuestMemory& Playback::read_back(const ByteRange& range)
{
    if (range.size != 0)
        backend_->will_read(range.begin, u32(std::min<u64>(range.size, 0xFFFFFFFF)));
    return arena_.memory();
}

const PlaneMemory* Playback::planes(const ByteRange& range)
{
    if (options_.scale == 1)
        return nullptr;
    return &backend_->current() == vulkan_.get() ? vulkan_->current_planes(range)
                                                 : std::as_const(*software_).planes();
}

// As a display transfer and the LCD would show it: memory row r is column r, its first pixel the lowest.
Picture Playback::last_target()
{
    const RenderTarget& target = backend_->last_target();
    const u32 bytes = bytes_per_pixel(target.color_format);
    backend_->will_read(target.color_address, target.color_bytes());
    const u32 n = options_.scale;
    const u32 width = target.width * n, height = target.height * n;
    std::vector<u32> words(std::size_t(width) * height, 0xFF000000u);
    std::vector<u8> plane(n > 1 ? target.color_bytes() : 0);
    const PlaneMemory* const planes = this->planes({target.color_address, target.color_bytes()});
    for (u32 number = 0; number < n * n; ++number)
    {
        std::span<const u8> memory = plane;
        if (planes != nullptr)
            planes->load(number, target.color_address, plane);
        else
            memory = arena_.memory().span(target.color_address, target.color_bytes());
        for (u32 row = 0; row < target.height; ++row)
        {
            for (u32 x = 0; x < target.width; ++x)
            {
                const u64 offset = target.block32 != 0 ? block32_offset(x, row, target.width, bytes)
                                                       : tiled_offset(x, row, target.width, bytes);
                if (offset + bytes > memory.size())
                    continue;
                words[std::size_t(width - 1 - x * n - number % n) * height + row * n + number / n] =
                    unpack_pixel(target.color_format, &memory[std::size_t(offset)]) | 0xFF000000u;
            }
        }
    }
    return to_picture(height, width, words);
}

} // namespace samples
