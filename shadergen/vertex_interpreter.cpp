// SPDX-License-Identifier: MIT
#include "shadergen/vertex_interpreter.h"

#include "pica/shader/flow.h"
#include "shadergen/program_module.h"
#include "shadergen/program_rows.h"
#include "shaders/shader_texts.h"

#include <span>

namespace shadergen
{

namespace
{

using namespace pica;

static_assert(PROGRAM_WORDS == kVertexCodeWords);

// What the interpreter's text expects to be defined.
constexpr const char* kUnit = R"(
layout(set = SET_COMPUTE, binding = BINDING_PROGRAM, std140) uniform ProgramUniforms { ProgramBlock program; };
layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };
#define PROGRAM_REGISTERS 48
#define PROGRAM_LIMIT program.info.limit
#define PROGRAM_BOOLS u.draw.bools
#define MOVE_BUDGET 0xFFFFFFFFu
uint events = 0u;
uvec4 program_row(uint pc) { return program.code[pc]; }
vec4 constant_at(int n) { return n < 96 ? u.constants[n] : vec4(1.0); } // [HW]
uint destination(uint code) { return code; }
void other_instruction(uvec4 row) {}
)";

void pack_code(const Program& program, std::span<const u8> source, ProgramBlock& block)
{
    block = {};
    block.info = {program.entry(), program.limit(), program.usage().inputs, 0};
    for (u32 n = 0; n < source.size(); n++)
        block.output_map[n >> 4][n >> 2 & 3] |= u32{source[n]} << ((n & 3) * 8);
    for (u32 pc = 0; pc < program.limit(); pc++)
        if (program.reachable(pc))
            block.code[pc] = program_row(program, pc);
}

} // namespace

std::string vertex_interpreter_shader(const Target& target)
{
    const std::string body = std::string(shaders::text("vertex_fetch.h"))
                                 .append(program_interpreter_text())
                                 .append(shaders::text("vertex_interpreter.comp"));
    return program_declarations()
        .append("#define INSTRUCTION_BUDGET " + number(kVertexBudget) + "u\n")
        .append(shaders::text("vertex_bindings.h"))
        .append(kUnit)
        .append(arithmetic_for(body, target))
        .append(body);
}

void pack_program_block(const Program& program, const VertexKey& key, ProgramBlock& block)
{
    pack_code(program, key.source, block);
}

void pack_program_block(const Program& program, const FeedKey& key, ProgramBlock& block)
{
    pack_code(program, key.source, block);
    block.info.fed = 4u * key.attributes;
}

} // namespace shadergen
