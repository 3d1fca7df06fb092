// SPDX-License-Identifier: MIT
// Backend: what executes decoded work on guest memory. Two exist (software core, Vulkan renderer); after any
// operation followed by will_read both must have left the same bytes.
#pragma once

#include "pica/base/types.h"
#include "pica/state/carryover.h"
#include "pica/state/draw.h"
#include "pica/transfer/transfer.h"

#include <string_view>

namespace pica
{

class GuestMemory;

class Backend
{
public:
    virtual ~Backend() = default;

    virtual std::string_view name() const = 0;
    // The memory this backend works on; valid for the backend's life.
    virtual GuestMemory& memory() = 0;

    virtual void draw(const Draw& draw) = 0;
    virtual void memory_fill(const MemoryFill& fill) = 0;
    virtual void display_transfer(const DisplayTransfer& transfer) = 0;
    virtual void texture_copy(const TextureCopy& copy) = 0;

    // The CPU (or the command processor) is about to read these bytes of memory(): make them current. Cheap
    // where nothing is pending; the only call that waits for a device.
    virtual void will_read(PhysAddr address, u32 size) = 0;
    // The CPU is about to write these bytes. Pending results that reach into the range are brought to memory
    // first, so that bytes around it survive.
    virtual void will_write(PhysAddr address, u32 size) = 0;
    // The CPU has written these bytes: caches over them are stale.
    virtual void did_write(PhysAddr address, u32 size) = 0;

    // Starts to make these bytes current without waiting; a will_read that follows finds them there sooner.
    virtual void request_read(PhysAddr, u32) {}
    // Would will_read return at once?
    virtual bool read_is_ready(PhysAddr, u32) { return true; }

    // Submit everything recorded so far; does not wait.
    virtual void flush() = 0;
    // The guest's frame ends: submits and does cache housekeeping.
    virtual void end_frame() = 0;

    // How many pixels the draw, which comes next, covers (pica/soft/pixel_counter.h): every backend gives the
    // same number. Runs the draw's vertices on the CPU and may wait for a device. Draws nothing.
    virtual u64 covered_pixels(const Draw& draw) = 0;

    // What draws so far leave behind for later ones, besides memory; may wait for a device.
    virtual Carryover save_carryover() = 0;
    // Goes on from there.
    virtual void load_carryover(const Carryover& carryover) = 0;
};

} // namespace pica
