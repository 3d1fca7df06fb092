// SPDX-License-Identifier: MIT
#include "shadergen/vertex_interpreter.h"

#include "pica/shader/flow.h"
#include "shadergen/flow_stacks.h"
#include "shadergen/prelude.h"
#include "shaders/shader_texts.h"

#include <array>
#include <string_view>

namespace shadergen
{

namespace
{

using namespace pica;

static_assert(PROGRAM_WORDS == kVertexCodeWords);

constexpr std::array<std::string_view, 2> kArithmetic = {"numeric.h", "geometry.h"};

// What the text of the interpreter calls.
constexpr std::string_view kFunctions[] = {
    "f24_round",        "f24_add",     "f24_mul", "f24_greater",       "f24_less",
    "f24_less_equal",   "f24_max",     "f24_min", "f24_greater_equal", "f24_equal",
    "f24_not_equal",    "f24_sge",     "f24_slt", "f24_floor",         "f24_rcp",
    "f24_rsq",          "f24_ex2",     "f24_lg2", "f24_to_offset",     "relative_constant",
    "vertex_attribute", "vertex_color"};

// Bit cmp.x + 2 * cmp.y: does the instruction act?
u32 truth_table(const Condition& condition)
{
    u32 table = 0;
    for (u32 flags = 0; flags < 4; flags++)
        table |= (condition.holds((flags & 1) != 0, (flags & 2) != 0, 0) ? 1u : 0u) << flags;
    return table;
}

uvec4 pack_instruction(const Program& program, u32 pc)
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
    row[3] = u32{in.target} | u32{in.count} << 12 | u32{in.uniform} << 20 |
             (is_flow(in.op) ? PROGRAM_FLOW : 0u) |
             (program.cfg().end_checks[pc + 1] != 0 ? PROGRAM_MAY_END : 0u);
    return row;
}

} // namespace

std::string vertex_interpreter_shader(const Target& target)
{
    std::string text = "#version 450\n#define VERTEX_BUDGET " + std::to_string(kVertexBudget) + "u\n";
    text.append(shaders::text("layout.h"))
        .append(shaders::text("uniforms.h"))
        .append(shaders::text("vertex_bindings.h"))
        .append(prelude(target, kArithmetic, kFunctions))
        .append(shaders::text("vertex_fetch.h"))
        .append("const uint EMPTY = 0xFFFFFFFFu;\nint aL = 0;\n")
        .append(kCallStack)
        .append(kIfStack)
        .append(kLoopStack)
        .append(shaders::text("vertex_interpreter.comp"));
    return text;
}

void pack_program_block(const Program& program, const VertexKey& key, ProgramBlock& block)
{
    block = {};
    block.info = {program.entry(), program.limit(), program.usage().inputs, 0};
    for (u32 semantic = 0; semantic < key.source.size(); semantic++)
        block.output_map[semantic >> 4][semantic >> 2 & 3] |= u32{key.source[semantic]}
                                                              << ((semantic & 3) * 8);
    for (u32 pc = 0; pc < program.limit(); pc++)
        if (program.reachable(pc))
            block.code[pc] = pack_instruction(program, pc);
}

} // namespace shadergen
