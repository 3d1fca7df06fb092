// SPDX-License-Identifier: MIT
// The embedding interface in C++17: renderer/picavk.h with ownership, scoped enumerations and callables.
// Guide: renderer/EMBEDDING.md. Tests: tests/api/cpp_header_test.cpp.
//
// The header is complete: it calls only the C functions, so that a program needs no C++ symbol of the library
// and may be built with another compiler. A member function does what the C function of its name does, with
// the same units, waiting, threads and errors; picavk.h documents them. Errors come back as Status. Callables
// of the embedder must not throw, because their exceptions would cross the C interface. std::bad_alloc may be
// thrown by the standard containers used here.
#ifndef PICAVK_HPP
#define PICAVK_HPP

#include "picavk.h"
#include "picavk_cache.h"
#include "picavk_scale.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace picavk
{

// Who executes the guest's work: PicavkBackend.
enum class Backend : std::uint32_t
{
    Null = PICAVK_BACKEND_NULL,
    Software = PICAVK_BACKEND_SOFTWARE,
    Vulkan = PICAVK_BACKEND_VULKAN,
    Validate = PICAVK_BACKEND_VALIDATE,
};

// Interrupts of the GPU: PicavkInterrupt.
enum class Interrupt : std::uint32_t
{
    Psc0 = PICAVK_INTERRUPT_PSC0,
    Psc1 = PICAVK_INTERRUPT_PSC1,
    Pdc0 = PICAVK_INTERRUPT_PDC0,
    Pdc1 = PICAVK_INTERRUPT_PDC1,
    Ppf = PICAVK_INTERRUPT_PPF,
    P3d = PICAVK_INTERRUPT_P3D,
};

// What a report is about: PicavkReportKind.
enum class ReportKind : std::uint32_t
{
    Missing = PICAVK_REPORT_MISSING,
    Guest = PICAVK_REPORT_GUEST,
    Info = PICAVK_REPORT_INFO,
};

// What a draw does whose Vulkan pipeline does not exist yet: PicavkPipelines.
enum class Pipelines : std::uint32_t
{
    Later = PICAVK_PIPELINES_LATER,
    AtOnce = PICAVK_PIPELINES_AT_ONCE,
};

// Which accesses of the CPU to a page the host must announce: PicavkPageAccess.
enum class PageAccess : std::uint32_t
{
    None = PICAVK_PAGE_ACCESS_NONE,
    Write = PICAVK_PAGE_ACCESS_WRITE,
    ReadWrite = PICAVK_PAGE_ACCESS_READ_WRITE,
};

// The pictures of the console: PicavkScreen.
enum class Screen : std::uint32_t
{
    Top = PICAVK_SCREEN_TOP,
    TopRight = PICAVK_SCREEN_TOP_RIGHT,
    Bottom = PICAVK_SCREEN_BOTTOM,
};

// Width of a screen's upright picture in pixels, at 1x.
constexpr std::uint32_t screen_width(Screen screen)
{
    return screen == Screen::Bottom ? 320 : 400;
}
// Height of every screen's upright picture in pixels, at 1x.
constexpr std::uint32_t kScreenHeight = 240;

// What a call came to. Converts to true if it succeeded.
struct [[nodiscard]] Status
{
    PicavkResult result = PICAVK_OK;
    // One line for a person if result is not PICAVK_OK, else "".
    std::string message;

    explicit operator bool() const { return result == PICAVK_OK; }
};

// Parameters of Context::create; members as in PicavkCreateInfo.
struct Options
{
    Backend backend = Backend::Software;
    // The guest's memory. The bytes must outlive the context.
    std::vector<PicavkRegion> regions;
    // An interrupt is raised. Empty: not called.
    std::function<void(Interrupt)> on_interrupt;
    // Something is reported, once for each kind and cause. Empty: not called.
    std::function<void(ReportKind, const char* cause, const char* detail)> on_report;
    // The accesses that the host must announce change. Empty: the host announces every access.
    std::function<void(std::uint32_t address, std::uint32_t bytes, PageAccess)> on_page_access;
    // Threads that rasterise in the software backend, the calling one included.
    std::uint32_t software_threads = 1;
    // Internal resolution, 1 to 8; more than 1: software backend only.
    std::uint32_t scale = 1;
    // Folder of what is kept from run to run; empty: nowhere.
    std::string cache_directory;
    // The most MiB in it; 0: 128.
    std::uint32_t cache_mebibytes = 0;
    // Names the guest's title, whose pipelines are made from the start; empty: all titles share one list.
    std::string cache_title;
    // Storage of the host in place of the folder; both or none. Any thread calls them, one at a time (picavk_cache.h).
    // load: all bytes that were stored last under the name, or none. store: false if the bytes could not be kept.
    std::function<std::vector<std::uint8_t>(const char* name)> on_cache_load;
    std::function<bool(const char* name, const std::uint8_t* bytes, std::size_t size)> on_cache_store;
    bool vulkan_validation = false;
    Pipelines pipelines = Pipelines::Later;
    // The host's own device (picavk_vulkan.h); null: the context makes one if it needs it. The struct is only
    // read by Context::create.
    const PicavkVulkanDevice* vulkan_device = nullptr;
    // Bytes of decoded textures on the device; 0: 256 MiB.
    std::uint64_t texture_budget = 0;
    // Called about once a second while a call waits for the device; true: go on waiting. Empty: always true.
    std::function<bool(std::uint32_t seconds)> on_wait;
    // Seconds that one submission may take before the device counts as lost; 0: 3600.
    std::uint32_t device_timeout = 0;
};

// Owns a PicavkContext. Movable, not copyable.
class Context
{
public:
    // Empty: every call fails with PICAVK_INVALID_ARGUMENT.
    Context() = default;
    Context(Context&&) = default;
    Context& operator=(Context&& other) noexcept
    {
        // `last` takes over the old members and destroys them, the handle before its callbacks.
        Context last(std::move(other));
        std::swap(callbacks_, last.callbacks_);
        std::swap(handle_, last.handle_);
        return *this;
    }

    // picavk_create. If the status is false, the context is empty.
    static std::pair<Context, Status> create(Options options)
    {
        Context context;
        context.callbacks_ = std::make_unique<Callbacks>(Callbacks{
            std::move(options.on_interrupt), std::move(options.on_report), std::move(options.on_page_access),
            std::move(options.on_wait), std::move(options.on_cache_load), std::move(options.on_cache_store)});
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = static_cast<PicavkBackend>(options.backend);
        info.regions = options.regions.data();
        info.region_count = static_cast<std::uint32_t>(options.regions.size());
        info.user = context.callbacks_.get();
        if (context.callbacks_->interrupt)
            info.interrupt = [](void* user, PicavkInterrupt interrupt)
            { static_cast<Callbacks*>(user)->interrupt(static_cast<Interrupt>(interrupt)); };
        if (context.callbacks_->report)
            info.report = [](void* user, PicavkReportKind kind, const char* cause, const char* detail)
            { static_cast<Callbacks*>(user)->report(static_cast<ReportKind>(kind), cause, detail); };
        if (context.callbacks_->page_access)
            info.page_access =
                [](void* user, std::uint32_t address, std::uint32_t bytes, PicavkPageAccess access)
            { static_cast<Callbacks*>(user)->page_access(address, bytes, static_cast<PageAccess>(access)); };
        info.software_threads = options.software_threads;
        info.scale = options.scale;
        if (!options.cache_directory.empty())
            info.cache_directory = options.cache_directory.c_str();
        const PicavkCache cache = cache_of(options, *context.callbacks_);
        info.cache = &cache;
        info.vulkan_validation = options.vulkan_validation ? 1 : 0;
        info.pipelines = static_cast<PicavkPipelines>(options.pipelines);
        info.vulkan_device = options.vulkan_device;
        info.texture_budget = options.texture_budget;
        if (context.callbacks_->wait)
            info.waiting = [](void* user, std::uint32_t seconds)
            { return std::uint32_t{static_cast<Callbacks*>(user)->wait(seconds) ? 0u : 1u}; };
        info.device_timeout = options.device_timeout;
        std::array<char, 512> message{};
        PicavkContext* handle = nullptr;
        const PicavkResult result = picavk_create(&info, &handle, message.data(), message.size());
        context.handle_.reset(handle);
        return {std::move(context), Status{result, message.data()}};
    }

    // For functions of the C headers that have no member here; null if the context is empty.
    PicavkContext* handle() const { return handle_.get(); }

    // Writes a memory-mapped register and executes what that starts. byte_mask: bit i enables byte i.
    Status write_register(std::uint32_t address, std::uint32_t value, std::uint32_t byte_mask = 0xF)
    {
        return status(picavk_write_register(handle(), address, value, byte_mask));
    }
    // Reads a memory-mapped register.
    Status read_register(std::uint32_t address, std::uint32_t& value)
    {
        return status(picavk_read_register(handle(), address, &value));
    }
    // Executes a command list of `bytes` bytes.
    Status submit_command_list(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_submit_command_list(handle(), address, bytes));
    }
    // Fills [start, end) with a value of 16, 24 or 32 bits; engine 0 or 1.
    Status memory_fill(std::uint32_t start, std::uint32_t end, std::uint32_t value, std::uint32_t bits,
                       std::uint32_t engine = 0)
    {
        return status(picavk_memory_fill(handle(), start, end, value, bits, engine));
    }
    // Converts a picture; sizes in pixels, width in the low half, height in the high half.
    Status display_transfer(std::uint32_t input, std::uint32_t output, std::uint32_t input_size,
                            std::uint32_t output_size, std::uint32_t flags)
    {
        return status(picavk_display_transfer(handle(), input, output, input_size, output_size, flags));
    }
    // Copies bytes; rows as length in the low half and gap in the high half, in units of 16 bytes.
    Status texture_copy(std::uint32_t input, std::uint32_t output, std::uint32_t bytes,
                        std::uint32_t input_rows, std::uint32_t output_rows)
    {
        return status(picavk_texture_copy(handle(), input, output, bytes, input_rows, output_rows));
    }

    // Describes a buffer of a screen (Top for both eyes, or Bottom) and says which one it shows; sets struct_size.
    Status set_framebuffer(Screen screen, PicavkFramebuffer framebuffer)
    {
        framebuffer.struct_size = sizeof framebuffer;
        return status(picavk_set_framebuffer(handle(), static_cast<PicavkScreen>(screen), &framebuffer));
    }
    // Shows a colour (red in the lowest byte, then green and blue) on a whole screen in place of its picture.
    Status set_lcd_fill(Screen screen, bool enabled, std::uint32_t color = 0)
    {
        return status(
            picavk_set_lcd_fill(handle(), static_cast<PicavkScreen>(screen), enabled ? 1 : 0, color));
    }

    // The CPU is about to read these bytes. Waits for the device where it has newer ones.
    Status will_read(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_will_read(handle(), address, bytes));
    }
    // The CPU is about to write these bytes. Waits for the device where it has newer ones.
    Status will_write(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_will_write(handle(), address, bytes));
    }
    // The CPU has written these bytes.
    Status did_write(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_did_write(handle(), address, bytes));
    }

    // The CPU may have written anywhere in the range: for hosts that hear of writes through cache flushes only.
    Status may_have_written(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_may_have_written(handle(), address, bytes));
    }

    // As did_write for whole pages, but for any thread and for signal handlers.
    void mark_written(std::uint32_t address, std::uint32_t bytes) noexcept
    {
        picavk_mark_written(handle(), address, bytes);
    }
    // Starts to read back newer bytes of the device, without waiting.
    Status request_read(std::uint32_t address, std::uint32_t bytes)
    {
        return status(picavk_request_read(handle(), address, bytes));
    }
    // ready: would will_read return without waiting?
    Status read_is_ready(std::uint32_t address, std::uint32_t bytes, bool& ready)
    {
        std::uint32_t answer = 0;
        Status result = status(picavk_read_is_ready(handle(), address, bytes, &answer));
        ready = answer != 0;
        return result;
    }

    // Submits everything recorded so far, without waiting for it.
    Status flush() { return status(picavk_flush(handle())); }
    // Vertical blank of both screens.
    Status end_frame() { return status(picavk_end_frame(handle())); }
    // The picture of a screen, upright, row by row, four bytes a pixel: R, G, B, 255. Resizes the vector.
    // screen_size has its size. Waits for the device where the framebuffer's newest bytes are there.
    Status read_screen(Screen screen, std::vector<std::uint8_t>& rgba)
    {
        std::uint32_t width = 0, height = 0;
        if (Status failed = screen_size(screen, width, height); !failed)
            return failed;
        rgba.resize(std::size_t{width} * height * 4);
        return status(
            picavk_read_screen(handle(), static_cast<PicavkScreen>(screen), rgba.data(), rgba.size()));
    }

    // Draws at `scale` times the resolution from now on, 1 to 8. Pictures keep their sharpness until they are drawn again.
    Status set_scale(std::uint32_t scale) { return status(picavk_set_scale(handle(), scale)); }
    // The size of a screen's picture in pixels: that of the panel times the scale.
    Status screen_size(Screen screen, std::uint32_t& width, std::uint32_t& height)
    {
        return status(picavk_screen_size(handle(), static_cast<PicavkScreen>(screen), &width, &height));
    }

    // Saves everything that affects later results. flags: PICAVK_STATE_MEMORY or 0. Replaces the vector's
    // content. Waits for the device.
    Status save_state(PicavkStateFlags flags, std::vector<std::uint8_t>& state)
    {
        std::size_t size = 0;
        if (const Status failed = status(picavk_save_state(handle(), flags, nullptr, &size)); !failed)
            return failed;
        state.resize(size);
        return status(picavk_save_state(handle(), flags, state.data(), &size));
    }
    // Goes on from a saved state.
    Status load_state(const std::vector<std::uint8_t>& state)
    {
        return status(picavk_load_state(handle(), state.empty() ? "" : static_cast<const void*>(state.data()),
                                        state.size()));
    }

    // Sets the GPU to its state at power-up. Memory, device and caches stay.
    Status reset() { return status(picavk_reset(handle())); }

    // Records to a file from now on.
    Status trace_start(const std::string& path) { return status(picavk_trace_start(handle(), path.c_str())); }
    // Ends the recording. Fails if not all of it could be written.
    Status trace_stop() { return status(picavk_trace_stop(handle())); }
    // Puts a comment, in UTF-8, at this point of the recording.
    Status trace_comment(const std::string& text)
    {
        return status(picavk_trace_comment(handle(), text.c_str()));
    }

    // Lets another backend go on at this point. Not to or from Backend::Validate.
    Status switch_backend(Backend backend)
    {
        return status(picavk_switch_backend(handle(), static_cast<PicavkBackend>(backend)));
    }
    // After PICAVK_DEVICE_LOST: makes everything on the device again. device: the host's new one; null: the
    // same device, or a new one of the context's own.
    Status recover(const PicavkVulkanDevice* device = nullptr)
    {
        return status(picavk_recover(handle(), device));
    }
    // The counters so far.
    Status statistics(PicavkStatistics& counts) const
    {
        counts = {};
        counts.struct_size = sizeof counts;
        return status(picavk_statistics(handle(), &counts));
    }
    // Backend, device and chosen paths for a bug report, one fact a line; 2047 bytes at most.
    std::string description() const
    {
        std::array<char, 2048> text{};
        (void)picavk_describe(handle(), text.data(), text.size());
        return text.data();
    }

