/* SPDX-License-Identifier: MIT */
/* The embedding interface of picavk in C89: renderer/embed/context.h behind an opaque handle.
 * Guide: renderer/EMBEDDING.md. Tests: tests/api/c_api_test.cpp, tests/api/c89_header.c.
 *
 * Results. Every function returns a PicavkResult unless its comment says otherwise. Guest data never makes a call
 * fail: undefined behaviour of the guest has a defined result and is told to the report callback. No function
 * throws, aborts or prints. A null context gives PICAVK_INVALID_ARGUMENT.
 *
 * Threads. One thread at a time may call a context; only picavk_mark_written may run beside another call. Different
 * contexts are independent. Callbacks run on the calling thread, inside the call that causes them, and must not call
 * the context.
 *
 * Waiting. Only the backends that use Vulkan wait for a device. A call waits where its comment says so. Apart from
 * that, a call that records work for the device waits when several frames are in flight, and a call that executes
 * guest work (register writes, command lists, fills, transfers) waits where the CPU needs bytes that only the device
 * has, where memory for uploads is used up, and where PICAVK_PIPELINES_AT_ONCE makes a draw wait for its pipeline.
 * PICAVK_BACKEND_VALIDATE waits after every operation, to compare.
 *
 * Versions. PATCH grows with repairs, MINOR with additions (functions, members at the end of structs, enumerators),
 * MAJOR when something is removed or changes its meaning. Before 1.0 MINOR may change anything. A struct begins with
 * its size as the caller compiled it; members beyond that size count as zero. Enumerations are passed as plain
 * numbers, so that the library can refuse values it does not know. */
#ifndef PICAVK_H
#define PICAVK_H

#include <stddef.h>
#include <stdint.h>

#define PICAVK_VERSION_MAJOR 0
#define PICAVK_VERSION_MINOR 2
#define PICAVK_VERSION_PATCH 0
#define PICAVK_VERSION (PICAVK_VERSION_MAJOR * 10000 + PICAVK_VERSION_MINOR * 100 + PICAVK_VERSION_PATCH)

#ifndef PICAVK_API
/* Stands before every function. On Windows (MSVC, GCC, Clang) it is empty by default, which suits the static library
 * and also works with a DLL. PICAVK_SHARED, defined by a program that uses the DLL, makes calls direct;
 * PICAVK_BUILDING_SHARED, defined while the DLL is compiled, exports the functions. Elsewhere GCC and Clang export
 * the functions whatever -fvisibility says; this has no effect on the static library. */
#if defined(_WIN32) || defined(__CYGWIN__)
#if defined(PICAVK_BUILDING_SHARED)
#define PICAVK_API __declspec(dllexport)
#elif defined(PICAVK_SHARED)
#define PICAVK_API __declspec(dllimport)
#else
#define PICAVK_API
#endif
#elif defined(__GNUC__)
#define PICAVK_API __attribute__((visibility("default")))
#else
#define PICAVK_API
#endif
#endif

