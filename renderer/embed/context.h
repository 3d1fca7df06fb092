// SPDX-License-Identifier: MIT
// Context: one emulated GPU, which an emulator embeds. It works on the host's memory. Register accesses or
// the operations of the GX services go in; interrupts and pictures come out. One thread at a time drives a
// context. Any number of contexts may exist. Guide: renderer/EMBEDDING.md. C interface: renderer/picavk.h.
// Tests: tests/api.
#pragma once

#include "pica/command/snapshot.h"
#include "pica/trace/pvk_recorder.h"
#include "pica/transfer/scanout.h"
#include "pica/upscale/presentation.h"
#include "renderer/backend/statistics.h"
#include "renderer/embed/context_options.h"
#include "renderer/embed/gx_services.h"

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

struct ScreenImage;

// Operations of the guest.
struct GuestWork
{
    pica::u64 draws = 0, fills = 0, transfers = 0, copies = 0;
};

class Context
{
public:
    // Creates a context. report must outlive it. Errors: those of check(options); a Vulkan device that is missing or
    // cannot follow the options; a backend that this build does not have.
    static pica::Result<std::unique_ptr<Context>> create(ContextOptions options, pica::Report& report);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Accesses to memory-mapped registers: the GPU block at 0x10400000, its internal registers at 0x10401000
    // + 4 * id, and the LCD block at 0x10202000. What a write starts is executed, and its interrupt raised,
    // before the call returns. The device may still be working. byte_mask: which of the four bytes are
    // written.
    void write_register(pica::PhysAddr address, pica::u32 value, pica::u32 byte_mask = 0xF);
    pica::u32 read_register(pica::PhysAddr address);

    // The operations of the GX services, as writes to these registers. Sizes and flags are those of the
    // registers (pica/hardware/engines.md): width in the low half, height or gap in the high half.
    void submit_command_list(pica::PhysAddr address, pica::u32 bytes);
    void memory_fill(pica::PhysAddr start, pica::PhysAddr end, pica::u32 value, pica::FillWidth width,
                     pica::u32 engine = 0);
    void display_transfer(pica::PhysAddr input, pica::PhysAddr output, pica::u32 input_size,
                          pica::u32 output_size, pica::u32 flags);
    void texture_copy(pica::PhysAddr input, pica::PhysAddr output, pica::u32 bytes, pica::u32 input_rows,
                      pica::u32 output_rows);
    // What a panel shows, as writes to the registers of its display controller and of the LCD block. Take effect at
    // once, raise nothing, and do not wait.
    void set_framebuffer(gx::Panel panel, const gx::Framebuffer& framebuffer)
    {
        write_registers(gx::framebuffer(panel, framebuffer));
    }
    void set_lcd_fill(gx::Panel panel, bool enabled, pica::u32 color)
    {
        write_registers(gx::lcd_fill(panel, enabled, color));
    }

    // To be called before the host's CPU reads bytes, before it writes, and after it wrote. Addresses outside
    // of memory are ignored. will_read and will_write wait where the device has newer bytes; did_write
    // does so above 1x only, from 1 MiB on. All calls that may wait are listed in renderer/EMBEDDING.md, "Waiting".
    void will_read(pica::PhysAddr address, pica::u32 bytes);
    void will_write(pica::PhysAddr address, pica::u32 bytes);
    void did_write(pica::PhysAddr address, pica::u32 bytes);
    // The CPU may have written anywhere in the range, without will_write: for hosts that hear of writes only through
    // cache flushes. Bytes that it did write count, and newer bytes of the device beside them stay (Backend).
    void may_have_written(pica::PhysAddr address, pica::u32 bytes);
    // Like did_write for whole pages, but may be called by any thread and in a signal handler, even while
    // another call runs. It sets atomic bits. The context's next call acts on them first.
    void mark_written(pica::PhysAddr address, pica::u32 bytes) noexcept;
    // Starts the readback of newer bytes on the device, without waiting for it. A later will_read finds the
    // bytes that have not been drawn to since.
    void request_read(pica::PhysAddr address, pica::u32 bytes);
    // Would will_read return without waiting?
    bool read_is_ready(pica::PhysAddr address, pica::u32 bytes);

    // Submits everything recorded. Does not wait.
    void flush();
    // To be called at vertical blank. Submits, frees what caches no longer need, raises PDC0 and PDC1.
    void end_frame();

