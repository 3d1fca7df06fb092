// SPDX-License-Identifier: MIT
#include "shadergen/program_rows.h"

#include "shadergen/flow_stacks.h"
#include "shaders/shader_texts.h"

namespace shadergen
{

namespace
{

using namespace pica;

// For each bit cmp.x + 2 * cmp.y: does the instruction act?
u32 truth_table(const Condition& condition)
{
    u32 table = 0;
    for (u32 flags = 0; flags < 4; flags++)
        table |= (condition.holds((flags & 1) != 0, (flags & 2) != 0, 0) ? 1u : 0u) << flags;
    return table;
}

} // namespace

uvec4 program_row(const Program& program, u32 pc)
{
    const Instruction& in = program.instruction(pc);
    const OperandDescriptor& d = program.descriptor(in.descriptor);
    const Condition condition = condition_of(in);
    uvec4 row = {};
    row[0] = static_cast<u32>(in.op) | u32{in.dst} << 8 | u32{d.mask} << 13 |
             static_cast<u32>(in.compare_x) << 17 | static_cast<u32>(in.compare_y) << 20 |
             static_cast<u32>(in.index) << 23 | u32{in.relative_source} << 25;
    for (u32 n = 0; n < 3; n++)
    {
        row[1] |= u32{in.src[n]} << (7 * n) | (d.negate[n] ? 1u : 0u) << (21 + n);
        for (u32 i = 0; i < 4; i++)
            row[2] |= u32{d.select[n][i]} << (8 * n + 2 * i);
    }
    if (condition.kind == Condition::Kind::Bool)
        row[1] |= PROGRAM_BOOL_CONDITION | (condition.expected ? PROGRAM_BOOL_EXPECTED : 0u);
    else
        row[1] |= truth_table(condition) << 24;
    if (in.op == Opcode::Setemit)
        row[1] = u32{in.vertex_id} | (in.emit_primitive ? 4u : 0u) | (in.invert_winding ? 8u : 0u);
    row[3] = u32{in.target} | u32{in.count} << 12 | u32{in.uniform} << 20 |
             (is_flow(in.op) ? PROGRAM_FLOW : 0u) |
             (program.cfg().end_checks[pc + 1] != 0 ? PROGRAM_MAY_END : 0u);
    return row;
}

std::string program_interpreter_text()
{
    return std::string("const uint EMPTY = 0xFFFFFFFFu;\nint aL = 0;\n")
        .append(kCallStack)
        .append(kIfStack)
        .append(kLoopStack)
        .append(shaders::text("program_interpreter.h"));
}

} // namespace shadergen