#ifdef __cplusplus
extern "C"
{
#endif

    /* One emulated GPU. Made by picavk_create, freed by picavk_destroy. */
    typedef struct PicavkContext PicavkContext;
    /* A Vulkan device of the host: picavk_vulkan.h. */
    typedef struct PicavkVulkanDevice PicavkVulkanDevice;
    /* What is kept from run to run: picavk_cache.h. */
    typedef struct PicavkCache PicavkCache;

    /* What a call came to. */
    typedef enum PicavkResult
    {
        PICAVK_OK = 0,
        /* A null pointer, an unknown enumerator or a wrong size. Nothing was done. */
        PICAVK_INVALID_ARGUMENT = -1,
        /* There is no such device, it cannot do what is asked for, it failed while it was set up, or the library was
         * built without the Vulkan backend (renderer/BUILDING.md). */
        PICAVK_UNAVAILABLE = -2,
        /* The Vulkan device failed: it was lost, ran out of memory, reported any other error, or did not finish in time
         * (PicavkCreateInfo::device_timeout). Guest memory is as the failure left it; bytes read since then may be old.
         * Until picavk_recover succeeds, later calls return this result too, except picavk_statistics and
         * picavk_describe. */
        PICAVK_DEVICE_LOST = -3,
        /* The host has no memory left. */
        PICAVK_OUT_OF_MEMORY = -4,
        /* PICAVK_BACKEND_VALIDATE found a difference between its backends; picavk_message names it. */
        PICAVK_DIFFERENCE = -5,
        /* A saved state cannot be loaded. Nothing was done. */
        PICAVK_INVALID_STATE = -6,
        /* A recording could not be started, or not all of it could be written. */
        PICAVK_NOT_WRITTEN = -7
    } PicavkResult;

    /* Who executes the guest's work. All leave the same bytes in guest memory, except the first. */
    typedef uint32_t PicavkBackend;
    enum
    {
        /* Decodes everything, raises the interrupts and draws nothing. */
        PICAVK_BACKEND_NULL = 0,
        /* The CPU. Needs no driver. */
        PICAVK_BACKEND_SOFTWARE = 1,
        /* A Vulkan device. */
        PICAVK_BACKEND_VULKAN = 2,
        /* Both, each on a memory of its own, compared after every operation. The host's is the software backend's. */
        PICAVK_BACKEND_VALIDATE = 3
    };

    /* Interrupts of the GPU, which the host passes on to the guest. */
    typedef uint32_t PicavkInterrupt;
    enum
    {
        /* Memory fill engine 0 has finished. */
        PICAVK_INTERRUPT_PSC0 = 0,
        /* Memory fill engine 1 has finished. */
        PICAVK_INTERRUPT_PSC1 = 1,
        /* Vertical blank of the top screen. */
        PICAVK_INTERRUPT_PDC0 = 2,
        /* Vertical blank of the bottom screen. */
        PICAVK_INTERRUPT_PDC1 = 3,
        /* A display transfer or texture copy has finished. */
        PICAVK_INTERRUPT_PPF = 4,
        /* A command list has raised its interrupt. */
        PICAVK_INTERRUPT_P3D = 5
    };

    /* What a report is about. */
    typedef uint32_t PicavkReportKind;
    enum
    {
        /* The guest uses a feature that picavk does not have; it is left out of the picture. */
        PICAVK_REPORT_MISSING = 0,
        /* The guest did something undefined or illegal; the result is defined. */
        PICAVK_REPORT_GUEST = 1,
        /* Choices for a driver, fallbacks taken, long waits, a failed device. */
        PICAVK_REPORT_INFO = 2
    };

    /* The pictures of the console. Sizes are width x height in pixels, upright. */
    typedef uint32_t PicavkScreen;
    enum
    {
        /* 400 x 240: the top screen, or its left eye in stereo modes. */
        PICAVK_SCREEN_TOP = 0,
        /* 400 x 240: the right eye of the top screen. The LCD shows it in stereo modes only. */
        PICAVK_SCREEN_TOP_RIGHT = 1,
        /* 320 x 240. */
        PICAVK_SCREEN_BOTTOM = 2
    };

    /* What a draw does whose Vulkan pipeline does not exist yet. The pixels are the same either way. */
    typedef uint32_t PicavkPipelines;
    enum
    {
        /* A fallback draws it, a general pipeline or the software core, while worker threads compile its own. */
        PICAVK_PIPELINES_LATER = 0,
        /* The draw waits until its pipeline is compiled. */
        PICAVK_PIPELINES_AT_ONCE = 1
    };

    /* Which accesses of the CPU to a page the host must announce to the context. */
    typedef uint32_t PicavkPageAccess;
    enum
    {
        PICAVK_PAGE_ACCESS_NONE = 0,
        /* Writes, because a cache holds these bytes: picavk_did_write or picavk_mark_written afterwards. */
        PICAVK_PAGE_ACCESS_WRITE = 1,
        /* Reads too, because the device has newer bytes: picavk_will_read or picavk_will_write before. */
        PICAVK_PAGE_ACCESS_READ_WRITE = 2
    };

    /* A piece of guest memory. The host owns the bytes; they must outlive the context. */
    typedef struct PicavkRegion
    {
        /* Physical address of the first byte: 0x18000000 for VRAM, 0x20000000 for FCRAM. */
        uint32_t address;
        /* Bytes; not 0. The region ends at 2^32 or before. */
        uint32_t size;
        void* bytes;
    } PicavkRegion;

    /* A framebuffer of a screen, as the guest describes it to GSP SetBufferSwap. picavk_set_framebuffer. */
    typedef struct PicavkFramebuffer
    {
        /* sizeof(PicavkFramebuffer), set by the caller. */
        uint32_t struct_size;
        /* Which of the screen's two buffers this describes: 0 the first, anything else the second. */
        uint32_t buffer;
        /* Physical address of the picture, of the left eye's in stereo modes. 0: black. */
        uint32_t left_address;
        /* Physical address of the right eye's picture. Matters for the top screen in stereo modes only. */
        uint32_t right_address;
        /* Bytes from one row of memory (a column of the picture) to the next, as a signed number; 720 for RGB8. */
        uint32_t stride;
        /* The guest's format word, of which the low 16 bits count: bits 0-2 are 0 RGBA8, 1 RGB8, 2 RGB565, 3 RGB5A1, 4
         * RGBA4; bits 4-5 are 2 or 3 in stereo modes. */
        uint32_t format;
        /* The guest's word that selects the buffer which is shown: bit 0 is 0 for the first, 1 for the second. */
        uint32_t select;
    } PicavkFramebuffer;

    /* Parameters of picavk_create. Zero-initialise it, set struct_size, backend, regions and region_count, then
     * whatever else matters: 0 or null is the default of every other member. The regions' bytes, the Vulkan objects of
     * vulkan_device and what the callbacks use must outlive the context; picavk_create copies all the rest. */
    typedef struct PicavkCreateInfo
    {
        /* sizeof(PicavkCreateInfo). */
        uint32_t struct_size;
        PicavkBackend backend;
        /* The guest's memory: region_count of them, 1 to 64, that do not overlap. Usually VRAM and FCRAM. */
        const PicavkRegion* regions;
        uint32_t region_count;
        /* Passed to every callback below. */
        void* user;
        /* An interrupt is raised. May be null. */
        void (*interrupt)(void* user, PicavkInterrupt interrupt);
        /* Something is reported, once for each kind and cause. cause: a short constant text that identifies the
         * anomaly; detail: this instance of it. Both texts are valid during the call. May be null. */
        void (*report)(void* user, PicavkReportKind kind, const char* cause, const char* detail);
        /* Threads that the software backend works with, the calling one included: 1 to 256; 0 counts as 1. */
        uint32_t software_threads;
        /* Folder of what the Vulkan backend keeps from run to run; null: nowhere. */
        const char* cache_directory;
        /* Not 0: enables the Vulkan validation layers, core and synchronization. An error together with vulkan_device. */
        uint32_t vulkan_validation;
        /* For hosts that protect pages instead of announcing every access. From this call on the host must announce
         * accesses of this kind to these bytes; at first none. The range covers whole pages of 4 KiB, except at the ends
         * of a region; a larger page of the host needs the most that a page in it needs. Called at the end of the call
         * that changes the pages. After an announcement of a write the pages count as unprotected, and what they need is
         * said again. With VALIDATE every write to any page must be announced. Null: the host announces every access. */
        void (*page_access)(void* user, uint32_t address, uint32_t bytes, PicavkPageAccess access);
        /* For the Vulkan backend. */
        PicavkPipelines pipelines;
        /* The host's own Vulkan device; null: the context makes one if it needs it. */
        const PicavkVulkanDevice* vulkan_device;
        /* Bytes that decoded textures may take on the Vulkan device; 0: 256 MiB. Only textures that a few draws use
         * together may exceed it. Too small a budget costs time (textures are decoded again) and changes no pixel. */
        uint64_t texture_budget;
        /* Called about once a second while a call waits for the Vulkan device, with the seconds it has waited for the
         * same submission. Return 0 to go on waiting; anything else makes the device count as lost (not while
         * picavk_create compiles pipelines: a driver cannot be interrupted there). A slow device is not a lost one:
         * software devices compile shaders inside submissions, which takes minutes on a busy machine. May be null. */
        uint32_t (*waiting)(void* user, uint32_t seconds);
        /* Seconds that one submission may take while a call waits for it; then the device counts as lost. 0: 3600. */
        uint32_t device_timeout;
        /* More about what is kept from run to run; null: cache_directory says all. */
        const PicavkCache* cache;
        /* Internal resolution, 1 to 8; 0 counts as 1 (picavk_scale.h). */
        uint32_t scale;
    } PicavkCreateInfo;

    /* Counters of a context, for profiling. register_writes, draws, fills, transfers and texture_copies count what the
     * guest did since picavk_create, whatever the backend. texture_decodes and texture_bytes belong to the software
     * backend while that is chosen. They and all others belong to the Vulkan backend otherwise: they are 0 while the
     * context has none, and picavk_recover sets them to 0. */
    typedef struct PicavkStatistics
    {
        /* sizeof(PicavkStatistics), set by the caller. */
        uint32_t struct_size;
        /* Vulkan pipelines compiled so far. */
        uint32_t pipelines;
        /* Register writes so far, those of command lists included. */
        uint64_t register_writes;
        /* Draws of the guest so far. */
        uint64_t draws;
        /* Draws that were merged into the Vulkan draw command of the draw before them. */
        uint64_t merged_draws;
        /* Vulkan draw commands recorded so far. */
        uint64_t draw_commands;
        uint64_t render_passes;
        uint64_t submissions;
        /* Times that the CPU waited for the device. */
        uint64_t waits;
        /* Draws that the software core executed as fallback while their pipelines were compiled. */
        uint64_t stand_in_draws;
        /* Textures decoded so far. */
        uint64_t texture_decodes;
        /* Bytes of guest memory decoded to textures so far. */
        uint64_t texture_bytes;
        /* Bytes of guest memory uploaded to the device so far. */
        uint64_t upload_bytes;
        /* Bytes of decoded textures on the device now. */
        uint64_t texture_memory;
        /* The largest value that texture_memory has had. */
        uint64_t texture_memory_peak;
        /* Bytes of memory for uploads now. */
        uint64_t upload_memory;
        /* Bytes of all memory that is allocated on the device now, the two above included. */
        uint64_t device_memory;
        /* Memory fills, display transfers and texture copies of the guest so far. */
        uint64_t fills;
        uint64_t transfers;
        uint64_t texture_copies;
        /* Allocations that the driver refused for lack of memory. Something was given back, or other memory taken. */
        uint64_t memory_shortages;
    } PicavkStatistics;

    /* Returns PICAVK_VERSION as the library was built with. It differs from the header's if the header belongs to
     * another version. Any thread. */
    PICAVK_API uint32_t picavk_version(void);

    /* Makes a context. The Vulkan backends set up a device, test it and may compile their first pipelines, which takes
     * seconds on a slow device; the call waits for all of it.
     * context: receives the handle; null on failure.
     * message: on failure receives one line for a person, cut to message_size bytes with the final 0; "" on success.
     * May be null.
     * Errors: PICAVK_INVALID_ARGUMENT, PICAVK_UNAVAILABLE, PICAVK_OUT_OF_MEMORY. */
    PICAVK_API PicavkResult picavk_create(const PicavkCreateInfo* info, PicavkContext** context,
                                          char* message, size_t message_size);

    /* Frees a context. Ends a recording, waits for worker threads and for the device. Guest memory does not receive
     * bytes that only the device has: call picavk_will_read before, if they matter. A null context is allowed. */
    PICAVK_API void picavk_destroy(PicavkContext* context);

    /* Returns one line for a person about the last call that failed, "" if none has. The text is valid until the next
     * call of the context. */
    PICAVK_API const char* picavk_message(const PicavkContext* context);

    /* Writes a memory-mapped register: of the GPU block (0x10400000-0x10401FFF) or of the LCD block
     * (0x10202000-0x10202FFF). What the write starts (a fill, a transfer, a command list) is executed, and its
     * interrupt raised, before the call returns.
     * address: physical; its low two bits are ignored. A write outside both blocks is ignored and reported.
     * byte_mask: bit i enables byte i of value, 0xF for all of it. May wait for the device. */
    PICAVK_API PicavkResult picavk_write_register(PicavkContext* context, uint32_t address, uint32_t value,
                                                  uint32_t byte_mask);

    /* Reads a memory-mapped register of the same blocks; 0 outside of them. Does not wait. */
    PICAVK_API PicavkResult picavk_read_register(PicavkContext* context, uint32_t address, uint32_t* value);

    /* Executes a command list, as the GX service does: writes the registers of the command engine.
     * address: physical. bytes: size of the list. The low three bits of both are dropped.
     * Raises P3D if the list asks for it. May wait for the device. */
    PICAVK_API PicavkResult picavk_submit_command_list(PicavkContext* context, uint32_t address,
                                                       uint32_t bytes);

    /* Fills memory from start up to, not including, end with a repeated value (PSC).
     * start, end: physical addresses; their low three bits are dropped. start 0 does nothing and raises nothing.
     * bits: width of the value, 16, 24 or 32. engine: 0 or 1. Others give PICAVK_INVALID_ARGUMENT. Raises PSC0 or PSC1.
     * May wait for the device. */
    PICAVK_API PicavkResult picavk_memory_fill(PicavkContext* context, uint32_t start, uint32_t end,
                                               uint32_t value, uint32_t bits, uint32_t engine);

    /* Copies a picture and converts layout, format and size on the way (PPF).
     * input, output: physical addresses; their low three bits are dropped.
     * input_size, output_size: pixels, width in the low half, height in the high half, as in the registers 0x10400C0C
     * and 0x10400C08. The output's is the size before scaling.
     * flags: as in register 0x10400C10; bit 3, which selects a texture copy, is cleared.
     * Raises PPF. May wait for the device. */
    PICAVK_API PicavkResult picavk_display_transfer(PicavkContext* context, uint32_t input, uint32_t output,
                                                    uint32_t input_size, uint32_t output_size,
                                                    uint32_t flags);

    /* Copies bytes, with gaps between rows on either side (PPF).
     * input, output: physical addresses; their low three bits are dropped.
     * bytes: how many are copied; the low four bits are ignored.
     * input_rows, output_rows: length of a row in the low half, gap after it in the high half, both in units of 16
     * bytes, as in the registers 0x10400C24 and 0x10400C28. Gap 0: no rows, the bytes are contiguous. Raises PPF. May
     * wait for the device. */
    PICAVK_API PicavkResult picavk_texture_copy(PicavkContext* context, uint32_t input, uint32_t output,
                                                uint32_t bytes, uint32_t input_rows, uint32_t output_rows);

    /* Describes a buffer of a screen and says which buffer the screen shows, as GSP SetBufferSwap does. Writes
     * registers of the screen's display controller (EMBEDDING_GSP.md, "Screens"); the buffer that is not described
     * keeps its addresses. Takes effect at once, raises no interrupt, and does not wait.
     * screen: PICAVK_SCREEN_TOP for both eyes, or PICAVK_SCREEN_BOTTOM.
     * PICAVK_INVALID_ARGUMENT, and nothing is written: another screen, a null pointer, a wrong struct_size. All else is the guest's. */
    PICAVK_API PicavkResult picavk_set_framebuffer(PicavkContext* context, PicavkScreen screen,
                                                   const PicavkFramebuffer* framebuffer);

    /* Shows a colour on a whole screen in place of its picture, or with enabled 0 the picture again. GSP
     * SetLcdForceBlack is this call for each screen. Writes register 0x10202204 (top) or 0x10202A04 (bottom). Takes
     * effect at once, raises no interrupt, and does not wait.
     * screen: as for picavk_set_framebuffer. color: red in bits 0-7, green in 8-15, blue in 16-23. */
    PICAVK_API PicavkResult picavk_set_lcd_fill(PicavkContext* context, PicavkScreen screen, uint32_t enabled,
                                                uint32_t color);

    /* The CPU is about to read guest memory: puts the newest bytes of the range into it. Waits for the device only
     * where it has newer bytes.
     * Ranges here and below: `bytes` from a physical address on. A range may begin and end outside of memory and span
     * regions; what of it is memory counts. It ends at 2^32 and does not wrap. */
    PICAVK_API PicavkResult picavk_will_read(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* The CPU is about to write guest memory: as picavk_will_read. So bytes of the range survive that it leaves alone, and
     * picavk_did_write for the same range drops nothing that is newer on the device. */
    PICAVK_API PicavkResult picavk_will_write(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* The CPU has written guest memory: its caches become stale. Reads back above 1x only, from 1 MiB on (EMBEDDING.md). */
    PICAVK_API PicavkResult picavk_did_write(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* The CPU may have written anywhere in the range, without a picavk_will_write before. For hosts that hear of writes
     * only through the guest's cache flushes (GSP FlushDataCache and StoreDataCache, GX command 5), whose ranges cover whole heaps and what the GPU has drawn there.
     * Bytes that the CPU did write count. All other bytes keep their newest value, which may be on the device. A byte
     * counts as written if it differs from the one that guest memory had when the device took the page over. A write of
     * exactly that value over newer bytes of the device cannot be seen: a host that may do so calls picavk_will_write
     * before.
     * The call must come before GPU work that reads what the CPU wrote. Call it as often as the guest flushes: it costs
     * little, because only pages are compared that a cache or the device has bytes of, and most of them not before they
     * are used again. Their bytes are kept a second time for that, from the first call on. So call it once right after
     * picavk_create: what the CPU writes before the first call into a page that the device uses may be lost. Waits for
     * the device only where the CPU has written in a page of which the device has newer bytes. */
    PICAVK_API PicavkResult picavk_may_have_written(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* As picavk_did_write for pages of 4 KiB that the range covers, above 1x as picavk_may_have_written. In others that it
     * touches all newer bytes survive, too. Callable from any thread and from a signal handler, also while another call
     * runs: sets atomic bits, on which the context acts in its next call. Never waits itself. Returns nothing. */
    PICAVK_API void picavk_mark_written(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* Starts to read back newer bytes of the device without waiting for them. A later picavk_will_read of bytes that
     * were not drawn to since then finds them, and waits at most for this readback. */
    PICAVK_API PicavkResult picavk_request_read(PicavkContext* context, uint32_t address, uint32_t bytes);

    /* Sets *ready to 1 if picavk_will_read of the range would return without waiting, else to 0. Does not wait. */
    PICAVK_API PicavkResult picavk_read_is_ready(PicavkContext* context, uint32_t address, uint32_t bytes,
                                                 uint32_t* ready);

    /* Submits everything recorded so far to the device. Does not wait for it to finish. */
    PICAVK_API PicavkResult picavk_flush(PicavkContext* context);

    /* Vertical blank of both screens: submits as picavk_flush, lets the caches age, raises PDC0 and PDC1. Does not wait. */
    PICAVK_API PicavkResult picavk_end_frame(PicavkContext* context);

    /* Gives the picture that a screen shows now, upright, row by row from the top left.
     * rgba: receives four bytes a pixel: R, G, B, 255.
     * size: of the buffer in bytes, exactly width * height * 4 of the screen (picavk_scale.h where scale is above 1).
     * Waits for the device where the framebuffer's newest bytes are there. */
    PICAVK_API PicavkResult picavk_read_screen(PicavkContext* context, PicavkScreen screen, void* rgba,
                                               size_t size);

    /* Sets the GPU to its state at power-up: registers, shader programs, and what draws leave for later draws. Guest
     * memory stays as it is, with everything that was drawn: a host that clears it announces that as any other write.
     * The device and all caches are kept, so a guest that starts again finds its pipelines. Raises no interrupt. May
     * wait for the device. */
    PICAVK_API PicavkResult picavk_reset(PicavkContext* context);

    /* What a saved state contains. */
    typedef uint32_t PicavkStateFlags;
    enum
    {
        /* Guest memory, compressed. Without it the host saves and restores memory itself. */
        PICAVK_STATE_MEMORY = 1
    };

    /* Saves everything that affects later results. Every backend saves the same bytes and loads those of any other.
     * Format: pica/command/SNAPSHOT.md. Guest memory is up to date afterwards, so that a host can save it separately.
     * buffer: receives the state; null: only *size is set.
     * size: in: bytes of the buffer (not read if it is null); out: bytes of the state. If the buffer is too small,
     * nothing is written to it and the result is PICAVK_INVALID_ARGUMENT.
     * Waits for the device. */
    PICAVK_API PicavkResult picavk_save_state(PicavkContext* context, PicavkStateFlags flags, void* buffer,
                                              size_t* size);

    /* Goes on from a saved state of `size` bytes. Raises no interrupt. If the state does not contain memory,
     * the host restores it first: picavk_will_write, the bytes, picavk_did_write.
     * PICAVK_INVALID_STATE: the bytes are corrupt, of another version, or of other memory regions; nothing has changed.
     * May wait for the device. */
    PICAVK_API PicavkResult picavk_load_state(PicavkContext* context, const void* state, size_t size);

    /* Records everything that enters the context from now on to a file that plays back to the same bytes
     * (pica/trace/FORMAT.md). May start in the middle of a frame. The recording lacks what the CPU writes without
     * picavk_did_write.
     * path: of the file, which is replaced.
     * Errors: PICAVK_INVALID_ARGUMENT if a recording runs already; PICAVK_NOT_WRITTEN if the file cannot be made or
     * guest memory is larger than 1 GiB. Waits for the device. */
    PICAVK_API PicavkResult picavk_trace_start(PicavkContext* context, const char* path);

    /* As picavk_trace_start, but passes the file to a callback piece by piece.
     * write: called inside later calls of the context with `user` and the next `size` bytes, which are valid during the
     * call. Returns 0 if it cannot keep them, which ends the recording. Must not call the context. */
    PICAVK_API PicavkResult picavk_trace_start_sink(PicavkContext* context,
                                                    int (*write)(void* user, const void* bytes, size_t size),
                                                    void* user);

    /* Ends the recording and writes what is left of it. PICAVK_NOT_WRITTEN: a part could not be written, now or
     * earlier. PICAVK_OK if no recording runs. picavk_destroy ends a recording too, but cannot report errors. */
    PICAVK_API PicavkResult picavk_trace_stop(PicavkContext* context);

    /* Puts a comment at this point of the recording. text: UTF-8. Ignored if no recording runs. */
    PICAVK_API PicavkResult picavk_trace_comment(PicavkContext* context, const char* text);

    /* Lets another backend go on at this point, without a visible change. Waits for the device.
     * PICAVK_UNAVAILABLE: the backend cannot be made, or one of the two is PICAVK_BACKEND_VALIDATE, which needs a
     * context of its own. The old backend then stays. */
    PICAVK_API PicavkResult picavk_switch_backend(PicavkContext* context, PicavkBackend backend);

    /* After PICAVK_DEVICE_LOST: makes everything on the device again, from guest memory. Bytes that only the lost
     * device had are gone, as are its images. If no device was lost, no bytes are. Waits as picavk_create does.
     * device: the host's new device, for contexts that use one of the host's. null: the same device of the host, or a
     * new one of the context's own. The host destroys its lost device after this call.
     * PICAVK_INVALID_ARGUMENT or PICAVK_UNAVAILABLE: nothing has changed. */
    PICAVK_API PicavkResult picavk_recover(PicavkContext* context, const PicavkVulkanDevice* device);

    /* Fills in those members of *statistics that lie within its struct_size, which the caller sets and which must reach
     * at least to the end of register_writes. Does not wait, and works with a lost device too. */
    PICAVK_API PicavkResult picavk_statistics(const PicavkContext* context, PicavkStatistics* statistics);

    /* Describes backend, device and chosen paths for a bug report, one fact a line.
     * text: receives as much as fits into `size` bytes, always with a final 0. 2048 bytes are usually enough. Does not
     * wait, and works with a lost device too. */
    PICAVK_API PicavkResult picavk_describe(const PicavkContext* context, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
