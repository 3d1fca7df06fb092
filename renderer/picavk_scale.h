/* SPDX-License-Identifier: MIT */
/* Upscaling: the internal resolution of a context (PicavkCreateInfo::scale), which may change while it runs. Results,
 * threads and versions are as in picavk.h. Guide: renderer/EMBEDDING.md, "Upscaling". Tests:
 * tests/api/context_scale_test.cpp. */
#ifndef PICAVK_SCALE_H
#define PICAVK_SCALE_H

#include "picavk.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /* Draws at `scale` times the resolution from now on; screens are read at the new size. Best called between frames.
     * What was drawn before keeps the sharpness that it has, as far as the new scale can show it, until it is drawn again;
     * from a scale of 1 that is the sharpness of 1. Waits for the device.
     * PICAVK_INVALID_ARGUMENT: scale is not 1 to 8. PICAVK_UNAVAILABLE: the device cannot draw at this scale. Nothing
     * has changed then. */
    PICAVK_API PicavkResult picavk_set_scale(PicavkContext* context, uint32_t scale);

    /* The size of the upright picture of a screen, in pixels: the panel's times the scale. picavk_read_screen fills
     * width * height * 4 bytes, and picavk_acquire_image hands out images of this size. Does not wait. */
    PICAVK_API PicavkResult picavk_screen_size(PicavkContext* context, PicavkScreen screen, uint32_t* width,
                                               uint32_t* height);

#ifdef __cplusplus
}
#endif

#endif
