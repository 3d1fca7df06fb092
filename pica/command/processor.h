// SPDX-License-Identifier: MIT
// CommandProcessor: owns the guest's GPU state and turns register writes into draws. Source:
// pica/hardware/command-lists.md, vertex-input.md, shader-unit.md. Tests: tests/pica/processor_test.cpp.
#pragma once

#include "pica/command/backend.h"
#include "pica/command/command_list.h"
#include "pica/command/ports.h"
#include "pica/command/program_cache.h"
#include "pica/state/state_builder.h"

#include <functional>
#include <vector>

namespace pica
{

enum class RunUntil : u8
{
    Draw, // after the next draw
    End,  // at the end of the list
};

// A state to restore without side effects. Sections may be short or empty. Floats are raw float24 values, in
// the order x y z w.
struct RecordedState
{
    std::span<const u32> registers;
    std::span<const u32> fixed_attributes;
    std::span<const u32> vertex_code, vertex_descriptors, vertex_floats;
    std::span<const u32> geometry_code, geometry_descriptors, geometry_floats;
};

// How many pixels the draws of one kick (start of a command list) may cover [our rule]. The pixels of a draw
// are counted exactly only once one of the first two limits is exceeded, because counting runs all its
// vertices on the CPU. One kick of a game stays below the first two limits, and the hardware takes at least
// an eighth of a second for the third.
struct PixelBudgets
{
    u64 layers = u64{1} << 27;    // pixels of the scissor rectangles of all draws
    u64 triangles = u64{1} << 32; // pixels of the scissor rectangles of all triangles
    // Covered pixels of the draws after one of those limits (Backend::covered_pixels).
    u64 covered = u64{1} << 27;
};

// The work that the draws of a kick have asked for so far.
struct KickWork
{
    u64 vertices = 0;
    u64 instructions = 0;                       // what instruction_charge says
    u64 layers = 0, triangles = 0, covered = 0; // as in PixelBudgets; each at most one above its limit
    bool operator==(const KickWork&) const = default;
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
    std::vector<Vec4> immediate;
    bool restart = true;
    bool geometry_reset = true;
    bool geometry_configures = true;
};

class CommandProcessor
{
public:
    // The most values of immediate mode that wait for their draw.
    static constexpr u32 kMaxImmediateValues = 1u << 16;

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
    void set_pixel_budgets(const PixelBudgets& budgets) { pixel_budgets_ = budgets; }

    // Starts a list of `size` bytes. A list that is still running is dropped.
    void begin_list(PhysAddr address, u32 size);
    bool is_running() const { return is_running_; }
    // Returns true if it stopped after a draw and the list continues, false at the end of the list.
    bool run(RunUntil until);

    u64 draws() const { return draws_; } // draws passed to the backend
    u64 register_writes() const { return register_writes_; }

private:
    enum class Origin : u8
    {
        Cpu,
        List,
    };

    void write(const RegisterWrite& write, Origin origin);
    void write_shader_bank(u32 bank, const RegisterWrite& write);
    void write_interrupt(u32 id, const RegisterWrite& write, Origin origin);
    void jump(u32 channel, u32 value, Origin origin);
    void read_list(PhysAddr address, u32 size);
    void end_list();

    void write_attribute(u32 word);
    void draw(DrawKind kind, u32 immediate_vertices);
    void flush_immediate();
    void bind_geometry_unit(GeometryUnit& unit, const Program* program, DrawKind kind) const;
    void geometry_unit_was_bound();
    bool affords_pixels(const Draw& draw, u64 triangles);
    void replace_ports(const Ports& ports);

    void report_guest(std::string_view cause, const char* format, u32 a, u32 b = 0);
    void report_port_mask(const RegisterWrite& write);

    Backend& backend_;
    Report& report_;
    std::function<void()> on_interrupt_;

    RegisterFile regs_;
    Ports ports_;
    StateBuilder builder_;
    ProgramCache programs_;

    // A copy of the running list: what is executed must not depend on when a backend writes its results to
    // memory.
    std::vector<u32> list_;
    CommandListReader reader_;
    bool is_running_ = false;
    bool has_finished_ = false; // a request byte matched IRQ_CMP
    u32 jumps_ = 0;
    u64 words_read_ = 0;
    KickWork work_; // since the kick
    PixelBudgets pixel_budgets_;
    // instruction_charge of the program and uniforms that it was last asked about.
    class Charge
    {
    public:
        u32 of(const Program& program, const ShaderUnit& unit, Report& report);

    private:
        u32 charge_ = 0;
        u64 program_ = 0;
        u64 uniforms_ = 0;
    };
    Charge vertex_charge_;
    Charge geometry_charge_;

    // Immediate mode: the attributes of complete vertices, then those of the current one.
    std::vector<Vec4> immediate_;

    bool restart_ = true;
    bool geometry_reset_ = true;      // power-up since the last draw of the geometry shader unit
    bool geometry_configures_ = true; // 0x232 was written since that draw
    u64 draws_ = 0;
    u64 register_writes_ = 0;
};

} // namespace pica
