// SPDX-License-Identifier: MIT
// The Vulkan backend: executes decoded work on guest memory with the bits of the software core. Not
// thread-safe: one thread drives it. Host failures come back as Result at creation; a device lost later is a
// sticky status().
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/command/backend.h"
#include "pica/transfer/scanout.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace renderer
{

// Which of several equivalent ways is taken. Auto chooses by device facts; all give the same bits.
enum class VertexExecutorChoice : pica::u8
{
    Auto, // CPU on CPU devices, else compute
    Cpu,
    Compute,
    Interpret, // compute, programs interpreted on the device instead of compiled
};
enum class BlendPathChoice : pica::u8
{
    Auto, // the first of the list that the device has
    RasterOrder,
    Interlock,
    Barrier,
};
enum class CoverageChoice : pica::u8
{
    Auto, // fixed function where the self-test passed
    FixedFunction,
    Shader,
};

// The ubershader reads the fragment state from memory instead of having it compiled in (design D10).
enum class UbershaderChoice : pica::u8
{
    First, // until worker threads have made the draw's own pipeline; no draw waits for it
    Never, // every pipeline is made when a draw first needs it, and the draw waits
    Always,
    Mixed, // every other draw: shows that the two agree in one picture
};

// Who draws while workers make a draw's own pipeline (UbershaderChoice::First).
enum class StandInChoice : pica::u8
{
    Auto, // the software core on devices that compile late (stand_in.h), else the ubershader
    Ubershader,
    Software,
};

struct HostDevice;
struct ScreenImage;
class ScreenImages;

struct Options
{
    // The host's own Vulkan device (host_device.h); null: instance and device are made.
    std::shared_ptr<const HostDevice> device;
    VertexExecutorChoice vertex_executor = VertexExecutorChoice::Auto;
    BlendPathChoice blend_path = BlendPathChoice::Auto;
    CoverageChoice coverage = CoverageChoice::Auto;
    UbershaderChoice ubershader = UbershaderChoice::First;
    StandInChoice stand_in = StandInChoice::Auto;
    pica::u32 scale = 1;           // internal resolution N; 1 until upscaling is built
    bool validation = false;       // Vulkan validation layers, core and synchronization
    bool time_vertex_work = false; // with timestamps, for Statistics
    bool self_test = true;         // run the start-up self-test (its facts decide the exact fallbacks)
    std::vector<std::string> masked_features;        // optional features to treat as absent (device.h)
    pica::u64 texture_budget = pica::u64{256} << 20; // bytes of decoded textures on the device (TextureCache)
    // Pipelines of draws that are kept, and a quarter as many of each kind of program; 0.84 MB each on a
    // software rasteriser. Beyond it those go that were not used for longest.
    pica::u32 pipeline_budget = 512;
    std::string cache_directory; // where self-test verdicts are kept; empty: nowhere
    std::string device_name;     // part of the device's name; empty: the best one
    // Seconds that one submission may take while somebody waits for it, until the device counts as lost; 0:
    // an hour. Slow devices are not lost ones (Device::may_wait_on).
    pica::u32 device_timeout = 0;
    // Told about once a second, with the seconds for this submission, by who waits for the device; false: it
    // counts as lost (not while pipelines are made at start-up: drivers cannot be interrupted there).
    std::function<bool(pica::u32 seconds)> on_wait;
};

// Why a renderer could not be made.
enum class CreateFailure : pica::u8
{
    Unavailable,  // no such device, or it cannot do what the options ask
    DeviceFailed, // there is one, and it was lost or ran out of memory on the way
};

struct Statistics
{
    pica::u64 draws = 0;
    pica::u64 merged_draws = 0; // draws that became part of the command before them
    pica::u64 triangles = 0;    // CPU executor only
    pica::u64 draw_commands = 0;
    pica::u64 batches = 0; // render passes
    pica::u64 blend_barriers = 0;
    pica::u64 submissions = 0;
    pica::u64 waits = 0;               // times the CPU waited for the device
    pica::u32 shader_modules = 0;      // made
    pica::u32 shader_modules_held = 0; // now
    double shader_ms = 0.0;
    pica::u32 pipelines = 0;          // made
    pica::u32 pipelines_held = 0;     // now, those included that the device may still use
    pica::u64 pipeline_evictions = 0; // let go for the budget
    double pipeline_ms = 0.0;
    pica::u64 ubershader_draws = 0;
    pica::u64 ubershader_waits = 0; // draws that waited for a variant of the ubershader
    double ubershader_wait_ms = 0.0;
    pica::u64 stand_in_draws = 0;             // by the software core
    pica::u64 worker_pipelines = 0;           // made by worker threads
    pica::u64 worker_failures = 0;            // could not be made: the ubershader stays
    pica::u64 worker_drops = 0;               // left the queue unmade
    pica::u64 device_draws = 0;               // whose vertex work the device did
    pica::u64 device_parts = 0;               // ... the parts that they were made in
    pica::u64 texel_parts = 0;                // ... with records that are no varyings
    pica::u64 device_vertices = 0;            // shaded for them
    pica::u64 interpreted_parts = 0;          // ... whose vertex program the interpreter ran
    pica::u64 geometry_draws = 0;             // whose geometry program the device ran
    pica::u64 parallel_geometry_draws = 0;    // ... side by side
    pica::u64 interpreted_geometry_draws = 0; // ... by the interpreters
    // Vertex work on the device that was timed (Options::time_vertex_work), of submissions that are done:
    // from attributes, or values of immediate mode, to triangle records.
    pica::u64 timed_vertices = 0;
    pica::u64 timed_vertex_ns = 0;
    pica::u64 binds = 0; // pipelines and descriptor sets bound for draws
    pica::u64 texture_decodes = 0;
    pica::u64 texture_bytes = 0; // guest bytes decoded to textures
    pica::u64 upload_bytes = 0;  // guest bytes brought to the device's mirror of guest memory
    // Now, in bytes on the device: decoded textures, memory for uploads, all that is allocated.
    pica::u64 texture_memory = 0;
    pica::u64 texture_memory_peak = 0; // the largest since the creation
    pica::u64 upload_memory = 0;
    pica::u64 device_memory = 0;
};

// What a bug report needs to know of the device. Names are for people and programs alike.
struct DeviceFacts
{
    std::string device;
    std::string driver; // name and version in the driver's words; its number where it has none
    pica::u32 vendor_id = 0;
    pica::u32 device_id = 0;
    std::string type;   // "discrete", "integrated", "virtual", "cpu" or "other"
    std::string vulkan; // "1.3.230"
    struct Feature
    {
        std::string name;
        bool used = false; // the device has it, and no workaround switches it off
    };
    std::vector<Feature> features;
    struct Verdict
    {
        std::string name;
        bool exact = false;
    };
    std::vector<Verdict> self_test; // empty: it was not run
    pica::u32 reciprocal_steps = 0; // of the self-test
    bool kept_verdict = false;      // measured by an earlier run
    struct Path
    {
        std::string name;
        std::string choice;
    };
    std::vector<Path> paths;
    struct Limit
    {
        std::string name; // as in VkPhysicalDeviceLimits
        pica::u64 value = 0;
    };
    std::vector<Limit> limits; // that decide how something is done
    // As lines "name: value", self-test and paths included.
    std::string text() const;
};

class Renderer final : public pica::Backend
{
public:
    // Every choice that the device cannot follow is an error that says so. memory and report must outlive the
    // renderer.
    static pica::Result<std::unique_ptr<Renderer>> create(const Options& options, pica::GuestMemory& memory,
                                                          pica::Report& report,
                                                          CreateFailure* failure = nullptr);
    ~Renderer() override;

    std::string_view name() const override { return "vulkan"; }
    pica::GuestMemory& memory() override;
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override;
    void display_transfer(const pica::DisplayTransfer& transfer) override;
    void texture_copy(const pica::TextureCopy& copy) override;
    void will_read(pica::PhysAddr address, pica::u32 size) override;
    void will_write(pica::PhysAddr address, pica::u32 size) override;
    void did_write(pica::PhysAddr address, pica::u32 size) override;
    void request_read(pica::PhysAddr address, pica::u32 size) override;
    bool read_is_ready(pica::PhysAddr address, pica::u32 size) override;
    void flush() override;
    void end_frame() override;
    pica::u64 covered_pixels(const pica::Draw& draw) override;
    pica::Carryover save_carryover() override;
    void load_carryover(const pica::Carryover& carryover) override;

    // The picture as an image that the host holds until it is released to images(). Submits.
    pica::Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfig& config);
    ScreenImages& images();

    // Returns when the worker threads have made every pipeline asked for so far; draws use them from then on.
    void finish_pipelines();
    // Draws like those so far are drawn by their own pipelines, and nothing is being compiled.
    bool settled() const;

    // First host failure (device lost, out of memory), if any; everything after it is skipped.
    const pica::Status& status() const;
    Statistics statistics() const;
    DeviceFacts facts() const;
    // The same as text, one fact per line.
    std::string description() const;
    // The device is a software rasteriser: `auto` prefers the software core to it.
    bool device_is_cpu() const;
    // Messages of the validation layers since creation; empty is what tests demand.
    std::vector<std::string> validation_messages() const;

private:
    class Impl;
    explicit Renderer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace renderer
