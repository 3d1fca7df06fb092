// SPDX-License-Identifier: MIT
#include "pica/inspect/program_trace.h"

#include "pica/base/silent_report.h"
#include "pica/shader/disasm.h"
#include "pica/shader/interpreter.h"
#include "pica/state/draw_limits.h"
#include "pica/state/index_reader.h"
#include "pica/vertex/vertex_fetch.h"
#include "pica/vertex/vertex_stage.h"

#include <algorithm>
#include <cstring>

namespace pica
{

namespace
{

constexpr u16 kRunBit = 1u << 15; // b15: the geometry unit has run

// A source as the instruction reads it: what a MOV of it would leave.
Vec4 read_operand(const Instruction& in, const OperandDescriptor& descriptor, u32 n,
                  const ShaderUniforms& uniforms, s32 al, const ShaderRegisters& registers)
{
    Instruction move;
    move.op = Opcode::Mov;
    move.source_count = 1;
    move.src[0] = in.src[n];
    move.dst = kFirstTemporary;
    if (in.relative_source == n)
        move.index = in.index;
    OperandDescriptor all;
    all.mask = 15;
    all.negate[0] = descriptor.negate[n];
    all.select[0] = descriptor.select[n];
    ShaderRegisters copy = registers;
    execute_instruction(move, all, uniforms, al, copy);
    return copy.r[0];
}

// Runs a program as run_program and run_geometry do, and keeps each step.
class Stepper
{
public:
    Stepper(const Program& program, const ShaderUniforms& uniforms, ShaderRegisters& registers,
            ProgramTrace& trace)
        : program_(program), uniforms_(uniforms), registers_(registers), trace_(trace)
    {
        flow_.pc = program.entry();
    }

    FlowState& flow() { return flow_; }

    // emit: what SETEMIT and EMIT do; returns true if a primitive is complete.
    template <typename Emit>
    void run(const Emit& emit)
    {
        bool running = flow_.pc < program_.limit();
        while (running)
        {
            const Instruction& in = program_.instruction(flow_.pc);
            const OperandDescriptor& descriptor = program_.descriptor(in.descriptor);
            ProgramStep step;
            const bool keeps = trace_.steps.size() < ProgramTrace::kMostSteps;
            if (keeps)
                begin(in, descriptor, step);
            bool condition = false;
            if (is_flow(in.op))
                condition = condition_of(in).holds(registers_.cmp_x, registers_.cmp_y, uniforms_.b);
            else if (in.op == Opcode::Setemit || in.op == Opcode::Emit)
                step.emits = emit(in, flow_.events);
            else
                execute_instruction(in, descriptor, uniforms_, flow_.al, registers_);
            running = flow_step(flow_, program_, uniforms_, condition);
            ++trace_.executed;
            if (keeps)
                end(in, condition, step);
        }
        trace_.events = flow_.events;
    }

private:
    void begin(const Instruction& in, const OperandDescriptor& descriptor, ProgramStep& step) const
    {
        step.pc = static_cast<u16>(flow_.pc);
        step.text = disassemble(in, descriptor);
        step.source_count = in.source_count;
        for (u32 n = 0; n < in.source_count; ++n)
            step.source[n] = read_operand(in, descriptor, n, uniforms_, flow_.al, registers_);
    }

    void end(const Instruction& in, bool condition, ProgramStep& step)
    {
        step.is_flow = is_flow(in.op);
        step.condition = condition;
        step.writes = writes_destination(in.op);
        if (step.writes)
            step.result =
                in.dst < kFirstTemporary ? registers_.o[in.dst] : registers_.r[in.dst - kFirstTemporary];
        step.a0 = registers_.a0;
        step.cmp_x = registers_.cmp_x;
        step.cmp_y = registers_.cmp_y;
        step.al = flow_.al;
        step.loops = flow_.loops.count;
        step.loop_remaining = flow_.loops.empty() ? 0 : flow_.loops.top().remaining;
        trace_.steps.push_back(std::move(step));
    }

