// SPDX-License-Identifier: MIT
// Context: everything that an emulator embeds, in one object. The guest's memory is the host's; registers or
// the verbs of the GX services go in, interrupts and pictures come out. One thread drives a context; any
// number of contexts may exist. Guide: renderer/EMBEDDING.md. The same for C: renderer/picavk.h. Tests:
// tests/api.
#pragma once

#include "pica/command/snapshot.h"
#include "pica/soft/software_core.h"
#include "pica/trace/recorder.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/renderer.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pica
{
class LiveBackend;
}

namespace renderer
{

enum class ContextBackend : pica::u8
{
    Null, // decodes everything and draws nothing
    Software,
    Vulkan,
    Validate, // both, each on a memory of its own, compared after every operation; the host sees the software
              // core's bytes
};

struct ContextOptions
{
    ContextBackend backend = ContextBackend::Software;
    // The guest's physical memory: usually VRAM (pica::kVramBase) and FCRAM (pica::kFcramBase). The bytes
    // belong to the host and outlive the context; regions do not overlap.
    std::vector<pica::MemoryRegion> regions;
    Options vulkan;
    pica::SoftwareOptions software{.threads = 1}; // no thread is started unless asked for
    // Called inside the call that caused the interrupt; must not call the context.
    std::function<void(pica::Interrupt)> on_interrupt;
    // For hosts that protect pages instead of announcing every access: from now on the CPU's accesses of this
    // kind to these bytes must be announced (ReadWrite: will_read before reads, will_write and did_write
    // around writes; Write: did_write after writes; None: nothing). At first nothing has to be. Called at the
    // end of the call that changes it, whole pages of 4 KiB but for a region's ends; must not call the
    // context. Not with Validate, whose second memory has to hear of every write.
    std::function<void(pica::PhysAddr, pica::u32 bytes, pica::PageAccess)> on_page_access;
};

class Context
{
public:
    // What no machine could follow: regions that are empty, overlap or end beyond 32 bits.
    static pica::Status check(const ContextOptions& options);
    // report outlives the context. Errors: those of check; a Vulkan device that is missing or cannot follow
    // the options.
    static pica::Result<std::unique_ptr<Context>> create(ContextOptions options, pica::Report& report);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Memory-mapped registers: the GPU block at 0x10400000, its internal registers at 0x10401000 + 4 * id,
    // and the LCD block at 0x10202000. What a write starts is executed before the call returns, its interrupt
    // included. byte_mask: which of the four bytes are written.
    void write_register(pica::PhysAddr address, pica::u32 value, pica::u32 byte_mask = 0xF);
    pica::u32 read_register(pica::PhysAddr address);

    // What the GX services do with those registers. Sizes and flags as in the registers
    // (pica/hardware/engines.md): width in the low half, height or gap in the high half.
    void submit_command_list(pica::PhysAddr address, pica::u32 bytes);
    void memory_fill(pica::PhysAddr start, pica::PhysAddr end, pica::u32 value, pica::FillWidth width,
                     pica::u32 engine = 0);
    void display_transfer(pica::PhysAddr input, pica::PhysAddr output, pica::u32 input_size,
                          pica::u32 output_size, pica::u32 flags);
    void texture_copy(pica::PhysAddr input, pica::PhysAddr output, pica::u32 bytes, pica::u32 input_rows,
                      pica::u32 output_rows);

    // The host's CPU is about to read, about to write, has written these bytes. What of a range is outside
    // memory is ignored, wherever it begins. will_read is the only call that waits for a device.
    void will_read(pica::PhysAddr address, pica::u32 bytes);
    void will_write(pica::PhysAddr address, pica::u32 bytes);
    void did_write(pica::PhysAddr address, pica::u32 bytes);
    // As did_write for whole pages, and may be called by any thread and inside a signal handler, also while
    // another call runs: it sets bits that the next call of the context looks at first.
    void mark_written(pica::PhysAddr address, pica::u32 bytes) noexcept;
    // Starts to bring newer bytes of the device to memory, without waiting; a later will_read of bytes that
    // have not been drawn to since finds them there.
    void request_read(pica::PhysAddr address, pica::u32 bytes);
    // Would will_read return without waiting?
    bool read_is_ready(pica::PhysAddr address, pica::u32 bytes);

