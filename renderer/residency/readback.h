// SPDX-License-Identifier: MIT
// From the device back to guest memory: what the CPU is about to read or overwrite is made current there.
#pragma once

#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

namespace renderer
{

// The pages that a range touches.
struct Pages
{
    PhysAddr address;
    u64 size;
};
Pages whole_pages(PhysAddr address, u64 size);

// Is anything on the device newer than guest memory in the pages of this range? If not, bring_to_memory does
// nothing.
bool newer_on_device(const RenderTargets& targets, const GuestMirror& mirror, PhysAddr address, u64 size);

// The only place that waits for the device. Draws pending on surfaces must have been recorded. Works on whole
// pages, so that a CPU write next to rendered bytes loses nothing.
Status bring_to_memory(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);

// Records the first half of bring_to_memory; does not submit.
Status begin_bringing(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);
// Would bring_to_memory return at once?
bool is_brought(const RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);

} // namespace renderer
