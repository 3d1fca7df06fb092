// SPDX-License-Identifier: MIT
#include "renderer/embed/context.h"

#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/command/lockstep.h"
#include "pica/command/null_backend.h"
#include "pica/memory/guest_memory.h"
#include "renderer/embed/page_marks.h"
#include "renderer/embed/second_memory.h"
#include "renderer/embed/software_context.h"
#include "renderer/embed/vulkan_context.h"

#include <algorithm>
#include <utility>

namespace renderer
{

using pica::Backend;
using pica::Error;
using pica::PhysAddr;
using pica::Result;
using pica::Status;
using pica::u32;
using pica::u64;
using pica::u8;

// The objects of a context, in the order of their dependencies.
struct Context::Parts
{
    Parts(const ContextOptions& options, pica::Report& report)
        : memory(options.regions), marks(options.regions), software(memory, report, options.software)
    {
    }

    pica::GuestMemory memory;
    PageMarks marks;
    SecondMemory second; // with Validate: of the Vulkan backend

    std::unique_ptr<pica::NullBackend> null;
    SoftwareContext software;
    std::unique_ptr<VulkanContext> vulkan; // made when it is first needed
    std::unique_ptr<pica::LockstepBackend> lockstep;
    std::optional<pica::LiveBackend> live;
    std::optional<pica::Gpu> gpu;
    std::unique_ptr<pica::PvkRecorder> recorder;
};

Context::Context(ContextOptions options, pica::Report& report) : options_(std::move(options)), report_(report)
{
    options_.software.scale = options_.vulkan.scale = options_.scale;
    parts_ = std::make_unique<Parts>(options_, report);
}

Context::~Context() = default;

Result<std::unique_ptr<Context>> Context::create(ContextOptions options, pica::Report& report)
{
    if (Status checked = check(options); !checked)
        return checked.error();
    std::unique_ptr<Context> context(new Context(std::move(options), report));
    if (Status created = context->create(); !created)
        return created.error();
    return context;
}

Status Context::create()
{
    Result<Backend*> backend = make(options_.backend);
    if (!backend)
        return backend.error();
    parts_->live.emplace(**backend);
    parts_->gpu.emplace(*parts_->live, report_);
    if (options_.on_interrupt)
        parts_->gpu->set_interrupt_handler(options_.on_interrupt);
    // The second backend of Validate has no pages that a host could protect. So it hears of every write.
    if (options_.on_page_access)
        parts_->memory.pages().start_watching(options_.backend == ContextBackend::Validate
                                                  ? pica::PageTracker::Watched::All
                                                  : pica::PageTracker::Watched::InUse);
    return {};
}

Result<Backend*> Context::make(ContextBackend backend)
{
    Parts& parts = *parts_;
    if (backend == ContextBackend::Vulkan || backend == ContextBackend::Validate)
        if (Status needed = need_vulkan(); !needed)
            return needed.error();
    switch (backend)
    {
    case ContextBackend::Null:
        if (!parts.null)
            parts.null = std::make_unique<pica::NullBackend>(parts.memory);
        return parts.null.get();
    case ContextBackend::Software:
        return &parts.software.core();
    case ContextBackend::Vulkan:
        return parts.vulkan->backend(parts.memory);
    case ContextBackend::Validate:
        break;
    }
    const Result<Backend*> vulkan = parts.vulkan->backend(parts.second.copy(options_.regions));
    if (!vulkan)
        return vulkan.error();
    parts.lockstep = std::make_unique<pica::LockstepBackend>(parts.software.core(), **vulkan,
                                                             pica::LockstepBackend::Compare::EachOperation);
    parts.lockstep->compare_beside(parts.vulkan->compare_planes(parts.software.core()));
    return parts.lockstep.get();
}

Status Context::need_vulkan()
{
    if (parts_->vulkan)
        return {};
    auto made = make_vulkan_context(options_.vulkan, report_);
    if (!made)
        return made.error();
    parts_->vulkan = std::move(*made);
    return {};
}

void Context::reset()
{
    take_marks();
    parts_->gpu->reset();
    parts_->live->load_carryover({});
    if (parts_->recorder)
        parts_->recorder->state_replaced();
    tell_page_access();
}

std::vector<u8> Context::save_state(pica::SnapshotMemory memory)
{
    take_marks();
    std::vector<u8> state = pica::save_snapshot(*parts_->gpu, memory);
    tell_page_access();
    return state;
}

Status Context::load_state(std::span<const u8> state)
{
    take_marks();
    Status loaded = pica::load_snapshot(*parts_->gpu, state);
    if (loaded && parts_->recorder)
        parts_->recorder->state_replaced();
    tell_page_access();
    return loaded;
}

Status Context::trace_start(const std::string& path)
{
    if (parts_->recorder)
        return Error{"a recording runs already"};
    take_marks();
    auto made = pica::PvkRecorder::to_file(path, *parts_->gpu, *parts_->live);
    if (!made)
        return made.error();
    parts_->recorder = std::move(*made);
    tell_page_access();
    return {};
}

Status Context::trace_start(pica::PvkRecorder::Sink sink)
{
    if (parts_->recorder)
        return Error{"a recording runs already"};
    if (Status status = pica::PvkRecorder::can_record(parts_->memory); !status)
        return status;
    take_marks();
    parts_->recorder = std::make_unique<pica::PvkRecorder>(*parts_->gpu, *parts_->live, std::move(sink));
    tell_page_access();
    return {};
}

Status Context::trace_stop()
{
    if (!parts_->recorder)
        return {};
    take_marks();
    return std::exchange(parts_->recorder, nullptr)->stop();
}

bool Context::is_tracing() const
{
    return parts_->recorder != nullptr;
}

void Context::trace_comment(std::string_view text)
{
    take_marks();
    if (parts_->recorder)
        parts_->recorder->comment(text);
    tell_page_access();
}

Status Context::switch_backend(ContextBackend backend)
{
    if (backend == options_.backend)
        return {};
    if (backend == ContextBackend::Validate || options_.backend == ContextBackend::Validate)
        return Error{"the validating backend has memories of its own: create a context for it"};
    Result<Backend*> next = make(backend);
    if (!next)
        return next.error();
    take_marks().exchange(**next);
    if (parts_->vulkan)
        parts_->vulkan->move_planes(options_.backend, backend, parts_->software);
    options_.backend = backend;
    tell_page_access();
    return {};
}

Status Context::set_scale(u32 scale)
{
    if (Status possible = check_scale(scale); !possible || scale == options_.scale)
        return possible;
    Parts& parts = *parts_;
    const u32 before = options_.scale;
    // What is replaced lives until it is exchanged.
    auto old_core = parts.software.set_scale(scale);
    auto old_lockstep = std::move(parts.lockstep);
    if (parts.vulkan)
        parts.vulkan->begin_change();
    options_.scale = options_.vulkan.scale = scale;
    const Result<Backend*> next = make(options_.backend);
    if (!next)
    {
        options_.scale = options_.vulkan.scale = before;
        parts.vulkan->undo_change();
        parts.lockstep = std::move(old_lockstep);
        parts.software.restore(std::move(old_core), before);
        return next.error();
    }
    if (options_.backend != ContextBackend::Null)
        take_marks().exchange(**next);
    parts.software.keep_planes(old_core.get());
    if (parts.vulkan)
        parts.vulkan->end_change();
    tell_page_access();
    return {};
}

pica::LiveBackend& Context::take_marks()
{
    const auto wrote = options_.scale == 1 ? &pica::Gpu::did_write : &pica::Gpu::may_have_written;
    parts_->marks.take(
        [&](PhysAddr address, u32 bytes, PageMarks::Written written)
        {
            parts_->memory.pages().rearm(address, bytes);
            if (written == PageMarks::Written::Partly && options_.scale == 1)
                parts_->live->will_write(address, bytes); // the device's newer bytes of the pages survive
            (*parts_->gpu.*wrote)(address, bytes);
        });
    return *parts_->live;
}

void Context::tell_page_access()
{
    if (!options_.on_page_access)
        return;
    if (parts_->recorder)
        parts_->recorder->watch();
    parts_->memory.pages().take_changes(options_.on_page_access);
}

void Context::write_register(PhysAddr address, u32 value, u32 byte_mask)
{
    take_marks();
    parts_->gpu->write_register(address, value, byte_mask & 0xF);
    parts_->gpu->run(pica::RunUntil::End);
    tell_page_access();
}

void Context::write_registers(std::span<const gx::RegisterWrite> writes)
{
    for (const gx::RegisterWrite& write : writes)
        write_register(write.address, write.value, write.byte_mask);
}

void Context::submit_command_list(PhysAddr address, u32 bytes)
{
    write_registers(gx::command_list(address, bytes));
}

void Context::memory_fill(PhysAddr start, PhysAddr end, u32 value, pica::FillWidth width, u32 engine)
{
    write_registers(gx::memory_fill(start, end, value, width, engine));
}

void Context::display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size, u32 flags)
{
    write_registers(gx::display_transfer(input, output, input_size, output_size, flags));
}

