// SPDX-License-Identifier: MIT
// picavk vertex: a vertex of a draw, or an invocation of its geometry program, with every instruction.
#include "pica/inspect/program_trace.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "samples/cli/json_text.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <bit>
#include <cstdio>
#include <memory>

namespace samples
{

namespace
{

using namespace pica;

struct VertexArguments
{
    std::string stream;
    u32 frame = 0;
    u32 draw = 0;
    u32 index = 0;
    bool geometry = false;
    bool trace = false;
    bool json = false;
};

template <typename Registers>
Json registers_json(char letter, const Registers& registers, u32 mask)
{
    Json json = Json::object();
    for (u32 n = 0; n < registers.size(); ++n)
        if (mask >> n & 1)
            json[letter + std::to_string(n)] = vector_json(registers[n]);
    return json;
}

Json step_json(const ProgramStep& step)
{
    char address[8];
    std::snprintf(address, sizeof address, "%03X", u32{step.pc});
    Json json;
    json["instruction"] = std::string(address) + " " + step.text;
    if (step.source_count != 0)
        json["operands"] = Json::array();
    for (u32 n = 0; n < step.source_count; ++n)
        json["operands"].push_back(vector_json(step.source[n]));
    if (step.writes)
        json["result"] = vector_json(step.result);
    if (step.is_flow)
        json["condition"] = step.condition;
    if (step.emits)
        json["emits"] = "a primitive";
    json["state"] = {{"a0", {step.a0[0], step.a0[1]}}, {"cmp", {step.cmp_x, step.cmp_y}}, {"aL", step.al}};
    if (step.loops != 0)
        json["state"].update({{"loops", step.loops}, {"rounds_left", step.loop_remaining}});
    return json;
}

void add_program(const ProgramTrace& program, bool agrees, bool steps, Json& json)
{
    json["instructions_executed"] = program.executed;
    if (program.events & kBudgetExhausted)
        json["stopped"] = "the instruction budget is exhausted";
    if (!agrees)
        json["error"] = "the trace does not lead to the values of the software core";
    if (!steps)
        return;
    json["steps"] = Json::array();
    for (const ProgramStep& step : program.steps)
        json["steps"].push_back(step_json(step));
}

Json vertex_json(const VertexTrace& trace, const VertexArguments& arguments)
{
    Json json;
    json["vertex"] = trace.number;
    json["inputs"] = registers_json('v', trace.inputs, trace.inputs_read);
    json["outputs"] = registers_json('o', trace.outputs, trace.outputs_written);
    add_program(trace.program, trace.agrees, arguments.trace, json);
    return json;
}

Json invocation_json(const InvocationTrace& trace, const GeometryUnit& unit, const VertexArguments& arguments)
{
    const u32 outputs = u32(std::popcount(unit.feed.output_mask));
    Json json;
    json["inputs"] = registers_json('v', trace.inputs, unit.program->usage().inputs);
    json["primitives"] = Json::array();
    for (const auto& slots : trace.primitives)
    {
        Json primitive = Json::array();
        for (const VertexSlot& slot : slots)
        {
            Json vertex = Json::object();
            for (u32 n = 0; n < outputs; ++n)
                vertex["output" + std::to_string(n)] = vector_json(slot[n]);
            primitive.push_back(std::move(vertex));
        }
        json["primitives"].push_back(std::move(primitive));
    }
    add_program(trace.program, trace.agrees, arguments.trace, json);
    return json;
}

int run_vertex(const VertexArguments& arguments)
{
    const auto opened = OpenedReplay::open(arguments.stream);
    if (!opened)
        return bad_input(opened.error().message);
    Replay& replay = (*opened)->replay();
    const Result<std::size_t> number = (*opened)->find_draw(arguments.frame, arguments.draw);
    if (!number)
        return bad_input(number.error().message);
    Json json;
    json["stream"] = (*opened)->name();
    json["frame"] = arguments.frame;
    json["draw"] = arguments.draw;
    json[arguments.geometry ? "invocation" : "index"] = arguments.index;
    bool found = false;
    u32 count = 0;
    visit_draw(replay, *number,
               [&](const Draw& draw)
               {
                   count = draw.source.count;
                   if (!arguments.geometry)
                   {
                       const auto vertex = trace_vertex(draw, arguments.index, replay.memory());
                       found = vertex.has_value();
                       if (found)
                           json.update(vertex_json(*vertex, arguments));
                       return;
                   }
                   const auto invocation = trace_invocation(draw, arguments.index,
                                                            replay.core().save_carryover(), replay.memory());
                   found = invocation.has_value();
                   if (found)
                       json.update(invocation_json(*invocation, draw.geometry_unit, arguments));
               });
    if (!found)
        return bad_input(arguments.geometry ? "the draw has no such invocation of a geometry program"
                                            : "the draw has " + std::to_string(count) + " vertices");
    print_json(json, arguments.json);
    return kExitSuccess;
}

} // namespace

Verb add_vertex(CLI::App& program)
{
    const auto arguments = std::make_shared<VertexArguments>();
    CLI::App* app = program.add_subcommand(
        "vertex", "Explain a vertex of a draw, or an invocation of its geometry program");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_option("--frame", arguments->frame, "The frame, from 0")->option_text("F")->required();
    app->add_option("--draw", arguments->draw, "The draw of the frame, from 0")->option_text("D")->required();
    app->add_option("--index", arguments->index, "Element of the draw, or number of the invocation, from 0")
        ->option_text("I")
        ->required();
    app->add_flag("--geometry", arguments->geometry, "An invocation of the geometry program");
    app->add_flag("--trace", arguments->trace,
                  "Each instruction with operands, result, flags and loop counters");
    app->add_flag("--json", arguments->json, "Print JSON");
    return {app, [arguments] { return run_vertex(*arguments); }};
}

} // namespace samples