    // Hands everything recorded to the device; does not wait.
    void flush();
    // Vertical blank: submits, keeps the caches tidy, raises PDC0 and PDC1.
    void end_frame();

    // What a screen shows, upright, screen_width(screen) * kScreenHeight words row by row, R in the lowest
    // byte, alpha 255. False where `rgba` has another size.
    bool read_screen(pica::Screen screen, std::span<pica::u32> rgba);
    bool is_stereoscopic() const;

    // The same picture as an image of the host's Vulkan device (ContextOptions::vulkan.device,
    // screen_image.h), which the host holds until it releases it: up to three of each screen. Submits what
    // was recorded. With the Vulkan backend the device makes it of what it has drawn, and the CPU waits for
    // nothing; with the others the CPU makes it and the device copies it.
    pica::Result<ScreenImage> acquire_image(pica::Screen screen);
    // The CPU waits until the picture is in the image.
    pica::Status wait_image(const ScreenImage& image);
    pica::Status release_image(const ScreenImage& image);

    // Everything that affects what comes next, as bytes; the same from every backend
    // (pica/command/SNAPSHOT.md). Guest memory is current afterwards, so that a host that leaves it out can
    // save it beside.
    std::vector<pica::u8> save_state(pica::SnapshotMemory memory);
    // Goes on from there. Errors: bytes that are corrupt, of another version or of other memory regions;
    // nothing has changed then.
    pica::Status load_state(std::span<const pica::u8> state);

    // Records what goes in, from here on, as a stream that plays back to the same bytes
    // (pica/trace/FORMAT.md): to a file, or piece by piece to a sink, which returns false where it cannot
    // keep a piece. Memory that the CPU writes without did_write is missing from it. Errors: a recording runs
    // already; the file cannot be made.
    pica::Status trace_start(const std::string& path);
    pica::Status trace_start(pica::TraceRecorder::Sink sink);
    // Nothing where none runs. Error: not all of it could be written.
    pica::Status trace_stop();
    void trace_comment(std::string_view text);
    bool is_tracing() const;

    // Another backend goes on at this point. Not to or from Validate. On an error the old one stays.
    pica::Status switch_backend(ContextBackend backend);
    ContextBackend backend() const { return options_.backend; }

    // First failure of the host (device lost, out of memory); guest memory is then as the failure left it.
    const pica::Status& status() const;
    // After such a failure: everything on the device is made anew from guest memory. device: the host's new
    // one; null: the same device again, or a new one of the context's own. Images of the old device are gone;
    // the host destroys it after this call. What only the lost device had is lost; without a failure nothing
    // is. On an error nothing has changed.
    pica::Status recover(std::shared_ptr<const HostDevice> device = nullptr);
    // Validate: the first difference between the backends in words.
    std::optional<std::string> difference() const;
    // Backend, device, chosen paths; a line each. For bug reports.
    std::string description() const;
    pica::u64 register_writes() const;
    // Of the Vulkan backend; zeros where there is none.
    Statistics statistics() const;

private:
    struct Parts;
    Context(ContextOptions options, pica::Report& report);
    pica::Status create();
    pica::Result<pica::Backend*> make(ContextBackend backend);
    pica::LiveBackend& announced(); // the backend, after it has heard of the writes that were marked
    void tell_page_access();
    ScreenImages* images_with(const ScreenImage& image);

    ContextOptions options_;
    pica::Report& report_;
    pica::Status no_failure_;
    std::unique_ptr<Parts> parts_;
};

} // namespace renderer
