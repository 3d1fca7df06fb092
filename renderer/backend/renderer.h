// SPDX-License-Identifier: MIT
// Renderer: the Vulkan backend. It executes decoded draws and transfers on guest memory and leaves the same
// bytes as the software renderer. It decides in which order its parts work together (renderer_parts.h). Not
// thread-safe: one thread drives it. Failures at creation are returned. A device that is lost later is
// reported by status() from then on.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/command/backend.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/device_facts.h"
#include "renderer/backend/options.h"
#include "renderer/backend/statistics.h"

#include <memory>
#include <string>
#include <vector>

namespace pica
{
class PlaneMemory;
}

namespace renderer
{

struct PreparedDraw;
struct RendererParts;
struct ScreenImage;
class ScreenImages;

class Renderer final : public pica::Backend
{
public:
    // Creates a renderer and its device, runs the self-test, and compiles the common ubershader pipelines.
    // This may take seconds. A choice in the options that the device cannot follow is an error. memory and
    // report stay the caller's and must outlive the renderer. failure, if not null, says why creation failed.
    static pica::Result<std::unique_ptr<Renderer>> create(const Options& options, pica::GuestMemory& memory,
                                                          pica::Report& report,
                                                          CreateFailure* failure = nullptr);
    // Waits until the device has finished.
    ~Renderer() override;
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // The operations of pica::Backend. They record commands and submit them now and then. They wait for the
    // device only where guest work needs bytes on the CPU that are newer on the device, where too many frames
    // are in flight (FramesInFlight), or where a budget is used up. A draw may also wait for a
    // compiler (UbershaderChoice, StateChooser::form). After a host failure draws and transfers do nothing.
    std::string_view name() const override { return "vulkan"; }
    pica::GuestMemory& memory() override;
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override;
    void display_transfer(const pica::DisplayTransfer& transfer) override;
    void texture_copy(const pica::TextureCopy& copy) override;
    void will_read(pica::PhysAddr address, pica::u32 size) override;
    void will_write(pica::PhysAddr address, pica::u32 size) override;
    void did_write(pica::PhysAddr address, pica::u32 size) override;
    void may_have_written(pica::PhysAddr address, pica::u32 size) override;
    void request_read(pica::PhysAddr address, pica::u32 size) override;
    bool read_is_ready(pica::PhysAddr address, pica::u32 size) override;
    void flush() override;
    void end_frame() override;
    pica::u64 covered_pixels(const pica::Draw& draw) override;
    pica::Carryover save_carryover() override;
    void load_carryover(const pica::Carryover& carryover) override;

    // Gives a screen's picture as an image on the device. Flushes and submits; waits only where the CPU makes
    // the picture (ScanOut). The image belongs to images(), and the host may use it until it is released
    // there. An error if all images of the screen are held, or after a host failure. The other screens' configs
    // count where the host is expected to ask for these screens next.
    pica::Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfigs& configs);
    // The owner of the images that show() gives. Waits, reads and releases are calls of it.
    ScreenImages& images();

    // What a screen shows: N * width times N * 240 words, otherwise as pica::scan_out. Waits where the device has newer
    // bytes.
    void scan_out(const pica::ScreenConfig& config, pica::u32* rgba_out, pica::Report& report);
    // The planes of guest memory, with the newest bytes of a range, as guest memory itself then is there (design.md, "N
    // times the resolution"). Submits and waits. Null at 1x, and after a host failure. Valid until the next operation.
    const pica::PlaneMemory* current_planes(const pica::ByteRange& range);
    // Goes on with the planes of another backend that has worked on the same guest memory (PlaneMemory::take_over).
    void take_planes(const pica::PlaneMemory& planes);

    // Waits until the workers have compiled every pipeline requested so far, and the device has finished the
    // warm-up draws that were submitted. Later draws use these pipelines.
    void finish_pipelines();
    // True if no worker compiles and the software renderer is not drawing as the fallback.
    bool settled() const;

    // The first host failure (device lost, out of memory), or success. After a failure all work is skipped.
    const pica::Status& status() const;
    // Counters since creation, and current memory use. Does not wait.
    Statistics statistics() const;
    // The facts about the device for a bug report.
    DeviceFacts facts() const;
    // facts() as text, one kind per line.
    std::string description() const;
    // Is the device a software rasteriser? Then the backend `auto` prefers the software renderer.
    bool device_is_cpu() const;
    // Warnings and errors of the validation layers since creation. Tests require that there are none.
    std::vector<std::string> validation_messages() const;

private:
    explicit Renderer(std::unique_ptr<RendererParts> parts);
    pica::Status prepare_pipelines();
    void warm_title();
    void save_title();
    bool is_usable() const;
    bool software_draws() const;
    // Begins any operation that is not a draw: flushes, and submits where much has been uploaded. input, output: empty
    // where planes cannot go from one to the other. False: the device has failed.
    bool begin_operation(const pica::ByteRange& input, const pica::ByteRange& output);
    void collect_pipelines();
    void bound_uploads();
    void bound_vertex_work(const pica::Draw& draw);
    void bound_pipelines();
    void draw_part(const pica::Draw& draw, const PreparedDraw& prepared);
    void draw_parts(const pica::Draw& draw, const PreparedDraw& prepared);
    void return_geometry();

    std::unique_ptr<RendererParts> parts_;
    pica::u64 draws_ = 0;
    pica::u64 frames_ = 0;
    pica::u64 next_save_;           // the frame after which the title's list is saved
    pica::u64 saved_additions_ = 0; // of the title's list, when it was saved last
    pica::u64 device_draws_ = 0;    // draws whose vertex work the device did
};

} // namespace renderer
