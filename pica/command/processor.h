// SPDX-License-Identifier: MIT
// CommandProcessor: owns the guest's GPU state, executes command lists, and does what register writes ask
// for. Source: pica/hardware/command-lists.md, shader-unit.md. Tests: tests/pica/processor_test.cpp.
#pragma once

#include "pica/command/command_list.h"
#include "pica/command/draw_issuer.h"
#include "pica/command/ports.h"
#include "pica/command/recorded_state.h"

#include <functional>
#include <vector>

namespace pica
{

enum class RunUntil : u8
{
    Draw, // after the next draw
    End,  // at the end of the list
};

// Everything that the processor knows, as a value, except counters that only number things.
struct ProcessorState
{
    std::array<u32, kRegisterCount> registers{};
    Ports ports; // their revisions have no meaning here
    // The list in execution; default values if there is none.
    struct List
    {
        bool is_running = false;
        bool has_finished = false;
        std::vector<u32> words;
        CommandListReader::Position position;
        u32 jumps = 0;
        u64 words_read = 0;
        KickWork work;
    };
    List list;
    // As DrawSequence.
    std::vector<Vec4> immediate;
    bool restart = true;
    bool geometry_reset = true;
    bool geometry_configures = true;
};

class CommandProcessor
{
public:
    static constexpr u32 kMaxImmediateValues = DrawIssuer::kMaxImmediateValues;

    // Both must outlive the processor. on_interrupt: the P3D interrupt.
    CommandProcessor(Backend& backend, Report& report, std::function<void()> on_interrupt);

    // Power-up state.
    void reset();
    // Power-up, then the recorded values (pica/hardware/citrace.md, "Playback", steps 1, 2 and 4).
    void restore(const RecordedState& state);

    ProcessorState state() const;
    // Continues from a state without side effects. Sizes and positions in the state must be valid
    // (state_rules.h).
    void set_state(const ProcessorState& state);

    // A write by the CPU through the window of internal registers. A kick only starts the list; run()
    // executes it.
    void write_register(u32 id, u32 value, u32 byte_mask);
    const RegisterFile& registers() const { return regs_; }
    const Ports& ports() const { return ports_; }

    // For tests. Games never reach the default budgets.
    void set_pixel_budgets(const PixelBudgets& budgets) { issuer_.set_pixel_budgets(budgets); }

    // Starts a list of `size` bytes. A list that is still running is dropped.
    void begin_list(PhysAddr address, u32 size);
    bool is_running() const { return is_running_; }
    // Returns true if it stopped after a draw and the list continues, false at the end of the list.
    bool run(RunUntil until);

    u64 draws() const { return issuer_.draws(); } // draws passed to the backend
    u64 register_writes() const { return register_writes_; }

private:
    bool execute(RunUntil until);
    enum class Origin : u8
    {
        Cpu,
        List,
    };

    void write(const RegisterWrite& write, Origin origin);
    std::span<const u32> repeats(const RegisterWrite& write, Origin origin);
    void write_shader_bank(u32 bank, const RegisterWrite& write, Origin origin);
    void write_interrupt(u32 id, const RegisterWrite& write, Origin origin);
    void jump(u32 channel, u32 value, Origin origin);
    void read_list(PhysAddr address, u32 size);
    void report_dropped_tail(PhysAddr address, u32 bytes);
    void end_list();

    void write_attribute(u32 word);
    void replace_ports(const Ports& ports);

    void report_port_mask(const RegisterWrite& write);

    Backend& backend_;
    Report& report_;
    std::function<void()> on_interrupt_;

    RegisterFile regs_;
    Ports ports_;
    DrawIssuer issuer_;

    // A copy of the running list: what is executed must not depend on when a backend writes its results to
    // memory.
    std::vector<u32> list_;
    CommandListReader reader_;
    bool is_running_ = false;
    bool has_finished_ = false; // a request byte matched IRQ_CMP
    u32 jumps_ = 0;
    u64 words_read_ = 0;
    u64 register_writes_ = 0;
};

} // namespace pica
