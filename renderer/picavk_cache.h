/* SPDX-License-Identifier: MIT */
/* What a context keeps from run to run, and where (PicavkCreateInfo::cache): a folder, or storage of the host. Results,
 * threads and versions are as in picavk.h. Guide: renderer/EMBEDDING.md, "What is kept from run to run". Tests:
 * tests/api/c_cache_test.cpp. */
#ifndef PICAVK_CACHE_H
#define PICAVK_CACHE_H

#include "picavk.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /* Receives the bytes of a record, during a call of PicavkCache::load. The bytes are copied. */
    typedef void (*PicavkCacheGive)(void* target, const void* bytes, size_t size);

    /* picavk_create copies the struct and the texts. Zero-initialise it and set struct_size; 0 or null is the default of
     * every other member. */
    struct PicavkCache
    {
        /* sizeof(PicavkCache). */
        uint32_t struct_size;
        /* Not 0, and below a million: the most MiB that records in the folder may take; those that were not used for
         * longest are removed. 0: 128. */
        uint32_t folder_mebibytes;
        /* The folder of the records, which is made where it is missing; null: PicavkCreateInfo::cache_directory. */
        const char* folder;
        /* Names the guest's title: any text. The pipelines that it used in earlier runs are made by worker threads from
         * the start. Null: all titles without a name share one list. */
        const char* title;
        /* Passed to the two callbacks. */
        void* user;
        /* Storage of the host, in place of a folder; both or none. The callbacks are called by any thread, the context's
         * own ones too, but by one at a time and never after picavk_destroy returned. They must not call the context.
         * name consists of a-z, 0-9 and '-'; at most 63 characters.
         * load: calls give(target, bytes, size) with all that was stored last under the name, or does not call it.
         * store: keeps the bytes under the name, in place of what was there. Returns 0 if it could not; then nothing
         * more is stored in this run. */
        void (*load)(void* user, const char* name, PicavkCacheGive give, void* target);
        uint32_t (*store)(void* user, const char* name, const void* bytes, size_t size);
    };

#ifdef __cplusplus
}
#endif

#endif
