// SPDX-License-Identifier: MIT
// The order of a geometry module's parts: key, bindings, fed inputs, arithmetic, registers, EMIT, program,
// main.
#include "shadergen/geometry.h"

#include "pica/shader/geometry_program.h"
#include "pica/state/draw_limits.h"
#include "shadergen/control_flow.h"
#include "shadergen/program_module.h"
#include "shadergen/vertex.h"
#include "shaders/include/layout.h"
#include "shaders/shader_texts.h"

#include <algorithm>
#include <bit>

namespace shadergen
{

namespace
{

using namespace pica;

class Module
{
public:
    Module(const GeometryKey& key, const Program& program) : key_(key), program_(program)
    {
        const ProgramUsage& usage = program.usage();
        inputs_ = usage.inputs;
        if (key.feed.mode == GeometryMode::Point)
            for (u32 n = 0; n < key.feed.inputs; n++)
                inputs_ = static_cast<u16>(inputs_ | 1u << key.feed.target[n]);
        temporaries_ = static_cast<u16>(usage.temporaries_read | usage.temporaries_written);
        outputs_ = static_cast<u16>(usage.outputs | key.feed.output_mask);
        slot_vectors_ = static_cast<u32>(std::popcount(key.feed.output_mask));
    }

    std::string text()
    {
        declare_registers(out_, 'v', inputs_);
        declare_registers(out_, 'r', temporaries_);
        declare_registers(out_, 'o', outputs_);
        declare_registers(out_, 'p', outputs_); // the other output bank
        out_.line("vec4 slot[", number(std::max(3 * slot_vectors_, 1u)), "];");
        out_.line("int a0x = 0;");
        out_.line("int a0y = 0;");
        out_.line("int aL = 0;");
        out_.line("bool cmp_x = false;");
        out_.line("bool cmp_y = false;");
        out_.blank();
        emission();
        write_control_flow(out_, program_);
        out_.blank();
        load();
        keep();
        begin();
        main();
        return out_.text();
    }

private:
    template <typename F>
    static void each(u16 registers, F&& function)
    {
        for (u32 n = 0; n < 16; n++)
            if (registers >> n & 1)
                function(number(n), n);
    }

    void emission()
    {
        out_.line("void write_vertex(uint vertex, uint s)");
        out_.open();
        out_.line("uint base = (u.draw.first_shaded + vertex) * uint(SHADED_FLOATS);");
        // The vertex slots are filled with ones before (VertexExecutor::clear_emitted).
        write_output_map(out_, key_.source, false,
                         [](u8 source)
                         { return "slot[s + " + number(source / 4u) + "u]." + "xyzw"[source % 4]; });
        out_.close();
        out_.line("void emit_vertex()");
        out_.open();
        out_.line("uint s = (latch & 3u) * ", number(slot_vectors_), "u;");
        out_.line("bool has_slot = (latch & 3u) != 3u;");
        out_.line("if (has_slot)");
        out_.open();
        u32 n = 0;
        each(key_.feed.output_mask,
             [&](const std::string& o, u32) { out_.line("slot[s + ", number(n++), "u] = o", o, ";"); });
        out_.close();
        out_.line("else events |= STATUS_BAD_SLOT;");
        out_.line("if (has_slot && (latch & 4u) != 0u)");
        out_.open();
        out_.line("uint at = first_primitive + primitives;");
        out_.line("if (primitives >= ", number(kMaxInvocationPrimitives),
                  "u || drawn >= ", number(kMaxDrawPrimitives), "u)");
        out_.line("    events |= STATUS_PRIMITIVES_LOST;");
        if (key_.assembles != 0)
        {
            out_.line("else if (primitives < u.geometry_range.primitives)");
            out_.open();
            out_.line("for (uint n = 0u; n < 3u; n++)");
            out_.line("    write_vertex(3u * primitives + n - 3u * u.geometry_range.primitives, ",
                      number(slot_vectors_), "u * n);");
            out_.line("shaded[emitted_row(3u * primitives) + ROW_WINDING] = ",
                      key_.feed.obeys_winding != 0 ? "(latch & 8u) != 0u ? 2.0 : 1.0;" : "1.0;");
        }
        else
        {
            out_.line("else if (at < u.assembly.triangles && (u.geometry.flags & GEOMETRY_SILENT) == 0u)");
            out_.open();
            write_primitive();
        }
        out_.line("drawn++;");
        out_.close();
        out_.line("primitives++;");
        out_.close();
        exchange_banks();
        out_.line("bank ^= 1u;");
        out_.close();
    }

    void write_primitive()
    {
        // A loop keeps the text short: drivers inline it once for every EMIT.
        out_.line("for (uint n = 0u; n < 3u; n++)");
        out_.open();
        if (key_.feed.obeys_winding != 0)
            out_.line("write_vertex(3u * at + n, ", number(slot_vectors_),
                      "u * ((latch & 8u) != 0u && n != 2u ? 1u - n : n));");
        else
            out_.line("write_vertex(3u * at + n, ", number(slot_vectors_), "u * n);");
        out_.close();
    }

