/* SPDX-License-Identifier: MIT */
/* The header is C89 and complete: compiled with -std=c89 -pedantic-errors, linked into api_tests. */
#include "renderer/picavk.h"
#include "renderer/picavk_cache.h"
#include "renderer/picavk_scale.h"

size_t picavk_c89_struct_size(void);

size_t picavk_c89_struct_size(void)
{
    PicavkCreateInfo info = {0};
    PicavkCache cache = {0};
    cache.struct_size = sizeof(cache);
    info.cache = &cache;
    info.struct_size = sizeof(info);
    info.backend = PICAVK_BACKEND_SOFTWARE;
    return info.struct_size;
}