    // Draws at another internal resolution from now on. Waits for the device. Pictures that exist stay, from and
    // to 1x at 1x, until they are drawn again. Saved states and recordings do not have it.
    // Errors: it is not 1 to 8; the backend cannot. After an error nothing has changed.
    pica::Status set_scale(pica::u32 scale);
    pica::u32 scale() const { return options_.scale; }

    // The size of a screen's upright picture: scale() times that of the panel.
    pica::PictureSize screen_size(pica::Screen screen) const;
    // Reads what a screen shows, upright and row by row: as many words as screen_size has pixels, with R in
    // the lowest byte and alpha 255. Waits where the device has newer bytes. False: `rgba` has another size.
    bool read_screen(pica::Screen screen, std::span<pica::u32> rgba);
    // Does the guest show a picture for each eye?
    bool is_stereoscopic() const;

    // The same picture as an image on the host's Vulkan device (ContextOptions::vulkan.device,
    // screen_image.h). The host may use it until it releases it, and may hold up to three of each screen.
    // Submits what was recorded. With the Vulkan backend the device makes the picture and the CPU does not
    // wait, with the exceptions in renderer/EMBEDDING_VULKAN.md. With the other backends the CPU makes it and
    // the device copies it.
    pica::Status acquire_image(pica::Screen screen, ScreenImage& image);
    // Waits until the picture is in the image.
    pica::Status wait_image(const ScreenImage& image);
    // Takes an image back. An error if it is not held.
    pica::Status release_image(const ScreenImage& image);

    // Sets the GPU to its state at power-up. Memory, the device and caches stay as they are. May wait for the device.
    void reset();

    // Saves everything that affects what comes next, as bytes that are the same for every backend
    // (pica/command/SNAPSHOT.md). Waits for the device. Afterwards guest memory is current, so a host may
    // save it on its own and leave it out here.
    std::vector<pica::u8> save_state(pica::SnapshotMemory memory);
    // Continues from a saved state. Waits for the device. Errors: the bytes are corrupt, of another version,
    // or of other memory regions. After an error nothing has changed.
    pica::Status load_state(std::span<const pica::u8> state);

    // Starts a recording of everything that goes in from here on; it plays back to the same bytes
    // (pica/trace/FORMAT.md). It goes to a file, or piece by piece to a sink, which returns false if it
    // cannot keep a piece. Memory that the CPU writes without did_write is missing from it. Waits for the
    // device. Errors: a recording runs already; the memory is too large to be recorded; the file cannot be
    // created.
    pica::Status trace_start(const std::string& path);
    pica::Status trace_start(pica::PvkRecorder::Sink sink);
    // Ends the recording, if one runs. An error: not all of it could be written.
    pica::Status trace_stop();
    // Adds a comment to the recording, if one runs.
    void trace_comment(std::string_view text);
    // Is a recording running?
    bool is_tracing() const;

    // Continues with another backend. Waits for the device. Not to or from Validate. After an error the old
    // backend stays.
    pica::Status switch_backend(ContextBackend backend);
    ContextBackend backend() const { return options_.backend; }

    // The first failure of the host (device lost, out of memory), or success. After a failure guest memory
    // stays as it was.
    const pica::Status& status() const;
    // Recovers from such a failure: creates everything on the device anew from guest memory. device: the
    // host's new device. Null: the same device again, or a new one of the context's own. Images of the old
    // device are gone, and the host destroys the old device after this call. Bytes that only the lost device
    // had are lost; if the device has not failed, nothing is. After an error nothing has changed.
    pica::Status recover(std::shared_ptr<const HostDevice> device = nullptr);
    // With Validate: the first difference between the backends, in words. No value: there is none.
    std::optional<std::string> difference() const;
    // Backend, device and chosen paths in lines, for bug reports.
    std::string description() const;
    // Register writes since creation.
    pica::u64 register_writes() const;
    // What the guest had executed since creation.
    GuestWork guest_work() const;
    // Statistics of the Vulkan backend; zeros without one. Texture decodes are the software backend's while that is
    // chosen. Does not wait.
    Statistics statistics() const;

private:
    struct Parts;
    Context(ContextOptions options, pica::Report& report);
    pica::Status create();
    pica::Result<pica::Backend*> make(ContextBackend backend);
    pica::Status need_vulkan();
    // The backend, after it has heard of marked pages. A part of a page was written: above 1x the rest stays sharp.
    pica::LiveBackend& take_marks();
    void tell_page_access();
    void write_registers(std::span<const gx::RegisterWrite> writes);

    ContextOptions options_;
    pica::Report& report_;
    pica::Status no_failure_;
    std::unique_ptr<Parts> parts_;
};

} // namespace renderer