    void exchange_banks()
    {
        each(outputs_, [&](const std::string& o, u32)
             { out_.line("{ vec4 k = o" + o + "; o" + o + " = p" + o + "; p" + o + " = k; }"); });
    }

    void load()
    {
        out_.line("void load_registers()");
        out_.open();
        const auto load_file = [&](const char* file, u16 registers, const std::string& first)
        {
            each(registers, [&](const std::string& n, u32 index)
                 { out_.line(file, n, " = state_vector(", first, " + ", number(4 * index), "u);"); });
        };
        load_file("v", inputs_, "uint(STATE_INPUTS)");
        load_file("r", temporaries_, "uint(STATE_TEMPORARIES)");
        load_file("o", outputs_, "uint(STATE_BANKS)");
        load_file("p", outputs_, "uint(STATE_BANKS) + 64u");
        out_.line("if (bank != 0u)");
        out_.open();
        exchange_banks();
        out_.close();
        for (u32 i = 0; i < 3 * slot_vectors_; i++)
            out_.line("slot[", number(i), "] = state_vector(uint(STATE_SLOTS) + ", slot_word(i), "u);");
        out_.line("a0x = int(state[STATE_A0X]);");
        out_.line("a0y = int(state[STATE_A0Y]);");
        out_.line("aL = int(state[STATE_AL]);");
        out_.line("cmp_x = (state[STATE_FLAGS] & 1u) != 0u;");
        out_.line("cmp_y = (state[STATE_FLAGS] & 2u) != 0u;");
        out_.line("latch = state[STATE_LATCH];");
        out_.close();
    }

    void keep()
    {
        out_.line("void keep_registers()");
        out_.open();
        const auto keep_file = [&](const char* file, u16 registers, const std::string& first)
        {
            each(registers, [&](const std::string& n, u32 index)
                 { out_.line("keep_vector(", first, " + ", number(4 * index), "u, ", file, n, ");"); });
        };
        if (key_.feed.mode == GeometryMode::Point)
            keep_file("v", inputs_, "uint(STATE_INPUTS)");
        keep_file("r", program_.usage().temporaries_written, "uint(STATE_TEMPORARIES)");
        out_.line("if (bank != 0u)");
        out_.open();
        exchange_banks();
        out_.close();
        keep_file("o", program_.usage().outputs, "uint(STATE_BANKS)");
        keep_file("p", program_.usage().outputs, "uint(STATE_BANKS) + 64u");
        for (u32 i = 0; i < 3 * slot_vectors_; i++)
            out_.line("keep_vector(uint(STATE_SLOTS) + ", slot_word(i), "u, slot[", number(i), "]);");
        out_.line("state[STATE_A0X] = uint(a0x);");
        out_.line("state[STATE_A0Y] = uint(a0y);");
        out_.line("state[STATE_AL] = uint(aL);");
        out_.line("state[STATE_FLAGS] = (cmp_x ? 1u : 0u) | (cmp_y ? 2u : 0u);");
        out_.line("state[STATE_LATCH] = latch;");
        out_.line("state[STATE_BANK] = bank;");
        out_.close();
    }

    std::string slot_word(u32 i) const
    {
        return number(i / slot_vectors_ * (4 * kGeometrySlotOutputs) + i % slot_vectors_ * 4);
    }

    void begin()
    {
        out_.line("void begin_invocation(uint number)");
        out_.open();
        out_.line("invocation = number;");
        out_.line("primitives = 0u;");
        if (key_.feed.mode == GeometryMode::Point)
        {
            for (u32 n = 0; n < key_.feed.inputs; n++)
                out_.line("v", number(key_.feed.target[n]), " = vertex_attribute_of(number * ",
                          number(key_.feed.inputs / key_.feed.attributes + 0u), "u + ",
                          number(n / key_.feed.attributes + 0u), "u, ", number(n % key_.feed.attributes + 0u),
                          "u);");
        }
        out_.close();
    }

