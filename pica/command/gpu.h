// SPDX-License-Identifier: MIT
// Gpu: the entry point of the guest side. It takes accesses to the memory-mapped registers of the GPU and LCD
// blocks and CPU writes to memory, and raises interrupts. Engines execute when they are triggered, in that
// order. Source: pica/hardware/engines.md, pica/hardware/command-lists.md. Tests: tests/pica/gpu_test.cpp.
#pragma once

#include "pica/command/interrupt.h"
#include "pica/command/processor.h"
#include "pica/regs/external.h"
#include "pica/state/carryover.h"

#include <functional>
#include <utility>

namespace pica
{

// Callbacks for a recorder, called before what they report is executed. Empty ones are not called.
struct GpuHooks
{
    std::function<void(PhysAddr address, u32 value, u32 byte_mask)> register_write;
    std::function<void(PhysAddr address, u32 size)> cpu_write; // memory already holds the written bytes
    std::function<void()> frame_end;
};

// The complete state of the GPU as a value, without memory.
struct GpuState
{
    ProcessorState processor;
    // From 0x10400000 up to the window of internal registers.
    std::array<u32, (kP3dWindowBase - kGpuBlockBase) / 4> gpu{};
    std::array<u32, kLcdBlockSize / 4> lcd{};
    Carryover carryover;
};

class Gpu
{
public:
    // Both must outlive the Gpu.
    Gpu(Backend& backend, Report& report);
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    void set_interrupt_handler(std::function<void(Interrupt)> handler) { on_interrupt_ = std::move(handler); }
    void set_hooks(GpuHooks hooks) { hooks_ = std::move(hooks); }

    // A 32-bit access. byte_mask: bit i = byte i is written. A write that starts a command list only prepares
    // the list; run() executes it, and every other function here that comes first executes all of it.
    void write_register(PhysAddr address, u32 value, u32 byte_mask = 0xF);
    u32 read_register(PhysAddr address);
    // The CPU writes memory: copies the bytes and announces them to the backend.
    void memory_write(PhysAddr address, std::span<const u8> bytes);
    // The CPU has written memory itself, after calling the backend's will_write.
    void did_write(PhysAddr address, u32 size);
    // The CPU may have written anywhere in the range (Backend::may_have_written).
    void may_have_written(PhysAddr address, u32 size);

    // Executes the prepared list. Returns true if it stopped after a draw and the list continues.
    bool run(RunUntil until) { return processor_.run(until); }
    bool is_running() const { return processor_.is_running(); }

    void set_pixel_budgets(const PixelBudgets& budgets) { processor_.set_pixel_budgets(budgets); }

    // The guest's frame ends: vertical blank of both screens.
    void end_frame();

    // Power-up state. Memory is left as it is.
    void reset();
    // Restores a recorded state without side effects. gpu and lcd: words from 0x10400000 and 0x10202000 on.
    void restore(const RecordedState& state, std::span<const u32> gpu, std::span<const u32> lcd);

    // state() may wait for a device. Neither function starts or ends anything; a list in execution continues
    // with run().
    GpuState state() const;
    void set_state(const GpuState& state);

    const ExternalRegisters& external() const { return external_; }
    const CommandProcessor& processor() const { return processor_; }
    Backend& backend() { return backend_; }
    Report& report() { return report_; }
    u64 register_writes() const { return register_writes_ + processor_.register_writes(); }

private:
    void finish_list();
    void write_part(PhysAddr begin, std::span<u8> memory, std::span<const u8> bytes);
    void fill(u32 engine);
    void transfer();
    void raise(Interrupt interrupt);

    Backend& backend_;
    Report& report_;
    std::function<void(Interrupt)> on_interrupt_;
    GpuHooks hooks_;
    CommandProcessor processor_;
    ExternalRegisters external_;
    u64 register_writes_ = 0; // of registers outside the window of internal registers
};

} // namespace pica
