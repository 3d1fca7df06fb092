// SPDX-License-Identifier: MIT
// What the files of the C ABI share: the handle, and calls on it that end exceptions and leave a message.
#pragma once

#include "renderer/embed/context.h"
#include "renderer/picavk.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

// The callback as a sink that tells every cause once.
class CallbackReport final : public pica::Report
{
public:
    CallbackReport(void* user, decltype(PicavkCreateInfo::report) callback) : user_(user), callback_(callback)
    {
    }

    void report(pica::ReportKind kind, std::string_view cause, std::string_view detail) override
    {
        if (callback_)
            callback_(user_, static_cast<PicavkReportKind>(kind), std::string(cause).c_str(),
                      std::string(detail).c_str());
    }

private:
    void* user_;
    decltype(PicavkCreateInfo::report) callback_;
};

struct PicavkContext
{
    PicavkContext(void* user, decltype(PicavkCreateInfo::report) report) : callback(user, report) {}

    CallbackReport callback;
    pica::OnceReport once{&callback};
    std::unique_ptr<renderer::Context> context; // destroyed before the sink it reports to
    std::string message;
};

inline void copy_text(const std::string& text, char* to, std::size_t size)
{
    if (to == nullptr || size == 0)
        return;
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), count);
    to[count] = 0;
}

inline PicavkResult fail(PicavkContext& context, PicavkResult result, const char* message)
{
    context.message = message;
    return result;
}

// Runs a call on the context and looks at what it left.
template <typename Function>
PicavkResult call(PicavkContext* context, Function function)
{
    if (context == nullptr)
        return PICAVK_INVALID_ARGUMENT;
    try
    {
        const PicavkResult result = function(*context->context);
        if (result != PICAVK_OK)
            return result;
        if (!context->context->status())
        {
            context->message = context->context->status().error().message;
            return PICAVK_DEVICE_LOST;
        }
        if (const auto difference = context->context->difference())
        {
            context->message = *difference;
            return PICAVK_DIFFERENCE;
        }
        return PICAVK_OK;
    }
    catch (const std::exception&)
    {
        context->message = "out of memory"; // short enough to need none
        return PICAVK_OUT_OF_MEMORY;        // the only exceptions of the library
    }
}

// Checked; an error is the caller's mistake.
pica::Result<std::shared_ptr<const renderer::HostDevice>> host_device_of(const PicavkVulkanDevice& device);