    void main()
    {
        out_.line("void main()");
        out_.open();
        out_.line(
            "uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + "
            "gl_LocalInvocationID.x;");
        out_.line("sequential = (u.geometry.flags & GEOMETRY_SEQUENTIAL) != 0u;");
        out_.line("uint first = u.geometry.first + i;");
        out_.line("bools = u.draw.bools;");
        out_.line("bank = state[STATE_BANK] & 1u;");
        out_.line("if ((u.geometry.flags & GEOMETRY_ODD) != 0u)");
        out_.line("    bank ^= (first - u.geometry_range.first_of_draw) & 1u;");
        // Outside of branches, so that compilers see that all invocations load the same words.
        out_.line("load_registers();");
        out_.line("covered = state[STATE_COVERED];");
        out_.line("first_primitive = u.geometry_range.first_slot + (first - u.geometry_range.first_of_part) "
                  "* u.geometry_range.primitives;");
        out_.line("if (sequential)");
        out_.open();
        out_.line("first_primitive = state[STATE_PLACED];");
        out_.line("drawn = state[STATE_DRAWN];");
        out_.line("if ((u.geometry.flags & GEOMETRY_NEW_DRAW) != 0u) { covered = 0u; drawn = 0u; }");
        out_.line("if ((u.geometry.flags & GEOMETRY_NEW_PART) != 0u) first_primitive = 0u;");
        if (key_.assembles != 0)
            out_.line("if (i == 0u) load_assembler();");
        out_.close();
        // The same text of the program serves both ways of running it.
        out_.line("uint rounds = sequential ? (i == 0u ? u.geometry.count : 0u) : (i < u.geometry.count ? 1u "
                  ": 0u);");
        out_.line("for (uint n = 0u; n < rounds; n++)");
        out_.open();
        out_.line("begin_invocation(first + n);");
        out_.line("if (sequential) keep_fed();");
        if (key_.assembles != 0)
            out_.line("uint before = drawn;");
        out_.line("run_program();");
        if (key_.assembles != 0)
            out_.line("assemble_emitted(drawn - before);");
        out_.line("bools |= 0x8000u;");
        out_.line("first_primitive += min(primitives, ", number(kMaxInvocationPrimitives), "u);");
        out_.close();
        out_.line("if (sequential && i == 0u)");
        out_.open();
        out_.line("if (first + u.geometry.count == u.draw.count)");
        out_.line("    keep_left();");
        if (key_.assembles != 0)
            out_.line("keep_assembler();");
        out_.line("keep_registers();");
        out_.line("state[STATE_COVERED] = covered;");
        out_.line("state[STATE_PLACED] = first_primitive;");
        out_.line("state[STATE_DRAWN] = drawn;");
        out_.close();
        out_.line("if (events != 0u) atomicOr(status[u.output_target.command], events);");
        out_.close();
    }

    const GeometryKey& key_;
    const Program& program_;
    u16 inputs_ = 0;
    u16 temporaries_ = 0;
    u16 outputs_ = 0;
    u32 slot_vectors_ = 0;
    GlslWriter out_;
};

} // namespace

GeometryKey geometry_key(const Draw& draw, bool assembles)
{
    GeometryKey key;
    key.assembles = assembles ? 1 : 0;
    key.program = draw.geometry_unit.program->id();
    key.source = draw.vertex.source;
    key.feed = draw.geometry_unit.feed;
    key.feed.source = {}; // used by the vertex program only
    return key;
}

u64 generated_rounds(const Program& program, const GeometryAnalysis& analysis, bool assembles)
{
    // Rounds for fed constants and for the vertices that are assembled.
    constexpr u32 kOwnRounds = 100;
    constexpr u32 kAssembledRounds = 3;
    const u64 own = kOwnRounds + (assembles ? u64{kAssembledRounds} * analysis.primitives : 0);
    if (control_flow_form(program) != ControlFlowForm::Blocks)
        return own + analysis.rounds;
    // The whole program is in one loop, with one round for each move backwards.
    return own + (u64{analysis.moves} + 1) * (1 + analysis.emits) +
           u64{GeometryAnalysis::kEmitRounds} * analysis.primitives;
}

FeedKey feed_key(const Draw& draw)
{
    FeedKey key;
    key.program = draw.vertex.program;
    key.source = draw.geometry_unit.feed.source;
    key.attributes = draw.geometry_unit.feed.attributes;
    return key;
}

std::string generate_geometry(const GeometryKey& key, const Program& program, const Target& target)
{
    const GeometryFeed& feed = key.feed;
    const std::string body = Module(key, program).text();
    const bool variable = feed.mode == GeometryMode::Variable;
    std::string head = program_declarations();
    head.insert(head.find('\n') + 1, "// geometry program " + std::to_string(program.hash()) + "\n// " +
                                         describe_control_flow(program) + "\n");
    const auto define = [&](const char* name, u32 value)
    { head += "#define " + std::string(name) + " " + std::to_string(value) + "\n"; };
    define("FEED_MODE", static_cast<u32>(feed.mode));
    define("FEED_ATTRIBUTES", feed.attributes);
    define("FEED_VERTICES", variable ? feed.full_vertices : feed.vertices);
    define("FEED_FIRST", variable ? 0 : feed.first_uniform);
    define("FEED_ASSEMBLES", key.assembles);
    head.append(shaders::text("geometry_unit.h"));
    return head.append(arithmetic_for(body, target)).append(body);
}

} // namespace shadergen
