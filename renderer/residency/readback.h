// SPDX-License-Identifier: MIT
// The readback of surfaces and mirror into guest memory, before the CPU reads or overwrites bytes. The
// functions work on the whole pages that a range touches, so that bytes beside those that the CPU writes are
// not lost. Draws collected for the surfaces must have been flushed before.
#pragma once

#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

namespace renderer
{

// A range of whole pages, in bytes.
struct Pages
{
    PhysAddr address;
    u64 size;
};
// The pages that [address, address + size) touches.
Pages whole_pages(PhysAddr address, u64 size);

// Is anything in these pages newer on the device? If not, bring_to_memory does nothing.
bool newer_on_device(const RenderTargets& targets, const GuestMirror& mirror, PhysAddr address, u64 size);

// Reads back all newer bytes of these pages. Submits and waits if there are any. An error: the device failed.
Status bring_to_memory(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);

// Records the commands of such a readback. Does not submit and does not wait. bring_to_memory collects the
// result.
Status begin_bringing(RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);
// Would bring_to_memory return at once?
bool is_brought(const RenderTargets& targets, GuestMirror& mirror, PhysAddr address, u64 size);

} // namespace renderer
