// SPDX-License-Identifier: MIT
// The C interface of the power-up state, saved states and recordings.
#include "renderer/embed/picavk_context.h"

#include <cstring>
#include <span>
#include <vector>

namespace
{

using pica::u32;
using pica::u8;

template <typename Start>
PicavkResult start_trace(PicavkContext* context, bool has_target, Start start)
{
    return call(context,
                [&](renderer::Context& c)
                {
                    if (!has_target)
                        return fail(*context, PICAVK_INVALID_ARGUMENT, "trace start: no path or function");
                    if (c.is_tracing())
                        return fail(*context, PICAVK_INVALID_ARGUMENT, "a recording runs already");
                    if (pica::Status status = start(c); !status)
                        return fail(*context, PICAVK_NOT_WRITTEN, status.error().message.c_str());
                    return PICAVK_OK;
                });
}

} // namespace

extern "C"
{

    PicavkResult picavk_reset(PicavkContext* context)
    {
        return call(context,
                    [](renderer::Context& c)
                    {
                        c.reset();
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_save_state(PicavkContext* context, PicavkStateFlags flags, void* buffer, size_t* size)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (size == nullptr)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "save state: size is null");
                        if ((flags & ~u32{PICAVK_STATE_MEMORY}) != 0)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "save state: unknown flags");
                        const std::vector<u8> state =
                            c.save_state((flags & PICAVK_STATE_MEMORY) != 0 ? pica::SnapshotMemory::Include
                                                                            : pica::SnapshotMemory::LeaveOut);
                        const size_t room = buffer != nullptr ? *size : state.size();
                        *size = state.size();
                        if (room < state.size())
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "save state: the buffer is too small");
                        if (buffer != nullptr)
                            std::memcpy(buffer, state.data(), state.size());
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_load_state(PicavkContext* context, const void* state, size_t size)
    {
        return call(
            context,
            [&](renderer::Context& c)
            {
                if (state == nullptr)
                    return fail(*context, PICAVK_INVALID_ARGUMENT, "load state: state is null");
                if (pica::Status status = c.load_state({static_cast<const u8*>(state), size}); !status)
                    return fail(*context, PICAVK_INVALID_STATE, status.error().message.c_str());
                return PICAVK_OK;
            });
    }

    PicavkResult picavk_trace_start(PicavkContext* context, const char* path)
    {
        return start_trace(context, path != nullptr,
                           [&](renderer::Context& c) { return c.trace_start(std::string(path)); });
    }

    PicavkResult picavk_trace_start_sink(PicavkContext* context,
                                         int (*write)(void* user, const void* bytes, size_t size), void* user)
    {
        return start_trace(context, write != nullptr,
                           [&](renderer::Context& c)
                           {
                               return c.trace_start([=](std::span<const u8> bytes)
                                                    { return write(user, bytes.data(), bytes.size()) != 0; });
                           });
    }

    PicavkResult picavk_trace_stop(PicavkContext* context)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (pica::Status status = c.trace_stop(); !status)
                            return fail(*context, PICAVK_NOT_WRITTEN, status.error().message.c_str());
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_trace_comment(PicavkContext* context, const char* text)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (text == nullptr)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "trace comment: text is null");
                        c.trace_comment(text);
                        return PICAVK_OK;
                    });
    }

} // extern "C"
