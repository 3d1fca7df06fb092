// SPDX-License-Identifier: MIT
// What the files of the C interface share: the handle, and a way to call the context that catches exceptions
// and keeps a message.
#pragma once

#include "renderer/embed/context.h"
#include "renderer/picavk.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

// CallbackReport: passes reports to the callback of the C interface.
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

// The object behind the handle of the C interface.
struct PicavkContext
{
    PicavkContext(void* user, decltype(PicavkCreateInfo::report) report) : callback(user, report) {}

    CallbackReport callback;
    pica::OnceReport once{&callback};
    std::unique_ptr<renderer::Context> context; // declared after the report that it uses, so destroyed before
    std::string message;
};

// Copies text to a buffer of `size` bytes, cut if need be and with a zero at the end.
inline void copy_text(const std::string& text, char* to, std::size_t size)
{
    if (to == nullptr || size == 0)
        return;
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), count);
    to[count] = 0;
}

// Keeps a message and gives `result`.
inline PicavkResult fail(PicavkContext& context, PicavkResult result, const char* message)
{
    context.message = message;
    return result;
}

// Runs `function` on the context and makes a result of what it returned or threw, of the context's status and
// of a difference of backends.
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
        context->message = "out of memory"; // short enough for a string without allocation
        return PICAVK_OUT_OF_MEMORY;        // the library throws for no other reason
    }
}

// Converts and checks the host's device. Anything but PICAVK_OK comes with a message for a person:
// PICAVK_INVALID_ARGUMENT is a mistake of the caller, PICAVK_UNAVAILABLE a build without the Vulkan backend.
PicavkResult host_device_of(const PicavkVulkanDevice& device,
                            std::shared_ptr<const renderer::HostDevice>& host, std::string& message);

// Copies and checks what is kept from run to run. False: a mistake of the caller, with a message for a person.
bool cache_of(const PicavkCache& given, renderer::CacheOptions& cache, std::string& message);