private:
    struct Callbacks
    {
        std::function<void(Interrupt)> interrupt;
        std::function<void(ReportKind, const char*, const char*)> report;
        std::function<void(std::uint32_t, std::uint32_t, PageAccess)> page_access;
        std::function<bool(std::uint32_t)> wait;
        std::function<std::vector<std::uint8_t>(const char*)> load;
        std::function<bool(const char*, const std::uint8_t*, std::size_t)> store;
    };
    static PicavkCache cache_of(const Options& options, Callbacks& callbacks)
    {
        PicavkCache cache{};
        cache.struct_size = sizeof cache;
        cache.folder_mebibytes = options.cache_mebibytes;
        cache.title = options.cache_title.c_str();
        cache.user = &callbacks;
        if (callbacks.load)
            cache.load = [](void* user, const char* name, PicavkCacheGive give, void* target)
            {
                const std::vector<std::uint8_t> bytes = static_cast<Callbacks*>(user)->load(name);
                if (!bytes.empty())
                    give(target, bytes.data(), bytes.size());
            };
        if (callbacks.store)
            cache.store = [](void* user, const char* name, const void* bytes, std::size_t size)
            {
                const auto* const first = static_cast<const std::uint8_t*>(bytes);
                return std::uint32_t{static_cast<Callbacks*>(user)->store(name, first, size) ? 1u : 0u};
            };
        return cache;
    }
    struct Destroy
    {
        void operator()(PicavkContext* context) const { picavk_destroy(context); }
    };

    Status status(PicavkResult result) const
    {
        if (result == PICAVK_OK)
            return {};
        return {result, handle_ ? picavk_message(handle()) : "the context is empty"};
    }

    // Before the handle, so that it is destroyed after the handle, which calls it.
    std::unique_ptr<Callbacks> callbacks_;
    std::unique_ptr<PicavkContext, Destroy> handle_;
};

} // namespace picavk

#endif