void Context::texture_copy(PhysAddr input, PhysAddr output, u32 bytes, u32 input_rows, u32 output_rows)
{
    write_registers(gx::texture_copy(input, output, bytes, input_rows, output_rows));
}

u32 Context::read_register(PhysAddr address)
{
    return parts_->gpu->read_register(address);
}

void Context::will_read(PhysAddr address, u32 bytes)
{
    take_marks().will_read(address, bytes);
    tell_page_access();
}

void Context::will_write(PhysAddr address, u32 bytes)
{
    take_marks().will_write(address, bytes);
    tell_page_access();
}

void Context::did_write(PhysAddr address, u32 bytes)
{
    take_marks();
    parts_->memory.pages().rearm(address, bytes);
    parts_->gpu->did_write(address, bytes);
    tell_page_access();
}

void Context::may_have_written(PhysAddr address, u32 bytes)
{
    take_marks();
    parts_->gpu->may_have_written(address, bytes);
    tell_page_access();
}

void Context::mark_written(PhysAddr address, u32 bytes) noexcept
{
    parts_->marks.mark(address, bytes);
}

void Context::request_read(PhysAddr address, u32 bytes)
{
    take_marks().request_read(address, bytes);
    tell_page_access();
}

bool Context::read_is_ready(PhysAddr address, u32 bytes)
{
    return take_marks().read_is_ready(address, bytes);
}

