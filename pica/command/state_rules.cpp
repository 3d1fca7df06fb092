// SPDX-License-Identifier: MIT
#include "pica/command/state_rules.h"

#include "pica/regs/registers.h"

#include <algorithm>
#include <bit>

namespace pica
{

namespace
{

// A vertex has up to 16 attributes. When nothing is executed, complete vertices have been drawn.
constexpr std::size_t kMaxWaitingAttributes = 15;
// Inputs or vertices of an invocation. When nothing is executed, a complete invocation has run.
constexpr u32 kMaxCollected = 15;
constexpr u32 kMaxFirstUniform = 127, kMaxAttributes = 16;
// A kick ends at its budgets (processor.cpp). Draws that are left out and lists that are too long count too.
constexpr u32 kMaxJumps = (1u << 16) + 1;
constexpr u64 kMaxWordsOfLists = u64{1} << 26, kMaxWordsOfList = u64{1} << 30;
constexpr u64 kMaxVertices = u64{1} << 48;
constexpr u64 kMaxInstructions = u64{1} << 52;

template <typename Values>
bool is_zero(const Values& values)
{
    return std::all_of(values.begin(), values.end(),
                       [](f32 value) { return std::bit_cast<u32>(value) == 0; });
}

// Constants have the values of their registers.
bool constants_follow(const GpuState& state, const ShaderUnit& unit, u32 bank)
{
    const auto& registers = state.processor.registers;
    if (unit.uniforms.b != (registers[bank] & 0xFFFF))
        return false;
    for (u32 n = 0; n < unit.uniforms.i.size(); ++n)
        for (u32 component = 0; component < 4; ++component)
            if (unit.uniforms.i[n][component] != (registers[bank + 1 + n] >> (8 * component) & 0xFF))
                return false;
    return true;
}

bool fits(const ShaderUnit& unit)
{
    return unit.float_fifo.words().size() <= (unit.float_format == UniformFormat::F32 ? 3u : 2u);
}

bool list_is_absent(const ProcessorState::List& list)
{
    const CommandListReader::Position& at = list.position;
    return !list.is_running && !list.has_finished && list.words.empty() && list.jumps == 0 &&
           list.words_read == 0 && list.work == KickWork{} && at.word == 0 && at.remaining == 0 &&
           at.id == 0 && at.byte_mask == 0 && !at.is_consecutive && !at.is_truncated;
}

bool position_holds(const ProcessorState::List& list)
{
    const CommandListReader::Position& at = list.position;
    if (at.word == 0) // nothing has been read
        return at.remaining == 0 && at.id == 0 && at.byte_mask == 0 && !at.is_consecutive && !at.is_truncated;
    // A command is two words and its parameters. A command that ran past the end has ended the list.
    return at.word != 1 && at.word <= list.words.size() && !at.is_truncated;
}

bool budgets_hold(const ProcessorState::List& list)
{
    constexpr PixelBudgets limit;
    return list.jumps <= kMaxJumps && list.words_read >= list.words.size() &&
           list.words_read <= kMaxWordsOfLists + (list.words.empty() ? kMaxWordsOfList : 0) &&
           list.work.vertices <= kMaxVertices && list.work.instructions <= kMaxInstructions &&
           list.work.layers <= limit.layers + 1 && list.work.triangles <= limit.triangles + 1 &&
           list.work.covered <= limit.covered + 1;
}

// Can some number of vertices of some topology leave this state?
bool is_assembler(const CarriedPrimitive& p)
{
    if (p.ready)
        return p.filled == 2 && p.next <= 1;
    return p.filled == p.next;
}

// Is the state possible with the current topology? The topology cannot have changed without a restart.
bool fits_topology(const GpuState& state)
{
    const CarriedPrimitive& p = state.carryover.primitive;
    if (state.processor.restart)
        return true;
    const u32 word = state.processor.registers[reg::PRIMITIVE_CONFIG::id];
    switch (reg::PRIMITIVE_CONFIG::topology.extract(word))
    {
    case Topology::TriangleStrip:
        return p.ready || p.filled <= 1;
    case Topology::TriangleFan:
        return p.ready ? p.next == 1 : p.filled <= 1;
    default:
        return !p.ready;
    }
}

bool empty_slots_are_zero(const CarriedPrimitive& p)
{
    for (u32 i = p.filled; i < p.slots.size(); ++i)
        if (!is_zero(p.slots[i].position) || !is_zero(p.slots[i].attribute))
            return false;
    return true;
}

bool only_fed_values(const CarriedGeometry& g)
{
    for (u32 n = 0; n < g.fed.size(); ++n)
        if (!g.fed[n] && !is_zero(g.fed_values[n]))
            return false;
    return true;
}

bool invocation_holds(const CarriedGeometry& g)
{
    if (g.collected == 0)
        return g.cursor == 0;
    return g.collected <= kMaxCollected && g.cursor <= kMaxFirstUniform + kMaxAttributes * g.collected;
}

bool only_collected(const CarriedGeometry& g)
{
    for (std::size_t n = g.collected; n < g.inputs.size(); ++n)
        if (!is_zero(g.inputs[n]))
            return false;
    return true;
}

struct Rule
{
    const char* text;
    bool (*holds)(const GpuState& state);
};

constexpr Rule kRules[] = {
    {"VSHU: bools and ints differ from registers 0x2B0-0x2B4",
     [](const GpuState& s) { return constants_follow(s, s.processor.ports.vertex, kVertexBank); }},
    {"VSHU: words of an unfinished vector are a whole one",
     [](const GpuState& s) { return fits(s.processor.ports.vertex); }},
    {"GSHU: bools and ints differ from registers 0x280-0x284",
     [](const GpuState& s) { return constants_follow(s, s.processor.ports.geometry, kGeometryBank); }},
    {"GSHU: words of an unfinished vector are a whole one",
     [](const GpuState& s) { return fits(s.processor.ports.geometry); }},
    {"PORT: words of an unfinished vector are a whole one",
     [](const GpuState& s) { return s.processor.ports.fixed_fifo.words().size() <= 2; }},
    {"PROC: more immediate attributes wait than a vertex lacks",
     [](const GpuState& s) { return s.processor.immediate.size() <= kMaxWaitingAttributes; }},
    {"PROC: immediate attributes wait, but their port has another index", [](const GpuState& s)
     { return s.processor.immediate.empty() || s.processor.ports.fixed_index == kMaxWaitingAttributes; }},
    {"PROC: no list is executed, but it has fields",
     [](const GpuState& s) { return s.processor.list.is_running || list_is_absent(s.processor.list); }},
    {"PROC: position in the list", [](const GpuState& s) { return position_holds(s.processor.list); }},
    {"PROC: words of the list are no multiple of 4",
     [](const GpuState& s) { return s.processor.list.words.size() % 4 == 0; }},
    {"PROC: more work since the kick than a kick may ask for",
     [](const GpuState& s) { return budgets_hold(s.processor.list); }},
    {"PRIM: no vertices lead to these slots",
     [](const GpuState& s) { return is_assembler(s.carryover.primitive); }},
    {"PRIM: these slots do not belong to the topology in register 0x25E", fits_topology},
    {"PRIM: a triangle is inverted between two draws",
     [](const GpuState& s) { return !s.carryover.primitive.inverted; }},
    {"PRIM: an empty slot has a vertex",
     [](const GpuState& s) { return empty_slots_are_zero(s.carryover.primitive); }},
    {"GEOM: a c register that was not fed has a fed value",
     [](const GpuState& s) { return only_fed_values(s.carryover.geometry); }},
    {"GEOM: unfinished invocation", [](const GpuState& s) { return invocation_holds(s.carryover.geometry); }},
    {"GEOM: inputs that were not collected",
     [](const GpuState& s) { return only_collected(s.carryover.geometry); }},
};

} // namespace

Status check_state(const GpuState& state)
{
    for (const Rule& rule : kRules)
        if (!rule.holds(state))
            return Error{rule.text};
    return {};
}

} // namespace pica
