// SPDX-License-Identifier: MIT
// The stepper of `picavk inspect`: one run of the vertex or the geometry program of the last draw, which can stop before
// each instruction and go back. Knows nothing of the window. Tests: tests/cli/inspect_draw_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pica
{
class Program;
struct Draw;
struct ProgramStep;
struct ShaderRegisters;
} // namespace pica

namespace samples
{

struct ProgramLine
{
    pica::u16 address = 0;
    std::string text;
    bool after_gap = false; // words before it are never reached
    // The register that the instruction writes, "r1" or "o0"; empty: none.
    std::string destination;
    bool is_output = false;
    pica::u8 number = 0; // of the destination
};

class ProgramModel
{
public:
    enum class Unit : pica::u8
    {
        Vertex,
        Geometry,
    };

    explicit ProgramModel(StreamModel& model);
    ~ProgramModel();
    ProgramModel(const ProgramModel&) = delete;
    ProgramModel& operator=(const ProgramModel&) = delete;

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    bool has_geometry_program();
    // number: element of the draw, or invocation of its geometry program. Both stay chosen when another operation is
    // selected.
    void choose(Unit unit, pica::u32 number);
    // Vertex if the draw has no geometry program.
    Unit unit();
    pica::u32 number() const { return number_; }
    // Why there is nothing to step through; empty: there is.
    const std::string& problem();

    const std::vector<ProgramLine>& lines();
    // Instructions that the run executes, as far as they are kept.
    std::size_t steps();
    pica::u64 executed();
    // Executed before the place where the stepper stands, 0 to steps().
    std::size_t position();
    void go(std::size_t position);
    // To the next time, or the last time before, that the instruction is about to be executed. Returns false, and stays,
    // if there is none.
    bool run_to(pica::u16 address);
    bool run_back_to(pica::u16 address);
    // What was executed last; null at the start.
    const pica::ProgramStep* last_step();
    // The address of the instruction that comes next. Nothing: the run has ended.
    std::optional<pica::u16> next_address();
    // Where the stepper stands. v: the inputs.
    const pica::ShaderRegisters& registers();
    // Bit n: the program reads v[n], writes o[n], uses r[n].
    pica::u32 used(char kind);
    // The trace leads to the values of the software core.
    bool agrees();

    // What `--log` writes.
    Json log();

private:
    struct Run; // one run of the program

    void find();
    void read_program(const pica::Program& program);
    void trace(const pica::Draw& draw);

    StreamModel& model_;
    Unit wanted_ = Unit::Vertex;
    Unit unit_ = Unit::Vertex;
    pica::u32 number_ = 0;
    bool found_ = false;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    bool has_geometry_ = false;
    std::string problem_;
    std::vector<ProgramLine> lines_;
    std::vector<std::size_t> line_at_; // by address: its place in lines_
    std::unique_ptr<Run> run_;
    std::size_t position_ = 0;
};

} // namespace samples
