// SPDX-License-Identifier: MIT
#include "shadergen/geometry_interpreter.h"

#include "pica/shader/flow.h"
#include "pica/shader/geometry_program.h"
#include "pica/state/draw_limits.h"
#include "shadergen/prelude.h"
#include "shadergen/program_module.h"
#include "shadergen/program_rows.h"
#include "shaders/include/layout.h"
#include "shaders/shader_texts.h"

#include <algorithm>

namespace shadergen
{

using namespace pica;

namespace
{

static_assert(STATE_ROWS == STATE_PROGRAM + PROGRAM_INFO_WORDS);
static_assert(STATE_BUFFER_WORDS == STATE_ROWS + 4 * kGeometryCodeWords);

// What the texts of the geometry shader unit and of the interpreter expect to be defined.
constexpr const char* kFeed = R"(
int feed_mode;
int feed_attributes;
int feed_vertices;
int feed_first;
bool feed_assembles;
uint program_limit;
#define FEED_MODE feed_mode
#define FEED_ATTRIBUTES feed_attributes
#define FEED_VERTICES feed_vertices
#define FEED_FIRST feed_first
#define FEED_ASSEMBLES 1
#define PROGRAM_REGISTERS 64
#define PROGRAM_LIMIT program_limit
#define PROGRAM_BOOLS bools
)";

// The second bank of outputs comes after the inputs.
constexpr const char* kUnit = R"(
uvec4 program_row(uint pc)
{
    uint at = uint(STATE_ROWS) + pc * 4u;
    return uvec4(state[at], state[at + 1u], state[at + 2u], state[at + 3u]);
}
uint destination(uint code) { return code < 16u && bank != 0u ? code + 48u : code; }
bool emitting = false; // EMIT was the last instruction
void other_instruction(uvec4 row)
{
    if ((row.x & 255u) == 0x2Au)
        emitting = true;
    else if ((row.x & 255u) == 0x2Bu) // SETEMIT
        latch = row.y & 15u;
}
)";

u32 four_bytes(const u8* bytes)
{
    return bytes[0] | u32{bytes[1]} << 8 | u32{bytes[2]} << 16 | u32{bytes[3]} << 24;
}

} // namespace

std::string geometry_interpreter_shader(const Target& target)
{
    // The shader has many loops and switches, and it is selections that take SwiftShader long here.
    Target branching = target;
    branching.choice = Choice::Branch;
    const auto define = [](const char* name, u32 value)
    { return "#define " + std::string(name) + " " + number(value) + "u\n"; };
    const std::string body =
        kUnit + program_interpreter_text() + std::string(shaders::text("geometry_interpreter.comp"));
    return program_declarations()
        .append(define("INSTRUCTION_BUDGET", kGeometryBudget))
        .append(define("MOVE_BUDGET", kGeometryMoves))
        .append(define("MAX_PRIMITIVES", kMaxInvocationPrimitives))
        .append(define("MAX_DRAWN", kMaxDrawPrimitives))
        .append(define("INTERPRETED_ROUNDS", kInterpretedRounds))
        .append(kFeed)
        .append(shaders::text("geometry_unit.h"))
        .append(arithmetic_for(body, branching))
        .append(body);
}

std::vector<u32> pack_geometry_program(const Program& program, const GeometryKey& key)
{
    const GeometryFeed& feed = key.feed;
    const bool variable = feed.mode == GeometryMode::Variable;
    std::vector<u32> words(PROGRAM_INFO_WORDS + std::size_t{4} * program.limit());
    words[PROGRAM_INFO_ENTRY] = program.entry();
    words[PROGRAM_INFO_LIMIT] = program.limit();
    words[PROGRAM_INFO_MODE] = static_cast<u32>(feed.mode);
    words[PROGRAM_INFO_ATTRIBUTES] = feed.attributes;
    words[PROGRAM_INFO_VERTICES] = variable ? feed.full_vertices : feed.vertices;
    words[PROGRAM_INFO_FIRST] = variable ? 0 : feed.first_uniform;
    words[PROGRAM_INFO_OUTPUTS] = u32{feed.output_mask} | (feed.obeys_winding != 0 ? 1u << 16 : 0u) |
                                  (key.assembles != 0 ? 1u << 17 : 0u);
    words[PROGRAM_INFO_INPUTS] = feed.inputs;
    for (u32 i = 0; i < 4; i++)
        words[PROGRAM_INFO_TARGETS + i] = four_bytes(&feed.target[4 * i]);
    for (u32 i = 0; i < 6; i++)
        words[PROGRAM_INFO_MAP + i] = four_bytes(&key.source[4 * i]);
    for (u32 pc = 0; pc < program.limit(); pc++)
        if (program.reachable(pc))
        {
            const uvec4 row = program_row(program, pc);
            std::copy(row.begin(), row.end(), &words[PROGRAM_INFO_WORDS + std::size_t{4} * pc]);
        }
    return words;
}

} // namespace shadergen
