// SPDX-License-Identifier: MIT
// DrawIssuer: turns triggers and immediate vertices into draws and passes them to the backend, within the
// budgets of design.md D14. Source: pica/hardware/vertex-input.md, geometry-unit.md. Tests:
// tests/pica/processor_test.cpp, pixel_budget_test.cpp.
#pragma once

#include "pica/command/backend.h"
#include "pica/command/ports.h"
#include "pica/command/program_cache.h"
#include "pica/state/state_builder.h"

#include <vector>

namespace pica
{

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

// What draws and writes leave for the next draw.
struct DrawSequence
{
    // Immediate mode: the attributes of complete vertices, then those of the current one.
    std::vector<Vec4> immediate;
    bool restart = true;             // of the primitive assembler
    bool geometry_reset = true;      // power-up since the last draw of the geometry shader unit
    bool geometry_configures = true; // 0x232 was written since that draw
};

class DrawIssuer
{
public:
    // The most values of immediate mode that wait for their draw.
    static constexpr u32 kMaxImmediateValues = 1u << 16;

    // All must outlive the issuer.
    DrawIssuer(Backend& backend, Report& report, RegisterFile& regs, Ports& ports);
    DrawIssuer(const DrawIssuer&) = delete;
    DrawIssuer& operator=(const DrawIssuer&) = delete;

    // A trigger register was written.
    void draw(DrawKind kind) { draw(kind, 0); }
    // The next draw starts with an empty primitive assembler.
    void restart() { sequence_.restart = true; }

    // Immediate mode. begin: 0x232 was written.
    void begin_immediate();
    void add_immediate(const Vec4& value);
    // Draws the complete vertices that were collected; the attributes of an incomplete one stay. The result
    // equals drawing each triangle as it completes, because no state changed in between.
    void flush_immediate()
    {
        if (!sequence_.immediate.empty())
            draw_immediate();
    }

    // Do attributes wait for flush_immediate?
    bool collects_immediate() const { return !sequence_.immediate.empty(); }

    const DrawSequence& sequence() const { return sequence_; }
    // Replaces it. Registers and ports may have changed without writes.
    void set_sequence(const DrawSequence& sequence);
    // The work since the kick.
    const KickWork& work() const { return work_; }
    void set_work(const KickWork& work) { work_ = work; }
    void set_pixel_budgets(const PixelBudgets& budgets) { pixel_budgets_ = budgets; }

    u64 draws() const { return draws_; } // draws passed to the backend

private:
    void draw(DrawKind kind, u32 immediate_vertices);
    void draw_immediate();
    void bind_geometry_unit(GeometryUnit& unit, const Program* program, DrawKind kind) const;
    void geometry_unit_was_bound();
    bool affords_pixels(const Draw& draw, u64 triangles);

    Backend& backend_;
    Report& report_;
    RegisterFile& regs_;
    Ports& ports_;

    StateBuilder builder_;
    ProgramCache programs_;
    KickWork work_;
    PixelBudgets pixel_budgets_;
    // instruction_charge of the program and loop counts that it was last asked about.
    class Charge
    {
    public:
        u32 of(const Program& program, const ShaderUnit& unit, Report& report);

    private:
        u32 charge_ = 0;
        u64 program_ = 0;
        LoopCounts integers_{};
    };
    Charge vertex_charge_;
    Charge geometry_charge_;
    DrawSequence sequence_;
    u64 draws_ = 0;
};

} // namespace pica
