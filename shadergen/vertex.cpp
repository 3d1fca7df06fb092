// SPDX-License-Identifier: MIT
// The order of a vertex module's parts: key, bindings, arithmetic, fetch, registers, program, output map.
// Tests: tests/shadergen/vertex_program_test.cpp, tests/renderer/vertex_{program,stage}_compute_test.cpp
#include "shadergen/vertex.h"

#include "shadergen/batch_rows.h"
#include "shadergen/control_flow.h"
#include "shadergen/geometry.h"
#include "shadergen/prelude.h"
#include "shadergen/program_module.h"
#include "shaders/include/layout.h"
#include "shaders/shader_texts.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadergen
{

namespace
{

using namespace pica;

// The functions that the texts of shaders/ and instruction.cpp may call.
// clang-format off
constexpr std::string_view kFunctions[] = {
    "f24_round", "f24_add", "f24_mul", "f24_mad", "f24_greater", "f24_less", "f24_greater_equal",
    "f24_less_equal", "f24_equal", "f24_not_equal", "f24_max", "f24_min", "f24_sge", "f24_slt", "f24_floor",
    "f24_rcp", "f24_rsq", "f24_ex2", "f24_lg2", "f24_to_offset", "relative_constant", "vertex_attribute",
    "vertex_color", "is_finite", "rcp", "depth_snap_near", "depth_snap_far", "snap_to_depth_planes",
    "clip_epsilon", "user_plane_distance", "clip_parameter", "clip_position", "clip_attribute", "inverse_w",
    "viewport_transform", "depth_over_w", "snap_coordinate", "quaternion_flip", "flip_sign", "f24_in",
    "fast_mul", "fast_add", "fast_mad", "fast_dp3", "fast_dp4", "fast_in", "fast_round", "fast_greater",
    "fast_less", "fast_greater_equal", "fast_less_equal", "fast_equal", "fast_not_equal", "fast_sge",
    "fast_slt", "fast_attribute", "fast_position", "fast_color"};
// clang-format on

constexpr std::string_view kBatchBlock = "#define u batch_block\n";
constexpr std::string_view kStatus =
    "layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };\n";

// The text of component `index` (register * 4 + component) of the outputs. Components that the program never
// writes are 0, which is the initial value of the registers.
std::string output_component(const ProgramUsage& usage, u32 index)
{
    const u32 reg = index / 4;
    if ((usage.outputs >> reg & 1) == 0)
        return "0.0";
    return "o" + number(reg) + "." + "xyzw"[index % 4];
}

} // namespace

std::string program_declarations()
{
    return std::string("#version 450\n")
        .append(shaders::text("layout.h"))
        .append(shaders::text("uniforms.h"));
}

std::string arithmetic_for(const std::string& text, const Target& target)
{
    std::vector<std::string_view> used;
    for (const std::string_view name : kFunctions)
        if (text.find(std::string(name) + "(") != std::string::npos)
            used.push_back(name);
    const std::array<std::string_view, 3> texts = {
        "numeric.h", "geometry.h", target.nan_preserve ? "float24_fast.h" : "float24_plain.h"};
    return prelude(target, texts, used);
}

void declare_registers(GlslWriter& out, char file, u16 registers)
{
    for (u32 i = 0; i < 16; i++)
        if (registers >> i & 1)
            out.line("vec4 ", std::string_view(&file, 1), number(i), " = vec4(0.0);");
}

void write_output_map(GlslWriter& out, const std::array<u8, 24>& source, bool write_ones,
                      const std::function<std::string(u8)>& component)
{
    for (u32 semantic = 0; semantic < source.size(); semantic++)
    {
        const u8 from = source[semantic];
        if (from >= 64 && !write_ones)
            continue;
        const std::string_view rule = semantic < SEMANTIC_QUATERNION ? "fast_position"
                                      : semantic >= SEMANTIC_COLOR && semantic < SEMANTIC_TEXCOORD0
                                          ? "fast_color"
                                          : "fast_attribute";
        const std::string value =
            from >= 64 ? "1.0" : std::string(rule).append("(").append(component(from)).append(")");
        out.line("shaded[base + ", number(semantic), "u] = ", value, ";");
    }
}

namespace
{

// Writes the function write_result, which stores the outputs of vertex i in SHADED.
// batched: for many draws.
template <typename Write>
std::string vertex_module(const Program& program, const Target& target, bool batched, Write&& write_result)
{
    const ProgramUsage& usage = program.usage();
    const bool events = may_raise_events(program);

    GlslWriter body;
    declare_registers(body, 'v', usage.inputs);
    declare_registers(body, 'r', static_cast<u16>(usage.temporaries_read | usage.temporaries_written));
    declare_registers(body, 'o', usage.outputs);
    body.line("int a0x = 0;");
    body.line("int a0y = 0;");
    body.line("int aL = 0;");
    body.line("bool cmp_x = false;");
    body.line("bool cmp_y = false;");
    if (events)
        body.line("uint events = 0u;");
    if (usage.relative)
    {
        body.line("vec4 constant_at(int n)"); // 96 to 127 read ones [HW]
        body.open();
        const u32 first = constant_row(usage, 0);
        body.line("return n < 96 ? CONSTANT_ROW(n, ", first != 0 ? number(first) + " + " : "",
                  "n) : vec4(1.0);");
        body.close();
    }
    body.blank();
    write_control_flow(body, program);
    body.blank();
    body.line("void main()");
    body.open();
    body.line(batched ? "uint i = batch_invocation();" : "uint i = invocation_index();");
    body.line("if (i >= u.draw.count)");
    body.line("    return;");
    if (usage.inputs != 0)
        body.line("uint vertex = vertex_number(i);");
    u32 read = 0; // inputs
    for (u32 i = 0; i < 16; i++)
        if (usage.inputs >> i & 1)
            body.line("v", number(i), " = fetch_input(", number(batched ? read++ : i), "u, vertex);");
    body.line("run_program();");
    if (events)
        body.line("if (events != 0u) atomicOr(status[u.output_target.command], events);");
    write_result(body);
    body.close();

    const std::string fetch(shaders::text("vertex_fetch.h"));
    std::string text = "// vertex program " + std::to_string(program.hash()) + "\n// " +
                       describe_control_flow(program) + "\n";
    std::string head = program_declarations();
    head.insert(head.find('\n') + 1, text);
    head.append(shaders::text(batched ? "vertex_batch_bindings.h" : "vertex_bindings.h"));
    if (events)
        head.append(kStatus);
    head.append(arithmetic_for(fetch + body.text(), target));
    if (batched)
        head.append(kBatchBlock);
    head.append(fetch).append(body.text());
    return head;
}

} // namespace

std::string generate_vertex(const VertexKey& key, const Program& program, const Target& target)
{
    return vertex_module(program, target, !may_raise_events(program),
                         [&](GlslWriter& body)
                         {
                             body.line("uint base = (u.draw.first_shaded + i) * uint(SHADED_FLOATS);");
                             write_output_map(body, key.source, true,
                                              [&](u8 source)
                                              { return output_component(program.usage(), source); });
                         });
}

std::string generate_feed(const FeedKey& key, const Program& program, const Target& target)
{
    return vertex_module(
        program, target, false,
        [&](GlslWriter& body)
        {
            body.line("uint base = u.draw.first_shaded * uint(SHADED_FLOATS) + i * ",
                      number(4u * key.attributes), "u;");
            for (u32 n = 0; n < 4u * key.attributes; n++)
            {
                const u8 source = key.source[n / 4];
                body.line("shaded[base + ", number(n), "u] = ",
                          source < 16 ? output_component(program.usage(), source * 4u + n % 4) : "0.0", ";");
            }
        });
}

std::string shared_rows_shader(const Target& target)
{
    const std::string fetch(shaders::text("vertex_fetch.h"));
    return program_declarations()
        .append(shaders::text("vertex_batch_bindings.h"))
        .append(arithmetic_for(fetch, target))
        .append(kBatchBlock)
        .append(fetch)
        .append(shaders::text("shared_rows.comp"));
}

} // namespace shadergen
