// SPDX-License-Identifier: MIT
// The C interface: the internal resolution.
#include "renderer/picavk_scale.h"

#include "renderer/embed/picavk_context.h"

extern "C"
{

    PicavkResult picavk_set_scale(PicavkContext* context, uint32_t scale)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (scale == 0 || scale > pica::SoftwareOptions::kMaxScale)
                            return fail(*context, PICAVK_INVALID_ARGUMENT, "set scale: it must be 1 to 8");
                        if (pica::Status status = c.set_scale(scale); !status)
                            return fail(*context, PICAVK_UNAVAILABLE, status.error().message.c_str());
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_screen_size(PicavkContext* context, PicavkScreen screen, uint32_t* width,
                                    uint32_t* height)
    {
        return call(context,
                    [&](renderer::Context& c)
                    {
                        if (screen > PICAVK_SCREEN_BOTTOM || width == nullptr || height == nullptr)
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "screen size: no such screen, or a null pointer");
                        const pica::PictureSize size = c.screen_size(static_cast<pica::Screen>(screen));
                        *width = size.width;
                        *height = size.height;
                        return PICAVK_OK;
                    });
    }

} // extern "C"
