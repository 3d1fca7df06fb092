// SPDX-License-Identifier: MIT
// What a context (context.h) is created with.
#pragma once

#include "pica/base/result.h"
#include "pica/command/interrupt.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/options.h"

#include <functional>
#include <vector>

namespace renderer
{

// Who draws.
enum class ContextBackend : pica::u8
{
    Null, // decodes everything, draws nothing
    Software,
    Vulkan,
    // Software and Vulkan, each on a memory of its own, compared after every operation. The host sees the
    // memory of the software renderer.
    Validate,
};

// What to create a context with.
struct ContextOptions
{
    ContextBackend backend = ContextBackend::Software;
    // The guest's physical memory, usually VRAM (pica::kVramBase) and FCRAM (pica::kFcramBase). The bytes
    // belong to the host and must outlive the context. Regions must not overlap.
    std::vector<pica::MemoryRegion> regions;
    Options vulkan;
    pica::SoftwareOptions software{.threads = 1}; // with 1 no thread is started
    // Internal resolution N, 1 to 8 (design.md, "N times the resolution"), in place of that of `software`.
    pica::u32 scale = 1;
    // Called inside of the call that causes the interrupt. Must not call the context.
    std::function<void(pica::Interrupt)> on_interrupt;
    // For hosts that protect pages instead of calling will_read, will_write and did_write for every access.
    // The callback names bytes and the accesses of the CPU that need a call from now on. ReadWrite: will_read
    // before reads, will_write and did_write around writes. Write: did_write after writes. None: no call. At
    // first all pages are None. It is called at the end of the call that changes something, for whole pages
    // of 4 KiB, except at the ends of a region. After a write was announced it is called again for these pages, because
    // the host may have lifted their protection itself. It must not call the context. With Validate all pages are
    // Write, because its second memory needs every did_write.
    std::function<void(pica::PhysAddr, pica::u32 bytes, pica::PageAccess)> on_page_access;
};

// Checks the options that do not depend on the machine. Errors: regions that are missing, empty, too many,
// overlap or end beyond 32 bits; a scale that is out of range.
pica::Status check(const ContextOptions& options);
// Is a scale in range?
pica::Status check_scale(pica::u32 scale);

} // namespace renderer
