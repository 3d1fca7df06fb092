// SPDX-License-Identifier: MIT
// Each measurement has a process of its own, so that none profits from what another one compiled.
#include "samples/cli/bench_measurement.h"

#include "pica/command/live_backend.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/renderer.h"
#include "samples/cli/console_report.h"
#include "samples/cli/host.h"
#include "samples/cli/measurement_process.h"
#include "samples/cli/part_costs.h"
#include "samples/cli/run_end.h"
#include "samples/cli/stream_traffic.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace samples
{

namespace
{

double milliseconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Counters that should not change once everything is cached.
struct CachedWork
{
    pica::u64 texture_decodes = 0;
    pica::u64 texture_bytes = 0;
    pica::u64 upload_bytes = 0;
    pica::u32 pipelines = 0;
    pica::u64 timed_vertices = 0;
    pica::u64 timed_vertex_ns = 0;
    double wait_ms = 0.0;
    std::vector<renderer::DeviceTime> device_times;
};

CachedWork cached_work(const Playback& playback)
{
    if (playback.vulkan() == nullptr)
    {
        // The software core reads guest memory in place: nothing is uploaded and nothing compiled.
        const pica::SoftwareStatistics statistics = playback.software()->statistics();
        return {statistics.textures_decoded, statistics.texture_bytes, 0, 0, 0, 0, 0.0, {}};
    }
    const renderer::Statistics statistics = playback.vulkan()->statistics();
    return {statistics.texture_decodes, statistics.texture_bytes,  statistics.upload_bytes,
            statistics.pipelines,       statistics.timed_vertices, statistics.timed_vertex_ns,
            statistics.wait_ms,         statistics.device_times};
}

// A result without figures. exit_code: of the program.
Figures no_figures(const std::string& error, int exit_code)
{
    return {{"error", error}, {"exit_code", exit_code}};
}

struct FrameTimes
{
    std::vector<double> all;    // in milliseconds, in the order in which they were played
    std::vector<double> cpu;    // of the same frames: CPU time of the thread that plays them
    std::vector<double> steady; // after everything was compiled and cached
    CachedWork before_steady;
    bool settled = false; // false: a fallback drew some of the steady frames
};

// Says once a second on a terminal how far the measurement is.
class Progress
{
public:
    explicit Progress(pica::u32 wanted) : wanted_(wanted) {}
    ~Progress()
    {
        if (printed_)
            std::fprintf(stderr, "\r%*s\r", kWidth, "");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void frame(std::size_t settling, std::size_t steady)
    {
        const auto now = std::chrono::steady_clock::now();
        if (!is_terminal_ || now - last_ < std::chrono::seconds(1))
            return;
        last_ = now;
        printed_ = true;
        char text[kWidth];
        if (steady == 0)
            std::snprintf(text, sizeof text, "bench: %zu frames, settling", settling);
        else
            std::snprintf(text, sizeof text, "bench: %zu of %u steady frames", steady, wanted_);
        std::fprintf(stderr, "\r%-*s", kWidth - 1, text);
    }

private:
    static constexpr int kWidth = 60;
    pica::u32 wanted_;
    bool is_terminal_ = is_terminal(stderr);
    bool printed_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Plays frames until everything is compiled, at least one pass over the stream; then another pass, in which
// the device fills its caches; then the steady frames: `wanted`, and each frame of the stream at least once. There are none if the stream has no frame marker.
pica::Result<FrameTimes> time_frames(Playback& playback, pica::u32 frames_of_stream,
                                     const BenchArguments& arguments)
{
    FrameTimes times;
    bool compiled = false, steady = false, gave_up = false;
    std::size_t frames_compiled = 0;
    const pica::u32 wanted = std::max(arguments.frames, frames_of_stream);
    Progress progress(wanted);
    const auto start_of_all = std::chrono::steady_clock::now();
    for (pica::u32 empty_passes = 0; times.steady.size() < wanted && empty_passes < 2;)
    {
        const auto start = std::chrono::steady_clock::now();
        const double cpu_start = thread_cpu_ms();
        if (!playback.step_frame())
        {
            playback.restart();
            ++empty_passes;
            continue;
        }
        playback.finish_frame();
        const double ms = milliseconds_since(start), cpu_ms = thread_cpu_ms() - cpu_start;
        // Frames of a lost device would take no time at all.
        if (const pica::Status device = playback.status(); !device)
            return device.error();
        times.all.push_back(ms);
        times.cpu.push_back(cpu_ms);
        progress.frame(times.all.size(), times.steady.size());
        empty_passes = 0;
        if (steady)
        {
            times.steady.push_back(ms);
            continue;
        }
        if (compiled)
            steady = ++frames_compiled >= frames_of_stream;
        else
        {
            gave_up = playback.vulkan() != nullptr && !playback.vulkan()->settled();
            compiled = times.all.size() >= frames_of_stream &&
                       (!gave_up || milliseconds_since(start_of_all) > 1e3 * arguments.settling_seconds);
        }
        if (steady)
            times.before_steady = cached_work(playback);
    }
    times.settled = !gave_up;
    return times;
}

// Milliseconds per frame where nobody reads the frames, but the last one, so that the device works while the CPU prepares
// the next frames. Plays whole passes over the stream.
double time_unread_frames(Playback& playback, pica::u32 wanted)
{
    playback.restart();
    playback.finish_frame();
    pica::u32 frames = 0;
    const auto start = std::chrono::steady_clock::now();
    for (bool in_pass = true; in_pass || frames < wanted;)
    {
        in_pass = playback.step_frame();
        if (in_pass)
            ++frames;
        else if (frames < wanted)
            playback.restart();
    }
    playback.finish_frame();
    return milliseconds_since(start) / double(frames);
}

void add_frame_figures(const FrameTimes& times, double draws, Figures& json)
{
    std::vector<double> sorted = times.steady;
    std::sort(sorted.begin(), sorted.end());
    const auto rank = [&](double share)
    { return sorted[std::min(sorted.size() - 1, std::size_t(share * double(sorted.size())))]; };
    double total = 0.0;
    for (const double time : sorted)
        total += time;
    const double draws_per_frame = draws / double(times.all.size());
    const double worst_of_all = *std::max_element(times.all.begin(), times.all.end());

    json["frames"] = sorted.size();
    json["settling_frames"] = times.all.size() - sorted.size();
    json["settled"] = times.settled;
    json["first_frame_ms"] = times.all.front();
    json["worst_frame_ms"] = worst_of_all; // of all frames, the first pass included
    json["worst_frame_cpu_ms"] = *std::max_element(times.cpu.begin(), times.cpu.end());
    json["worst_to_median"] = worst_of_all / rank(0.5);
    json["median_ms"] = rank(0.5);
    json["p99_ms"] = rank(0.99);
    json["worst_ms"] = sorted.back();
    json["draws_per_frame"] = draws_per_frame;
    json["ns_per_draw"] = draws_per_frame > 0.0 ? total / double(sorted.size()) * 1e6 / draws_per_frame : 0.0;
}

// What the Vulkan renderer has made and done. before: the work before the steady frames.
void add_vulkan_figures(const Playback& playback, const CachedWork& before, double steady_frames,
                        Figures& json)
{
    const renderer::Statistics statistics = playback.vulkan()->statistics();
    json["shader_modules"] = statistics.shader_modules;
    json["shader_ms"] = statistics.shader_ms;
    json["loaded_modules"] = statistics.loaded_modules;
    json["load_ms"] = statistics.load_ms;
    json["shader_modules_held"] = statistics.shader_modules_held;
    json["pipelines"] = statistics.pipelines;
    json["pipelines_held"] = statistics.pipelines_held;
    json["pipeline_evictions"] = statistics.pipeline_evictions;
    json["found_pipelines"] = statistics.found_pipelines;
    json["compiled_pipelines"] = statistics.compiled_pipelines;
    json["pipeline_ms"] = statistics.pipeline_ms;
    json["worker_pipelines"] = statistics.worker_pipelines;
    json["warmed_pipelines"] = statistics.warmed_pipelines;
    json["stand_in_draws"] = statistics.fallback_draws;
    json["ubershader_draws"] = statistics.ubershader_draws;
    json["ubershader_waits"] = statistics.ubershader_waits;
    json["ubershader_wait_ms"] = statistics.ubershader_wait_ms;
    json["compiler_waits"] = statistics.compiler_waits;
    json["compiler_wait_ms"] = statistics.compiler_wait_ms;
    json["render_passes"] = statistics.batches;
    json["draw_commands"] = statistics.draw_commands;
    json["merged_draws"] = statistics.merged_draws;
    json["host_conversions"] = statistics.host_conversions;
    json["binds"] = statistics.binds;
    json["submissions"] = statistics.submissions;
    json["waits"] = statistics.waits;
    json["cache_hits"] = statistics.cache_hits;
    json["cache_misses"] = statistics.cache_misses;
    json["cache_refused"] = statistics.cache_refused;
    json["cache_bytes_read"] = statistics.cache_bytes_read;
    json["cache_bytes_written"] = statistics.cache_bytes_written;
    const CachedWork after = cached_work(playback);
    json["steady_new_pipelines"] = after.pipelines - before.pipelines;
    if (const pica::u64 vertices = after.timed_vertices - before.timed_vertices; vertices != 0)
    {
        const double ns = double(after.timed_vertex_ns - before.timed_vertex_ns);
        json["device_vertices_per_frame"] = double(vertices) / steady_frames;
        json["device_vertex_ms_per_frame"] = ns * 1e-6 / steady_frames;
        json["device_ns_per_vertex"] = ns / double(vertices);
    }
}

// device_ms_per_frame: of each kind of work, in the steady frames.
void add_device_times(const CachedWork& before, const CachedWork& after, double steady_frames, Figures& json)
{
    Figures kinds = Figures::object();
    for (const renderer::DeviceTime& time : after.device_times)
    {
        const auto earlier =
            std::find_if(before.device_times.begin(), before.device_times.end(),
                         [&](const renderer::DeviceTime& one) { return one.kind == time.kind; });
        const pica::u64 ns = time.ns - (earlier == before.device_times.end() ? 0 : earlier->ns);
        if (ns != 0)
            kinds[time.kind] = double(ns) * 1e-6 / steady_frames;
    }
    json["device_ms_per_frame"] = std::move(kinds);
}

// Returns an "error" member instead of figures if the stream cannot be measured.
Figures measure(const pica::Trace& trace, const std::string& path, const BenchArguments& arguments,
                pica::Report& report)
{
    PlaybackOptions options;
    options.backend = arguments.backend;
    options.scale = arguments.scale;
    options.vulkan = arguments.vulkan;
    options.vulkan.time_vertex_work = true;
    options.vulkan.time_device = arguments.device_times;
    options.vulkan.cache.title = stream_name(path);
    const auto creation = std::chrono::steady_clock::now();
    renderer::CreateFailure failure{};
    auto created = Playback::create(trace, options, report, &failure);
    if (!created)
        return no_figures(created.error().message,
                          failure == renderer::CreateFailure::DeviceFailed ? kExitFailed : kExitBadInput);
    const double create_ms = milliseconds_since(creation);
    Playback& playback = **created;
    const pica::Result<FrameTimes> times = time_frames(playback, trace.frames(), arguments);
    if (!times)
        return no_figures(times.error().message, kExitFailed);
    if (times->steady.empty())
        return no_figures(path + ": the stream has no frame marker, so there is nothing to measure",
                          kExitBadInput);

    Figures json;
    json["stream"] = stream_name(path);
    json["backend"] = std::string(playback.backend().name());
    json["scale"] = arguments.scale;
    json["create_ms"] = create_ms;
    add_frame_figures(*times, double(playback.backend().draws()), json);
    const CachedWork after = cached_work(playback);
    const double frames = double(times->steady.size());
    const CachedWork& before = times->before_steady;
    json["texture_decodes"] = after.texture_decodes;
    json["steady_texture_bytes_per_frame"] = double(after.texture_bytes - before.texture_bytes) / frames;
    json["steady_upload_bytes_per_frame"] = double(after.upload_bytes - before.upload_bytes) / frames;
    if (playback.vulkan() == nullptr)
        return json;
    playback.report_work();
    add_vulkan_figures(playback, before, frames, json);
    json["device_wait_ms_per_frame"] = (after.wait_ms - before.wait_ms) / frames;
    if (arguments.device_times)
        add_device_times(before, after, frames, json);
    json["frame_ms"] = times->all;
    json["frame_cpu_ms"] = times->cpu;
    if (arguments.throughput)
    {
        json["throughput_ms"] = time_unread_frames(playback, arguments.frames);
        // Frames of a lost device take no time.
        if (const pica::Status device = playback.status(); !device)
            return no_figures(device.error().message, kExitFailed);
    }
    return json;
}

Figures measure_apart(const pica::Trace& trace, const std::string& path, const BenchArguments& arguments,
                      bool quiet)
{
    const pica::Result<std::string> text = in_own_process(
        arguments.cold,
        [&]
        {
            ConsoleReport report(arguments.verbose);
            pica::OnceReport silent(nullptr);
            BenchArguments own = arguments;
            if (own.cold && !own.vulkan.cache.directory.empty())
                // In the empty folder.
                own.vulkan.cache.directory = default_vulkan_options().cache.directory;
            return measure(trace, path, own, quiet ? static_cast<pica::Report&>(silent) : report).dump();
        });
    if (!text)
        return no_figures(text.error().message, kExitFailed);
    Figures figures = Figures::parse(*text, nullptr, false);
    return figures.is_object() ? figures : no_figures("the measurement ended without figures", kExitFailed);
}

} // namespace

Figures measure_stream(const pica::Trace& trace, const std::string& path, const BenchArguments& arguments)
{
    Figures json = measure_apart(trace, path, arguments, false);
    if (json.contains("error"))
        return json;
    // The same with pipelines that are compiled when a draw first needs them, for comparison.
    if (json["backend"] == "vulkan" && !arguments.once &&
        arguments.vulkan.ubershader != renderer::UbershaderChoice::Never)
    {
        BenchArguments synchronous = arguments;
        synchronous.vulkan.ubershader = renderer::UbershaderChoice::Never;
        const Figures other = measure_apart(trace, path, synchronous, true);
        if (other.contains("error"))
            return other;
        for (const char* key :
             {"create_ms", "first_frame_ms", "worst_frame_ms", "worst_to_median", "median_ms"})
            json[std::string("synchronous_") + key] = other[key];
    }
    pica::OnceReport silent(nullptr);
    const PartCosts parts = measure_parts(trace, silent);
    json["ns_per_register_write"] = parts.ns_per_register_write;
    json["vertices_per_frame"] = parts.vertices_per_frame;
    json["triangles_per_frame"] = parts.triangles_per_frame;
    json["cpu_vertex_ms_per_frame"] = parts.vertex_ms_per_frame;
    json["cpu_ns_per_vertex"] = parts.ns_per_vertex;
    const StreamTraffic traffic = measure_traffic(trace, silent);
    const double per_second = 1e3 / json["median_ms"].get<double>();
    json["fragments_per_frame"] = traffic.fragments_per_frame;
    json["bytes_per_frame"] = traffic.bytes_per_frame;
    json["fragments_per_second"] = traffic.fragments_per_frame * per_second;
    json["vertices_per_second"] = parts.vertices_per_frame * per_second;
    json["bytes_per_second"] = traffic.bytes_per_frame * per_second;
    return json;
}

} // namespace samples
