/* SPDX-License-Identifier: MIT */
/* picavk for C: renderer/context.h behind an opaque handle. Guide: renderer/EMBEDDING.md.
 *
 * Versions: PATCH grows with repairs, MINOR with additions (new functions, new members at the end of structs,
 * new enumerators), MAJOR when something is taken away or changes its meaning. Before 1.0 MINOR may change
 * anything. Every struct begins with its size as the caller knows it: members beyond are taken as zero.
 * Enumerations that are handed over are plain numbers, so that unknown ones can be refused.
 *
 * Every function but those that say otherwise returns a PicavkResult. Guest data never makes one fail:
 * odd guests are reported and survived. No function throws, aborts or prints. One thread at a time drives a
 * context; different contexts are independent. Tests: tests/api/c_api_test.cpp, tests/api/c89_header.c. */
#ifndef PICAVK_H
#define PICAVK_H

#include <stddef.h>
#include <stdint.h>

#define PICAVK_VERSION_MAJOR 0
#define PICAVK_VERSION_MINOR 1
#define PICAVK_VERSION_PATCH 0
#define PICAVK_VERSION (PICAVK_VERSION_MAJOR * 10000 + PICAVK_VERSION_MINOR * 100 + PICAVK_VERSION_PATCH)

#ifdef __cplusplus
extern "C"
{
#endif

    typedef struct PicavkContext PicavkContext;
    typedef struct PicavkVulkanDevice PicavkVulkanDevice; /* picavk_vulkan.h */

    typedef enum PicavkResult
    {
        PICAVK_OK = 0,
        PICAVK_INVALID_ARGUMENT =
            -1,                  /* a null pointer, an unknown enumerator, a wrong size; nothing was done */
        PICAVK_UNAVAILABLE = -2, /* no such device, it cannot do what the options ask, or it failed at once */
        PICAVK_DEVICE_LOST = -3, /* the Vulkan device failed: lost, out of memory, any error of the driver, or
                                  * it did not finish in time (PicavkCreateInfo::device_timeout); guest memory
                                  * is as the failure left it, and what was read since is old; so every call
                                  * answers until picavk_recover */
        PICAVK_OUT_OF_MEMORY = -4,
        PICAVK_DIFFERENCE = -5,    /* the validating backend has found one (picavk_message says which) */
        PICAVK_INVALID_STATE = -6, /* a saved state that cannot be loaded; nothing was done */
        PICAVK_NOT_WRITTEN = -7    /* a recording could not be made or not all of it be written */
    } PicavkResult;

    typedef uint32_t PicavkBackend;
    enum
    {
        PICAVK_BACKEND_NULL = 0,
        PICAVK_BACKEND_SOFTWARE = 1,
        PICAVK_BACKEND_VULKAN = 2,
        PICAVK_BACKEND_VALIDATE = 3 /* both, compared after every operation */
    };

    typedef uint32_t PicavkInterrupt;
    enum
    {
        PICAVK_INTERRUPT_PSC0 = 0, /* memory fill */
        PICAVK_INTERRUPT_PSC1 = 1,
        PICAVK_INTERRUPT_PDC0 = 2, /* vertical blank, top */
        PICAVK_INTERRUPT_PDC1 = 3, /* bottom */
        PICAVK_INTERRUPT_PPF = 4,  /* display transfer, texture copy */
        PICAVK_INTERRUPT_P3D = 5   /* command list */
    };

    typedef uint32_t PicavkReportKind;
    enum
    {
        PICAVK_REPORT_MISSING = 0, /* a guest feature that is not built */
        PICAVK_REPORT_GUEST = 1,   /* the guest did something undefined; survived */
        PICAVK_REPORT_INFO = 2     /* driver choices, fallbacks taken */
    };

    typedef uint32_t PicavkScreen;
    enum
    {
        PICAVK_SCREEN_TOP = 0,       /* 400 x 240, left eye */
        PICAVK_SCREEN_TOP_RIGHT = 1, /* 400 x 240 */
        PICAVK_SCREEN_BOTTOM = 2     /* 320 x 240 */
    };

    /* Who draws while the pipeline of a new state is being made. The pixels are the same. */
    typedef uint32_t PicavkPipelines;
    enum
    {
        PICAVK_PIPELINES_LATER =
            0, /* a general pipeline or the software core; worker threads make the other */
        PICAVK_PIPELINES_AT_ONCE = 1 /* nobody: the draw waits */
    };

    /* Accesses of the CPU that have to be announced, for hosts that protect pages. */
    typedef uint32_t PicavkPageAccess;
    enum
    {
        PICAVK_PAGE_ACCESS_NONE = 0,
        PICAVK_PAGE_ACCESS_WRITE = 1, /* picavk_did_write or picavk_mark_written after a write */
        PICAVK_PAGE_ACCESS_READ_WRITE =
            2 /* picavk_will_read before a read too, picavk_will_write before a write */
    };

    /* Guest memory, owned by the host, at least as long-lived as the context. */
    typedef struct PicavkRegion
    {
        uint32_t address; /* physical: 0x18000000 VRAM, 0x20000000 FCRAM */
        uint32_t size;    /* bytes */
        void* bytes;
    } PicavkRegion;

    typedef struct PicavkCreateInfo
    {
        uint32_t struct_size; /* sizeof(PicavkCreateInfo) */
        PicavkBackend backend;
        const PicavkRegion* regions; /* do not overlap; 64 at most */
        uint32_t region_count;
        void* user; /* handed to the callbacks */
        /* Called inside the call that causes it; must not call the context. May be null. */
        void (*interrupt)(void* user, PicavkInterrupt interrupt);
        /* cause: a short constant; detail: this instance. Once per cause. May be null. */
        void (*report)(void* user, PicavkReportKind kind, const char* cause, const char* detail);
        uint32_t software_threads; /* that rasterise, the caller's included; 0 is 1; 256 at most */
        const char*
            cache_directory;        /* where the verdicts of the device's self-test are kept; null: nowhere */
        uint32_t vulkan_validation; /* not 0: with the validation layers, core and synchronization; not with
                                     * a device of the host, whose instance has its layers */
        /* For hosts that protect pages instead of announcing every access: from now on the CPU's accesses of
         * this kind to these bytes must be announced; at first none has to be. Whole pages of 4 KiB but for a
         * region's ends. Called at the end of the call that changes it; must not call the context. Not with
         * PICAVK_BACKEND_VALIDATE. May be null. */
        void (*page_access)(void* user, uint32_t address, uint32_t bytes, PicavkPageAccess access);
        PicavkPipelines pipelines; /* of the Vulkan backend */
        const PicavkVulkanDevice*
            vulkan_device; /* the host's own; null: the context makes one if it needs it */
        /* Of the Vulkan backend: bytes of decoded textures on the device at any time, but for what a few
         * draws use together; 0: 256 MiB. Less is slower where a frame uses more. */
        uint64_t texture_budget;
        /* Of the Vulkan backend: called about once a second while a call waits for the device, with the
         * seconds that it has waited for one submission; must not call the context. 0 to wait on; else the
         * device counts as lost (but not while drivers compile in picavk_create, which nobody can interrupt).
         * A slow device is not a lost one: software devices compile shaders inside submissions, for minutes
         * where the machine is busy. May be null. */
        uint32_t (*waiting)(void* user, uint32_t seconds);
        /* Seconds that one submission may take while a call waits for it; then the device counts as lost.
         * 0: 3600. */
        uint32_t device_timeout;
    } PicavkCreateInfo;

    /* Counts since the context's creation (since picavk_recover for those of the device). Without the Vulkan
     * backend only register_writes counts. */
    typedef struct PicavkStatistics
    {
        uint32_t struct_size;     /* sizeof(PicavkStatistics) */
        uint32_t pipelines;       /* made so far */
        uint64_t register_writes; /* of command lists too */
        uint64_t draws;
        uint64_t merged_draws; /* that became part of the command before them */
        uint64_t draw_commands;
        uint64_t render_passes;
        uint64_t submissions;
        uint64_t waits;          /* of the CPU for the device */
        uint64_t stand_in_draws; /* by the software core, while pipelines were made */
        uint64_t texture_decodes;
        uint64_t texture_bytes; /* guest bytes decoded to textures */
        uint64_t upload_bytes;  /* guest bytes brought to the device */
        /* Bytes that the Vulkan backend has on the device now: decoded textures (and the most of them so
         * far), memory for uploads, all that it has allocated. */
        uint64_t texture_memory;
        uint64_t texture_memory_peak;
        uint64_t upload_memory;
        uint64_t device_memory;
    } PicavkStatistics;

    /* Of the library, as PICAVK_VERSION; differs from the header's where they were not built together.
     * Returns the number. */
    uint32_t picavk_version(void);

    /* On failure *context is null and message (at most message_size bytes with the final 0; may be null) says
     * why, in one line for a person. */
    PicavkResult picavk_create(const PicavkCreateInfo* info, PicavkContext** context, char* message,
                               size_t message_size);
    /* Null is allowed. Returns nothing. */
    void picavk_destroy(PicavkContext* context);
    /* What went wrong last, "" if nothing has; valid until the next call of the context. Returns the text. */
    const char* picavk_message(const PicavkContext* context);

    /* Memory-mapped registers: the GPU block from 0x10400000 on and the LCD block from 0x10202000 on. What a
     * write starts is executed before the call returns. byte_mask: bit i = byte i is written. */
    PicavkResult picavk_write_register(PicavkContext* context, uint32_t address, uint32_t value,
                                       uint32_t byte_mask);
    PicavkResult picavk_read_register(PicavkContext* context, uint32_t address, uint32_t* value);

    /* What the GX services do. Sizes and flags as in the registers: width in the low half, height or gap in
     * the high half. */
    PicavkResult picavk_submit_command_list(PicavkContext* context, uint32_t address, uint32_t bytes);
    /* bits: 16, 24 or 32, of the repeated value. engine: 0 or 1. */
    PicavkResult picavk_memory_fill(PicavkContext* context, uint32_t start, uint32_t end, uint32_t value,
                                    uint32_t bits, uint32_t engine);
    PicavkResult picavk_display_transfer(PicavkContext* context, uint32_t input, uint32_t output,
                                         uint32_t input_size, uint32_t output_size, uint32_t flags);
    PicavkResult picavk_texture_copy(PicavkContext* context, uint32_t input, uint32_t output, uint32_t bytes,
                                     uint32_t input_rows, uint32_t output_rows);

    /* The host's CPU is about to read (waits for the device where it has newer bytes), is about to write, has
     * written. A range may begin and end outside of memory and span regions: what of it is memory counts. It
     * ends at 2^32. */
    PicavkResult picavk_will_read(PicavkContext* context, uint32_t address, uint32_t bytes);
    PicavkResult picavk_will_write(PicavkContext* context, uint32_t address, uint32_t bytes);
    PicavkResult picavk_did_write(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* As picavk_did_write for whole pages, but for any thread and for signal handlers, also while another
     * call of the context runs: sets atomic bits, at which the next call looks first. Returns nothing. */
    void picavk_mark_written(PicavkContext* context, uint32_t address, uint32_t bytes);
    /* Starts to bring newer bytes of the device to memory without waiting; a picavk_will_read that follows
     * finds there what has not been drawn to since. */
    PicavkResult picavk_request_read(PicavkContext* context, uint32_t address, uint32_t bytes);
    /* *ready: 1 where picavk_will_read would return without waiting, else 0. */
    PicavkResult picavk_read_is_ready(PicavkContext* context, uint32_t address, uint32_t bytes,
                                      uint32_t* ready);

    /* Hands everything recorded to the device; does not wait. */
    PicavkResult picavk_flush(PicavkContext* context);
    /* Vertical blank of both screens. */
    PicavkResult picavk_end_frame(PicavkContext* context);
    /* What a screen shows, upright, row by row, four bytes a pixel: R, G, B, 255. size: 400 * 240 * 4, or
     * 320 * 240 * 4 for the bottom screen. */
    PicavkResult picavk_read_screen(PicavkContext* context, PicavkScreen screen, void* rgba, size_t size);

    /* Saved states: everything that affects what comes next. Every backend saves the same bytes and loads
     * those of any. Format: pica/command/SNAPSHOT.md. */
    typedef uint32_t PicavkStateFlags;
    enum
    {
        PICAVK_STATE_MEMORY = 1 /* with guest memory; without, the host saves and restores it itself */
    };
    /* buffer null: *size becomes the size in bytes. Else at most *size bytes are written and *size becomes
     * their number; where they do not fit, *size is the size that is needed, nothing is written, and the
     * result is PICAVK_INVALID_ARGUMENT. Guest memory is current afterwards. */
    PicavkResult picavk_save_state(PicavkContext* context, PicavkStateFlags flags, void* buffer,
                                   size_t* size);
    /* Where the state has no memory, the host has put its own in place, with picavk_will_write before and
     * picavk_did_write after. PICAVK_INVALID_STATE: the bytes are corrupt, of another version or of other
     * memory regions; nothing has changed. */
    PicavkResult picavk_load_state(PicavkContext* context, const void* state, size_t size);

    /* Records what goes in from here on as a stream that plays back to the same bytes (pica/trace/FORMAT.md),
     * also from the middle of a frame. Memory that the CPU writes without picavk_did_write is missing from
     * it. One recording at a time: PICAVK_INVALID_ARGUMENT where one runs. */
    PicavkResult picavk_trace_start(PicavkContext* context, const char* path);
    /* Piece by piece; write returns 0 where it cannot keep a piece, which ends the recording. It must not
     * call the context. */
    PicavkResult picavk_trace_start_sink(PicavkContext* context,
                                         int (*write)(void* user, const void* bytes, size_t size),
                                         void* user);
    /* Writes what is left. PICAVK_OK where none runs. picavk_destroy stops, too. */
    PicavkResult picavk_trace_stop(PicavkContext* context);
    /* Text, UTF-8, at this point of the recording; ignored where none runs. */
    PicavkResult picavk_trace_comment(PicavkContext* context, const char* text);

    /* Another backend goes on at this point; not to or from PICAVK_BACKEND_VALIDATE. */
    PicavkResult picavk_switch_backend(PicavkContext* context, PicavkBackend backend);
    /* After PICAVK_DEVICE_LOST: makes everything on the device anew from guest memory; what the lost device
     * alone had is lost. device: the host's new one; null: on the same device, or a new one of the context's
     * own. The host destroys a lost device, and forgets its images, after this call. On an error nothing has
     * changed. Without a loss nothing is lost either. */
    PicavkResult picavk_recover(PicavkContext* context, const PicavkVulkanDevice* device);
    /* Sets what fits into statistics->struct_size, which says how much the caller knows. */
    PicavkResult picavk_statistics(const PicavkContext* context, PicavkStatistics* statistics);
    /* Backend, device and chosen paths, for bug reports: as much as fits, always ended by 0. */
    PicavkResult picavk_describe(const PicavkContext* context, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