void Context::flush()
{
    take_marks().flush();
    tell_page_access();
}

void Context::end_frame()
{
    take_marks();
    parts_->gpu->end_frame();
    tell_page_access();
}

pica::PictureSize Context::screen_size(pica::Screen screen) const
{
    return {pica::screen_width(screen) * options_.scale, pica::kScreenHeight * options_.scale};
}

bool Context::read_screen(pica::Screen screen, std::span<u32> rgba)
{
    const pica::PictureSize size = screen_size(screen);
    if (rgba.size() != size.pixels())
        return false;
    take_marks();
    const pica::ScreenConfig config = pica::decode_screen(parts_->gpu->external(), screen);
    const pica::ByteRange range = config.input_range();
    if (range.size != 0)
        will_read(range.begin, static_cast<u32>(std::min<u64>(range.size, 0xFFFFFFFFu)));
    if (options_.backend == ContextBackend::Vulkan && options_.scale > 1)
        parts_->vulkan->read(config, rgba);
    else if (options_.backend == ContextBackend::Software || options_.backend == ContextBackend::Validate)
        parts_->software.core().scan_out(config, rgba.data(), report_);
    else
    {
        std::vector<u32> shown(std::size_t{config.width} * pica::kScreenHeight);
        pica::scan_out(parts_->memory, config, shown.data(), report_);
        pica::resize_picture({config.width, pica::kScreenHeight}, shown, size, rgba);
    }
    return true;
}

