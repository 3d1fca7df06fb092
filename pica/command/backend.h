// SPDX-License-Identifier: MIT
// Backend: executes decoded work on guest memory. There are two real ones, the software core and the Vulkan
// renderer. After any operation followed by will_read, both must have left the same bytes.
#pragma once

#include "pica/base/types.h"

#include <string_view>

namespace pica
{

class GuestMemory;
struct Carryover;
struct DisplayTransfer;
struct Draw;
struct MemoryFill;
struct TextureCopy;

class Backend
{
public:
    virtual ~Backend() = default;

    virtual std::string_view name() const = 0;
    // The memory that this backend works on; valid as long as the backend.
    virtual GuestMemory& memory() = 0;

    virtual void draw(const Draw& draw) = 0;
    virtual void memory_fill(const MemoryFill& fill) = 0;
    virtual void display_transfer(const DisplayTransfer& transfer) = 0;
    virtual void texture_copy(const TextureCopy& copy) = 0;

    // The CPU (or the command processor) is about to read these bytes of memory(): puts the newest bytes
    // there. Cheap if memory is up to date. May wait for a device.
    virtual void will_read(PhysAddr address, u32 size) = 0;
    // The CPU is about to write these bytes. Results of the device that reach into the range are put into
    // memory first, so that the bytes around the written ones survive.
    virtual void will_write(PhysAddr address, u32 size) = 0;
    // The CPU has written these bytes: every cache of them becomes stale.
    virtual void did_write(PhysAddr address, u32 size) = 0;
    // The CPU may have written anywhere in the range, without will_write. Bytes that differ from what memory() had when
    // a cache or a device took them count as written. All others keep their newest value, on the device too.
    virtual void may_have_written(PhysAddr address, u32 size) = 0;

    // Starts to read back newer bytes without waiting, so that a later will_read waits less or not at all.
    virtual void request_read(PhysAddr, u32) {}
    // Would will_read return without waiting?
    virtual bool read_is_ready(PhysAddr, u32) { return true; }

    // The command processor returns to its caller, because its list has ended or is paused, or raises an interrupt. A
    // backend that works with the CPU's own threads finishes here, so that memory is up to date whenever the guest's CPU
    // runs. Must not throw.
    virtual void processor_returns() {}
    // Submits everything recorded so far; does not wait for it.
    virtual void flush() = 0;
    // The guest's frame ends: submits, and lets caches age.
    virtual void end_frame() = 0;

    // How many pixels the next draw will cover (pica/soft/pixel_counter.h); every backend returns the same
    // number. Runs the draw's vertices on the CPU and may wait for a device. Draws nothing.
    virtual u64 covered_pixels(const Draw& draw) = 0;

    // What the draws so far leave behind for later ones, apart from memory. May wait for a device.
    virtual Carryover save_carryover() = 0;
    // Replaces it; the next draw continues from there.
    virtual void load_carryover(const Carryover& carryover) = 0;
};

} // namespace pica
