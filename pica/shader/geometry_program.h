// SPDX-License-Identifier: MIT
// Runs a geometry program: the scalar interpreter plus what only the geometry shader unit has, which is
// SETEMIT, EMIT, two output banks, three vertex slots, and registers that keep their values between
// invocations. Source: pica/hardware/shader-unit.md and geometry-unit.md. Tests: geometry_program_test.cpp.
#pragma once

#include "pica/shader/interpreter.h"

namespace pica
{

// [our rule] Primitives of one invocation beyond this are dropped and reported; the invocation goes on.
constexpr u32 kMaxInvocationPrimitives = 4096;

// The outputs that EMIT copies to a vertex slot: o0..o6.
constexpr u32 kGeometrySlotOutputs = 7;
using VertexSlot = std::array<Vec4, kGeometrySlotOutputs>;

// Everything that persists between invocations. All zero at power-up [our rule].
struct GeometryRegisters
{
    ShaderRegisters unit; // its o is the bank that instructions write now
    std::array<Vec4, 16> other_bank = {};
    s32 al = 0;
    // What the last SETEMIT set. EMIT does not reset it.
    u8 vertex_id = 0;
    bool emit_primitive = false;
    bool invert_winding = false;
    std::array<VertexSlot, 3> slots = {}; // the enabled outputs, packed from index 0
};

// EMIT: copies the outputs of `mask` to the vertex slot that SETEMIT chose and exchanges the banks. Returns
// true if the three slots now form a primitive. May set kBadVertexSlot in events.
bool emit_vertex(GeometryRegisters& registers, u16 mask, u32& events);

// Runs one invocation. emit(slots, invert_winding) receives each primitive. Returns the events of flow.h.
template <typename Emit>
u32 run_geometry(const Program& program, const ShaderUniforms& uniforms, u16 output_mask,
                 GeometryRegisters& registers, Emit&& emit)
{
    FlowState flow;
    flow.pc = program.entry();
    flow.al = registers.al;
    u32 primitives = 0;
    bool running = flow.pc < program.limit();
    while (running)
    {
        const Instruction& in = program.instruction(flow.pc);
        bool condition = false;
        if (is_flow(in.op))
            condition = condition_of(in).holds(registers.unit.cmp_x, registers.unit.cmp_y, uniforms.b);
        else if (in.op == Opcode::Setemit)
        {
            registers.vertex_id = in.vertex_id;
            registers.emit_primitive = in.emit_primitive;
            registers.invert_winding = in.invert_winding;
        }
        else if (in.op == Opcode::Emit)
        {
            if (emit_vertex(registers, output_mask, flow.events))
            {
                if (primitives++ < kMaxInvocationPrimitives)
                    emit(registers.slots, registers.invert_winding);
                else
                    flow.events |= kPrimitivesLost;
            }
        }
        else
            execute_instruction(in, program.descriptor(in.descriptor), uniforms, flow.al, registers.unit);
        running = flow_step(flow, program, uniforms, condition);
    }
    registers.al = flow.al;
    return flow.events;
}

} // namespace pica