Status Context::acquire_image(pica::Screen screen, ScreenImage& image)
{
    if (!options_.vulkan.device)
        return Error{"images need the host's Vulkan device; read_screen gives pixels without one"};
    if (Status needed = need_vulkan(); !needed)
        return needed;
    if (options_.backend == ContextBackend::Vulkan)
    {
        take_marks();
        Status shown = parts_->vulkan->show(screen, pica::decode_screens(parts_->gpu->external()), image);
        tell_page_access();
        return shown;
    }
    std::vector<u32> rgba(screen_size(screen).pixels());
    read_screen(screen, rgba);
    return parts_->vulkan->upload(screen, rgba, options_.scale, image);
}

Status Context::wait_image(const ScreenImage& image)
{
    return parts_->vulkan ? parts_->vulkan->wait(image) : Error{"the image is not held"};
}

Status Context::release_image(const ScreenImage& image)
{
    return parts_->vulkan ? parts_->vulkan->release(image) : Error{"the image is not held"};
}

bool Context::is_stereoscopic() const
{
    return pica::is_stereoscopic(parts_->gpu->external());
}

const Status& Context::status() const
{
    return parts_->vulkan ? parts_->vulkan->status() : no_failure_;
}

Status Context::recover(std::shared_ptr<const HostDevice> device)
{
    if (device && !options_.vulkan.device)
        return Error{"the context was made without a device of the host: create one with it"};
    Parts& parts = *parts_;
    const std::shared_ptr<const HostDevice> old_device = options_.vulkan.device;
    if (device)
        options_.vulkan.device = std::move(device);
    // The old objects are destroyed at the end, because their device may still be working.
    auto old_vulkan = std::move(parts.vulkan);
    if (options_.backend != ContextBackend::Vulkan && options_.backend != ContextBackend::Validate)
        return {}; // switch_backend and acquire_image make what they need
    auto old_lockstep = std::move(parts.lockstep);
    const Result<Backend*> next = make(options_.backend);
    if (!next)
    {
        options_.vulkan.device = old_device;
        parts.lockstep = std::move(old_lockstep);
        parts.vulkan = std::move(old_vulkan);
        return next.error();
    }
    take_marks().exchange(**next); // reads newer bytes back, if the device has not failed
    if (parts.recorder)            // playing the recording would not lose what was lost here
        parts.recorder->state_replaced();
    tell_page_access();
    return {};
}

std::optional<std::string> Context::difference() const
{
    if (!parts_->lockstep || !parts_->lockstep->difference())
        return std::nullopt;
    const pica::LockstepBackend::Difference& d = *parts_->lockstep->difference();
    std::string text = d.operation + ": " + d.place + ": " + d.values;
    if (!d.unannounced.empty())
        text += "; " + d.unannounced;
    return text + (d.state.empty() ? "" : "\n" + d.state);
}

std::string Context::description() const
{
    std::string text = "backend: " + std::string(parts_->live->name());
    if (options_.scale > 1)
        text += ", at " + std::to_string(options_.scale) + " times the resolution";
    const std::string device = parts_->vulkan ? parts_->vulkan->description() : std::string();
    return device.empty() ? text : text + "\n" + device;
}

GuestWork Context::guest_work() const
{
    const pica::LiveBackend& live = *parts_->live;
    return {live.draws(), live.fills(), live.transfers(), live.copies()};
}

Statistics Context::statistics() const
{
    Statistics statistics = parts_->vulkan ? parts_->vulkan->statistics() : Statistics{};
    if (options_.backend == ContextBackend::Software)
    {
        const SoftwareContext::Textures textures = parts_->software.textures();
        statistics.texture_decodes = textures.decoded;
        statistics.texture_bytes = textures.bytes;
    }
    return statistics;
}

u64 Context::register_writes() const
{
    return parts_->gpu->register_writes();
}

} // namespace renderer
