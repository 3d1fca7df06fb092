// SPDX-License-Identifier: MIT
// The C interface: checks arguments, catches exceptions, and turns failures into a result and a message.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "renderer/picavk.h"

#include "renderer/embed/picavk_context.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace
{

using pica::u32;
using pica::u8;

static_assert(int(pica::ReportKind::Missing) == PICAVK_REPORT_MISSING &&
              int(pica::ReportKind::Guest) == PICAVK_REPORT_GUEST &&
              int(pica::ReportKind::Info) == PICAVK_REPORT_INFO);
static_assert(int(pica::Interrupt::Psc0) == PICAVK_INTERRUPT_PSC0 &&
              int(pica::Interrupt::Psc1) == PICAVK_INTERRUPT_PSC1 &&
              int(pica::Interrupt::Pdc0) == PICAVK_INTERRUPT_PDC0 &&
              int(pica::Interrupt::Pdc1) == PICAVK_INTERRUPT_PDC1 &&
              int(pica::Interrupt::Ppf) == PICAVK_INTERRUPT_PPF &&
              int(pica::Interrupt::P3d) == PICAVK_INTERRUPT_P3D);
static_assert(int(renderer::ContextBackend::Null) == PICAVK_BACKEND_NULL &&
              int(renderer::ContextBackend::Software) == PICAVK_BACKEND_SOFTWARE &&
              int(renderer::ContextBackend::Vulkan) == PICAVK_BACKEND_VULKAN &&
              int(renderer::ContextBackend::Validate) == PICAVK_BACKEND_VALIDATE);
static_assert(int(pica::PageAccess::None) == PICAVK_PAGE_ACCESS_NONE &&
              int(pica::PageAccess::Write) == PICAVK_PAGE_ACCESS_WRITE &&
              int(pica::PageAccess::ReadWrite) == PICAVK_PAGE_ACCESS_READ_WRITE);
static_assert(int(pica::Screen::Top) == PICAVK_SCREEN_TOP &&
              int(pica::Screen::TopRight) == PICAVK_SCREEN_TOP_RIGHT &&
              int(pica::Screen::Bottom) == PICAVK_SCREEN_BOTTOM);

constexpr u32 kMaxThreads = 256;

bool is_backend(PicavkBackend backend)
{
    return backend <= PICAVK_BACKEND_VALIDATE;
}

// The top screen's registers are those of both eyes, so the right eye has no panel of its own.
bool is_panel(PicavkScreen screen)
{
    return screen == PICAVK_SCREEN_TOP || screen == PICAVK_SCREEN_BOTTOM;
}

renderer::gx::Panel panel_of(PicavkScreen screen)
{
    return screen == PICAVK_SCREEN_BOTTOM ? renderer::gx::Panel::Bottom : renderer::gx::Panel::Top;
}

} // namespace

