// SPDX-License-Identifier: MIT
#include "samples/inspect/program_model.h"

#include "pica/inspect/program_trace.h"
#include "pica/memory/guest_memory.h"
#include "pica/shader/disasm.h"
#include "pica/soft/software_core.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

struct ProgramModel::Run
{
    ProgramUsage usage;
    ProgramTrace trace;
    bool agrees = true;
    ShaderRegisters start, registers; // before the first instruction; where the stepper stands
};

ProgramModel::ProgramModel(StreamModel& model) : model_(model), run_(std::make_unique<Run>()) {}

ProgramModel::~ProgramModel() = default;

std::optional<std::size_t> ProgramModel::draw()
{
    find();
    return draw_;
}

bool ProgramModel::has_geometry_program()
{
    find();
    return has_geometry_;
}

void ProgramModel::choose(Unit unit, u32 number)
{
    wanted_ = unit;
    number_ = number;
    found_ = false;
    position_ = 0;
}

ProgramModel::Unit ProgramModel::unit()
{
    find();
    return unit_;
}

const std::string& ProgramModel::problem()
{
    find();
    return problem_;
}

const std::vector<ProgramLine>& ProgramModel::lines()
{
    find();
    return lines_;
}

std::size_t ProgramModel::steps()
{
    find();
    return run_->trace.steps.size();
}

u64 ProgramModel::executed()
{
    find();
    return run_->trace.executed;
}

std::size_t ProgramModel::position()
{
    find();
    return position_;
}

bool ProgramModel::agrees()
{
    find();
    return run_->agrees;
}

void ProgramModel::find()
{
    if (found_ && found_at_ == model_.revision())
        return;
    found_ = true;
    found_at_ = model_.revision();
    const std::size_t position = position_;
    draw_ = model_.last_draw();
    has_geometry_ = false;
    problem_.clear();
    lines_.clear();
    line_at_.clear();
    *run_ = {};
    if (draw_)
        visit_draw(model_.replay(), *draw_, [&](const Draw& draw) { trace(draw); });
    else
        problem_ = "No draw up to the selected operation.";
    go(position);
}

void ProgramModel::trace(const Draw& draw)
{
    has_geometry_ = draw.geometry_unit.feed.enabled != 0 && draw.geometry_unit.program != nullptr;
    unit_ = has_geometry_ ? wanted_ : Unit::Vertex;
    const GuestMemory& memory = model_.replay().memory();
    if (unit_ == Unit::Vertex)
    {
        if (draw.program != nullptr)
            read_program(*draw.program);
        auto vertex = trace_vertex(draw, number_, memory);
        if (!vertex)
        {
            problem_ = "The draw has " + std::to_string(draw.source.count) + " elements.";
            return;
        }
        run_->start.v = vertex->inputs;
        run_->trace = std::move(vertex->program);
        run_->agrees = vertex->agrees;
        return;
    }
    read_program(*draw.geometry_unit.program);
    auto invocation = trace_invocation(draw, number_, model_.replay().core().save_carryover(), memory);
    if (!invocation)
    {
        problem_ = "The draw has no such invocation of its geometry program.";
        return;
    }
    run_->start = invocation->before.unit;
    run_->trace = std::move(invocation->program);
    run_->agrees = invocation->agrees;
}

void ProgramModel::read_program(const Program& program)
{
    run_->usage = program.usage();
    line_at_.assign(program.limit(), 0);
    bool gap = false;
    for (u32 address = 0; address < program.limit(); ++address)
    {
        if (!program.reachable(address))
        {
            gap = true;
            continue;
        }
        const Instruction& in = program.instruction(address);
        ProgramLine line;
        line.address = static_cast<u16>(address);
        line.text = disassemble(in, program.descriptor(in.descriptor));
        line.after_gap = gap && !lines_.empty();
        if (writes_destination(in.op))
        {
            line.is_output = in.dst < kFirstTemporary;
            line.number = static_cast<u8>(in.dst % kFirstTemporary);
            line.destination = (line.is_output ? "o" : "r") + std::to_string(line.number);
        }
        gap = false;
        line_at_[address] = lines_.size();
        lines_.push_back(std::move(line));
    }
}

void ProgramModel::go(std::size_t position)
{
    find();
    position_ = std::min(position, run_->trace.steps.size());
    run_->registers = run_->start;
    for (std::size_t i = 0; i < position_; ++i)
    {
        const ProgramStep& step = run_->trace.steps[i];
        const ProgramLine& line = lines_[line_at_[step.pc]];
        if (step.writes)
            (line.is_output ? run_->registers.o : run_->registers.r)[line.number] = step.result;
        run_->registers.a0 = step.a0;
        run_->registers.cmp_x = step.cmp_x;
        run_->registers.cmp_y = step.cmp_y;
    }
}

bool ProgramModel::run_to(u16 address)
{
    find();
    for (std::size_t i = position_ + 1; i < run_->trace.steps.size(); ++i)
        if (run_->trace.steps[i].pc == address)
        {
            go(i);
            return true;
        }
    return false;
}

bool ProgramModel::run_back_to(u16 address)
{
    find();
    for (std::size_t i = position_; i-- > 0;)
        if (run_->trace.steps[i].pc == address)
        {
            go(i);
            return true;
        }
    return false;
}

const ProgramStep* ProgramModel::last_step()
{
    find();
    return position_ == 0 ? nullptr : &run_->trace.steps[position_ - 1];
}

std::optional<u16> ProgramModel::next_address()
{
    find();
    if (position_ >= run_->trace.steps.size())
        return std::nullopt;
    return run_->trace.steps[position_].pc;
}

const ShaderRegisters& ProgramModel::registers()
{
    find();
    return run_->registers;
}

u32 ProgramModel::used(char kind)
{
    find();
    return kind == 'v'   ? u32{run_->usage.inputs}
           : kind == 'o' ? u32{run_->usage.outputs}
                         : u32{run_->usage.temporaries_read} | run_->usage.temporaries_written;
}

Json ProgramModel::log()
{
    if (!draw())
        return {{"operation", nullptr}};
    Json json = {{"operation", *draw_},
                 {"unit", unit_ == Unit::Vertex ? "vertex" : "geometry"},
                 {"number", number_},
                 {"position", position_},
                 {"steps", run_->trace.steps.size()}};
    if (!problem_.empty())
        json["problem"] = problem_;
    if (const ProgramStep* step = last_step())
    {
        json["executed"] = step->text;
        if (step->writes)
            json["result"] = vector_json(step->result);
    }
    return json;
}

} // namespace samples