    const Program& program_;
    const ShaderUniforms& uniforms_;
    ShaderRegisters& registers_;
    ProgramTrace& trace_;
    FlowState flow_;
};

template <std::size_t count>
bool same_bits(const std::array<Vec4, count>& a, const std::array<Vec4, count>& b)
{
    return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

bool same(const GeometryRegisters& a, const GeometryRegisters& b)
{
    bool equal = same_bits(a.unit.v, b.unit.v) && same_bits(a.unit.r, b.unit.r) &&
                 same_bits(a.unit.o, b.unit.o) && a.unit.a0 == b.unit.a0 && a.unit.cmp_x == b.unit.cmp_x &&
                 a.unit.cmp_y == b.unit.cmp_y && same_bits(a.other_bank, b.other_bank) && a.al == b.al &&
                 a.vertex_id == b.vertex_id && a.emit_primitive == b.emit_primitive &&
                 a.invert_winding == b.invert_winding;
    for (std::size_t slot = 0; slot < a.slots.size(); ++slot)
        equal = equal && same_bits(a.slots[slot], b.slots[slot]);
    return equal;
}

// A draw of the first elements of another one.
class PartOfDraw
{
public:
    PartOfDraw(const Draw& draw, const Carryover& carryover, const GuestMemory& memory)
        : draw_(draw), carryover_(carryover), memory_(memory)
    {
    }

    // Runs it, and returns how many invocations there were.
    u32 run(u32 count)
    {
        stage_.load(carryover_);
        Draw part = draw_;
        part.source.count = count;
        stage_.run(part, memory_, silent_);
        return count == 0 ? 0 : stage_.geometry().invocations();
    }
    const GeometryShaderUnit& unit() const { return stage_.geometry(); }

private:
    const Draw& draw_;
    const Carryover& carryover_;
    const GuestMemory& memory_;
    SilentReport silent_;
    VertexStage stage_{1};
};

} // namespace

std::optional<VertexTrace> trace_vertex(const Draw& draw, u32 index, const GuestMemory& memory)
{
    const u32 count = std::min(draw.source.count, kMaxDrawVertices);
    if (!draw.program || !draw.uniforms || index >= count)
        return std::nullopt;
    SilentReport silent;
    VertexTrace trace;
    trace.number = draw.source.indexed ? IndexReader(draw.source, count, memory, silent)[index]
                                       : draw.source.first_vertex + index;
    const u64 number = draw.source.indexed ? trace.number : u64{draw.source.first_vertex} + index;
    const ProgramUsage& usage = draw.program->usage();
    trace.inputs_read = usage.inputs;
    trace.outputs_written = usage.outputs;
    BatchInterpreter batch;
    batch.bind(*draw.program, *draw.uniforms);
    VertexFetch fetch;
    fetch.begin(draw, number, number, memory, input_rows(batch), silent);
    fetch.fetch({&number, 1}, input_rows(batch));
    for (u32 reg = 0; reg < 16; ++reg)
        for (u32 c = 0; c < 4; ++c)
            trace.inputs[reg][c] = *batch.input(reg, c);
    batch.run(1);
    for (u32 reg = 0; reg < 16; ++reg)
        for (u32 c = 0; c < 4; ++c)
            trace.outputs[reg][c] = *batch.output(reg, c);
    ShaderRegisters registers;
    registers.v = trace.inputs;
    Stepper(*draw.program, *draw.uniforms, registers, trace.program)
        .run([](const Instruction&, u32&) { return false; });
    trace.agrees = same_bits(registers.o, trace.outputs);
    return trace;
}

std::optional<InvocationTrace> trace_invocation(const Draw& draw, u32 number, const Carryover& carryover,
                                                const GuestMemory& memory)
{
    const GeometryUnit& unit = draw.geometry_unit;
    const u32 count = std::min(draw.source.count, kMaxDrawVertices);
    PartOfDraw part(draw, carryover, memory);
    if (unit.feed.enabled == 0 || !unit.program || part.run(count) <= number)
        return std::nullopt;
    // The fewest elements with which the invocation runs: the last thing that they do is to run it.
    u32 without = 0, with = count;
    while (with - without > 1)
    {
        const u32 middle = without + (with - without) / 2;
        (part.run(middle) <= number ? without : with) = middle;
    }
    InvocationTrace trace;
    bool has_run = unit.reset == 0 && unit.written_bools == 0 && carryover.geometry.has_run;
    if (part.run(without) == 0 && without == 0)
        trace.before = unit.reset != 0 ? GeometryRegisters{} : carryover.geometry.registers;
    else
        trace.before = part.unit().carried().registers;
    if (part.run(with) != number + 1)
        return std::nullopt; // more than one ran at once: never, because each takes at least one element
    trace.after = part.unit().carried().registers;
    trace.inputs = trace.before.unit.v = trace.after.unit.v;
    trace.uniforms = part.unit().uniforms();
    has_run = has_run || number > 0;
    trace.uniforms.b = static_cast<u16>(has_run ? trace.uniforms.b : trace.uniforms.b & ~kRunBit) |
                       static_cast<u16>(unit.uniforms->b & kRunBit);

    GeometryRegisters registers = trace.before;
    Stepper stepper(*unit.program, trace.uniforms, registers.unit, trace.program);
    stepper.flow().al = registers.al;
    stepper.run(
        [&](const Instruction& in, u32& events)
        {
            if (in.op == Opcode::Setemit)
            {
                registers.vertex_id = in.vertex_id;
                registers.emit_primitive = in.emit_primitive;
                registers.invert_winding = in.invert_winding;
                return false;
            }
            const bool complete = emit_vertex(registers, unit.feed.output_mask, events);
            if (complete && trace.primitives.size() < kMaxInvocationPrimitives)
                trace.primitives.push_back(registers.slots);
            return complete;
        });
    registers.al = stepper.flow().al;
    trace.agrees = same(registers, trace.after);
    return trace;
}

} // namespace pica