extern "C"
{

    uint32_t picavk_version(void)
    {
        return PICAVK_VERSION;
    }

    PicavkResult picavk_create(const PicavkCreateInfo* info, PicavkContext** context, char* message,
                               size_t message_size)
    {
        copy_text("", message, message_size);
        const auto invalid = [&](const char* why)
        {
            copy_text(why, message, message_size);
            return PICAVK_INVALID_ARGUMENT;
        };
        if (context == nullptr)
            return invalid("context is null");
        *context = nullptr;
        if (info == nullptr)
            return invalid("info is null");
        PicavkCreateInfo known{};
        if (info->struct_size < offsetof(PicavkCreateInfo, user))
            return invalid("struct_size is too small: set it to sizeof(PicavkCreateInfo)");
        if (info->struct_size > sizeof known)
            return invalid("struct_size is that of a newer header than the library's");
        std::memcpy(&known, info, info->struct_size);
        if (!is_backend(known.backend))
            return invalid("unknown backend");
        if (known.pipelines > PICAVK_PIPELINES_AT_ONCE)
            return invalid("unknown choice of pipelines");
        if (known.regions == nullptr || known.region_count == 0)
            return invalid("no memory regions: the guest's VRAM and FCRAM are needed");
        if (known.region_count > pica::kMaxRegions) // checked before the regions are read
            return invalid("region_count is more than 64");
        if (known.software_threads > kMaxThreads)
            return invalid("software_threads is more than 256");
        if (known.scale > pica::SoftwareOptions::kMaxScale)
            return invalid("scale is more than 8");
        try
        {
            renderer::ContextOptions options;
            options.backend = static_cast<renderer::ContextBackend>(known.backend);
            for (u32 i = 0; i < known.region_count; ++i)
            {
                const PicavkRegion& region = known.regions[i];
                options.regions.push_back({region.address, {static_cast<u8*>(region.bytes), region.size}});
            }
            options.software.threads = std::max(known.software_threads, 1u);
            options.scale = std::max(known.scale, 1u);
            if (known.cache_directory != nullptr)
                options.vulkan.cache.directory = known.cache_directory;
            if (std::string why; known.cache != nullptr && !cache_of(*known.cache, options.vulkan.cache, why))
                return invalid(why.c_str());
            options.vulkan.validation = known.vulkan_validation != 0;
            if (known.texture_budget != 0)
                options.vulkan.texture_budget = known.texture_budget;
            options.vulkan.device_timeout = known.device_timeout;
            if (known.waiting != nullptr)
                options.vulkan.on_wait = [user = known.user, waiting = known.waiting](u32 seconds)
                { return waiting(user, seconds) == 0; };
            if (known.pipelines == PICAVK_PIPELINES_AT_ONCE)
                options.vulkan.ubershader = renderer::UbershaderChoice::Never;
            if (known.vulkan_device != nullptr)
            {
                std::string why;
                const PicavkResult checked = host_device_of(*known.vulkan_device, options.vulkan.device, why);
                if (checked != PICAVK_OK)
                {
                    copy_text(why, message, message_size);
                    return checked;
                }
            }
            if (known.interrupt != nullptr)
                options.on_interrupt = [user = known.user, interrupt = known.interrupt](pica::Interrupt which)
                { interrupt(user, static_cast<PicavkInterrupt>(which)); };
            if (known.page_access != nullptr)
                options.on_page_access = [user = known.user, tell = known.page_access](
                                             u32 address, u32 bytes, pica::PageAccess access)
                { tell(user, address, bytes, static_cast<PicavkPageAccess>(access)); };
            if (pica::Status checked = renderer::check(options); !checked)
                return invalid(checked.error().message.c_str());
            auto made = std::make_unique<PicavkContext>(known.user, known.report);
            auto created = renderer::Context::create(std::move(options), made->once);
            if (!created)
            {
                copy_text(created.error().message, message, message_size);
                return PICAVK_UNAVAILABLE;
            }
            made->context = std::move(*created);
            *context = made.release();
            return PICAVK_OK;
        }
        catch (const std::exception& exception)
        {
            copy_text(exception.what(), message, message_size);
            return PICAVK_OUT_OF_MEMORY;
        }
    }

    void picavk_destroy(PicavkContext* context)
    {
        delete context;
    }

    const char* picavk_message(const PicavkContext* context)
    {
        return context == nullptr ? "" : context->message.c_str();
    }

    PicavkResult picavk_write_register(PicavkContext* context, uint32_t address, uint32_t value,
                                       uint32_t byte_mask)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.write_register(address, value, byte_mask);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_read_register(PicavkContext* context, uint32_t address, uint32_t* value)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (value == nullptr)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "read register: value is null");
                        *value = c.read_register(address);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_submit_command_list(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.submit_command_list(address, bytes);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_memory_fill(PicavkContext* context, uint32_t start, uint32_t end, uint32_t value,
                                    uint32_t bits, uint32_t engine)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if ((bits != 16 && bits != 24 && bits != 32) || engine > 1)
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "memory fill: 16, 24 or 32 bits, engine 0 or 1");
                        const pica::FillWidth width = bits == 16   ? pica::FillWidth::Bits16
                                                      : bits == 24 ? pica::FillWidth::Bits24
                                                                   : pica::FillWidth::Bits32;
                        c.memory_fill(start, end, value, width, engine);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_display_transfer(PicavkContext* context, uint32_t input, uint32_t output,
                                         uint32_t input_size, uint32_t output_size, uint32_t flags)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.display_transfer(input, output, input_size, output_size, flags);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_texture_copy(PicavkContext* context, uint32_t input, uint32_t output, uint32_t bytes,
                                     uint32_t input_rows, uint32_t output_rows)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.texture_copy(input, output, bytes, input_rows, output_rows);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_set_framebuffer(PicavkContext* context, PicavkScreen screen,
                                        const PicavkFramebuffer* framebuffer)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (framebuffer == nullptr || framebuffer->struct_size != sizeof *framebuffer)
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "set framebuffer: framebuffer is null or has a wrong struct_size");
                        if (!is_panel(screen))
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "set framebuffer: screen is neither PICAVK_SCREEN_TOP nor "
                                        "PICAVK_SCREEN_BOTTOM (2, not the guest's 1)");
                        c.set_framebuffer(panel_of(screen),
                                          {framebuffer->buffer != 0, framebuffer->left_address,
                                           framebuffer->right_address, framebuffer->stride,
                                           framebuffer->format, framebuffer->select});
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_set_lcd_fill(PicavkContext* context, PicavkScreen screen, uint32_t enabled,
                                     uint32_t color)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (!is_panel(screen))
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "set LCD fill: screen is neither PICAVK_SCREEN_TOP nor "
                                        "PICAVK_SCREEN_BOTTOM (2, not the guest's 1)");
                        c.set_lcd_fill(panel_of(screen), enabled != 0, color);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_will_read(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.will_read(address, bytes);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_will_write(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.will_write(address, bytes);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_did_write(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.did_write(address, bytes);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_may_have_written(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.may_have_written(address, bytes);
                        return PICAVK_OK;
                    });
    }

    void picavk_mark_written(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        if (context != nullptr)
            context->context->mark_written(address, bytes);
    }

    PicavkResult picavk_request_read(PicavkContext* context, uint32_t address, uint32_t bytes)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        c.request_read(address, bytes);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_read_is_ready(PicavkContext* context, uint32_t address, uint32_t bytes,
                                      uint32_t* ready)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (ready == nullptr)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "read is ready: ready is null");
                        *ready = c.read_is_ready(address, bytes) ? 1 : 0;
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_flush(PicavkContext* context)
    {
        return call(context,
                    [](renderer::Context& c)
                    {
                        c.flush();
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_end_frame(PicavkContext* context)
    {
        return call(context,
                    [](renderer::Context& c)
                    {
                        c.end_frame();
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_read_screen(PicavkContext* context, PicavkScreen screen, void* rgba, size_t size)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (rgba == nullptr || screen > PICAVK_SCREEN_BOTTOM)
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "read screen: no buffer or no such screen");
                        const auto which = static_cast<pica::Screen>(screen);
                        std::vector<u32> words(c.screen_size(which).pixels());
                        if (size != words.size() * sizeof(u32))
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "read screen: the buffer has another size");
                        c.read_screen(which, words);
                        u8* out = static_cast<u8*>(rgba);
                        for (const u32 word : words)
                            for (u32 i = 0; i < 4; ++i)
                                *out++ = static_cast<u8>(word >> (8 * i));
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_switch_backend(PicavkContext* context, PicavkBackend backend)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (!is_backend(backend))
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "unknown backend");
                        if (pica::Status status =
                                c.switch_backend(static_cast<renderer::ContextBackend>(backend));
                            !status)
                            return fail(*context, PICAVK_UNAVAILABLE, status.error().message.c_str());
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_recover(PicavkContext* context, const PicavkVulkanDevice* device)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        std::shared_ptr<const renderer::HostDevice> host;
                        if (device != nullptr)
                        {
                            std::string why;
                            const PicavkResult checked = host_device_of(*device, host, why);
                            if (checked != PICAVK_OK)
                                return fail(*context, checked, why.c_str());
                        }
                        if (pica::Status status = c.recover(std::move(host)); !status)
                            return fail(*context, PICAVK_UNAVAILABLE, status.error().message.c_str());
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_statistics(const PicavkContext* context, PicavkStatistics* statistics)
    {
        if (context == nullptr || statistics == nullptr ||
            statistics->struct_size < offsetof(PicavkStatistics, draws) ||
            statistics->struct_size > sizeof(PicavkStatistics))
            return PICAVK_INVALID_ARGUMENT;
        try
        {
            const renderer::Statistics counts = context->context->statistics();
            PicavkStatistics known{};
            known.struct_size = statistics->struct_size;
            known.pipelines = counts.pipelines;
            known.register_writes = context->context->register_writes();
            const renderer::GuestWork work = context->context->guest_work();
            known.draws = work.draws;
            known.fills = work.fills;
            known.transfers = work.transfers;
            known.texture_copies = work.copies;
            known.merged_draws = counts.merged_draws;
            known.draw_commands = counts.draw_commands;
            known.render_passes = counts.batches;
            known.submissions = counts.submissions;
            known.waits = counts.waits;
            known.stand_in_draws = counts.fallback_draws;
            known.texture_decodes = counts.texture_decodes;
            known.texture_bytes = counts.texture_bytes;
            known.upload_bytes = counts.upload_bytes;
            known.texture_memory = counts.texture_memory;
            known.texture_memory_peak = counts.texture_memory_peak;
            known.upload_memory = counts.upload_memory;
            known.device_memory = counts.device_memory;
            known.memory_shortages = counts.memory_shortages;
            std::memcpy(statistics, &known, known.struct_size);
            return PICAVK_OK;
        }
        catch (const std::exception&)
        {
            return PICAVK_OUT_OF_MEMORY;
        }
    }

    PicavkResult picavk_describe(const PicavkContext* context, char* text, size_t size)
    {
        if (context == nullptr || text == nullptr || size == 0)
            return PICAVK_INVALID_ARGUMENT;
        try
        {
            copy_text(context->context->description(), text, size);
            return PICAVK_OK;
        }
        catch (const std::exception&)
        {
            return PICAVK_OUT_OF_MEMORY;
        }
    }

} // extern "C"
