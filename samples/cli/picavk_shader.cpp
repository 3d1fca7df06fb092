// SPDX-License-Identifier: MIT
// picavk shader: every distinct vertex program, geometry program and fragment key of a stream, or the
// programs of a SHBIN file, as text.
#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/inspect/replay.h"
#include "pica/shader/disasm.h"
#include "pica/shader/geometry_analysis.h"
#include "pica/shader/shbin.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/console_report.h"
#include "samples/cli/drawn_key.h"
#include "samples/cli/input_file.h"
#include "samples/cli/parsed_stream.h"
#include "samples/cli/playback.h"
#include "samples/cli/progress.h"
#include "samples/cli/verbs.h"
#include "shadergen/fragment.h"
#include "shadergen/geometry.h"
#include "shadergen/module_size.h"
#include "shadergen/spirv.h"
#include "shadergen/vertex.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>

namespace samples
{

namespace
{

enum class StageChoice : pica::u8
{
    Both,
    Vertex,
    Geometry,
    Fragment,
};
enum class Form : pica::u8
{
    Disassembly,
    Glsl,
    Spirv,
};

struct ShaderArguments
{
    std::string file;
    pica::u32 scale = 1;
    StageChoice stage = StageChoice::Both;
    Form form = Form::Disassembly;
};

struct VertexShader
{
    pica::VertexKey key;
    pica::Program program;
    pica::u64 uses;
    pica::ShbinEntryPoint symbols; // of a SHBIN file
};
struct GeometryShader
{
    shadergen::GeometryKey key;
    pica::Program program;
    std::string modes; // how the invocations of a draw run on a device, as text
    pica::u64 uses;
    pica::ShbinEntryPoint symbols; // of a SHBIN file
};
struct FragmentShader
{
    pica::FragmentKey key;
    pica::RecordLayout layout;
    pica::u64 uses;
};
struct Collection
{
    std::vector<VertexShader> vertex;
    std::vector<GeometryShader> geometry;
    std::vector<FragmentShader> fragment;

    // key, layout: of the draw's fragment program.
    void add(const pica::Draw& draw, const pica::FragmentKey& key, const pica::RecordLayout& layout);
    void add_geometry(const shadergen::GeometryKey& key, const pica::Program& program,
                      const pica::ShaderUniforms& uniforms, pica::u64 uses,
                      const pica::ShbinEntryPoint& symbols);
};

// Executes nothing, and collects what the draws use.
class CollectingBackend final : public pica::NullBackend
{
public:
    CollectingBackend(pica::GuestMemory& memory, Collection& collection)
        : NullBackend(memory), collection_(collection)
    {
    }
    void draw(const pica::Draw& draw) override
    {
        collection_.add(draw, draw.fragment, pica::record_layout(draw.fragment, draw.geometry, 1));
    }

private:
    Collection& collection_;
};

// Collects what the draws of a replay use at its resolution. Which texels they read is known only where all before is
// executed.
class CollectingObserver final : public pica::ReplayObserver
{
public:
    CollectingObserver(pica::SoftwareCore& core, Collection& collection)
        : core_(core), collection_(collection)
    {
    }
    void before(std::size_t, const pica::Draw* draw) override
    {
        if (draw != nullptr)
            collection_.add(*draw, drawn_key(*draw, core_), drawn_layout(*draw, core_));
    }
    void after(std::size_t, const pica::Draw*) override {}

private:
    pica::SoftwareCore& core_;
    Collection& collection_;
};

std::string describe(const pica::GeometryFeed& feed)
{
    const std::string attributes = std::to_string(feed.attributes) + " attributes each";
    switch (feed.mode)
    {
    case pica::GeometryMode::Point:
        return "point mode, " + std::to_string(feed.inputs) + " inputs";
    case pica::GeometryMode::Variable:
        return "variable mode, " + std::to_string(feed.full_vertices) + " full vertices, " + attributes;
    default:
        return "fixed mode, " + std::to_string(feed.vertices) + " vertices, " + attributes + ", from c" +
               std::to_string(feed.first_uniform);
    }
}

// With other int and bool uniforms, a later draw may use the program in the other form.
void Collection::add_geometry(const shadergen::GeometryKey& key, const pica::Program& program,
                              const pica::ShaderUniforms& uniforms, pica::u64 uses,
                              const pica::ShbinEntryPoint& symbols)
{
    const pica::GeometryAnalysis analysis = pica::analyse_geometry(program, uniforms, key.feed.output_mask);
    std::string modes = describe(key.feed) + "\ninvocations: ";
    modes += analysis.parallel ? "side by side" : "one after the other: " + analysis.reason;
    modes += ", at most " + std::to_string(analysis.primitives) + " primitives each\non the device: ";
    const pica::u64 rounds = shadergen::generated_rounds(program, analysis, key.assembles != 0);
    modes += rounds <= shadergen::kGeneratedRounds
                 ? "compiled"
                 : "interpreted, " + std::to_string(rounds) + " loop rounds are more than every driver runs";
    const auto known =
        std::find_if(geometry.begin(), geometry.end(),
                     [&](const GeometryShader& g) { return g.key == key && g.modes == modes; });
    if (known != geometry.end())
        known->uses += uses;
    else
        geometry.push_back({key, program, modes, uses, symbols});
}

void Collection::add(const pica::Draw& draw, const pica::FragmentKey& key, const pica::RecordLayout& layout)
{
    if (draw.geometry_unit.program != nullptr)
        add_geometry(shadergen::geometry_key(draw, draw.source.topology != pica::Topology::TriangleList),
                     *draw.geometry_unit.program, *draw.geometry_unit.uniforms, 1, {});
    if (draw.program != nullptr)
    {
        const auto known = std::find_if(vertex.begin(), vertex.end(),
                                        [&](const VertexShader& v) { return v.key == draw.vertex; });
        if (known != vertex.end())
            ++known->uses;
        else
            vertex.push_back({draw.vertex, *draw.program, 1, {}});
    }
    const auto known =
        std::find_if(fragment.begin(), fragment.end(),
                     [&](const FragmentShader& f) { return f.key == key && f.layout == layout; });
    if (known != fragment.end())
        ++known->uses;
    else
        fragment.push_back({key, layout, 1});
}

// Prints GLSL or its SPIR-V.
pica::Status print_generated(shadergen::Stage stage, const std::string& glsl, const shadergen::Target& target,
                             Form form)
{
    if (form == Form::Glsl)
    {
        std::printf("%s\n", glsl.c_str());
        return {};
    }
    const pica::Result<shadergen::Spirv> spirv = shadergen::compile(stage, glsl, target);
    if (!spirv)
        return spirv.error();
    const pica::Result<std::string> text = shadergen::disassemble(*spirv);
    if (!text)
        return text.error();
    std::printf("; Instructions with functions in place of their calls: %llu\n%s\n",
                static_cast<unsigned long long>(shadergen::inlined_instructions(*spirv)), text->c_str());
    return {};
}

// What the file sets beside the program.
std::string constants_text(const pica::ShbinEntryPoint& symbols)
{
    std::string text;
    for (const pica::ShbinConstant& constant : symbols.constants)
    {
        char line[128];
        using Type = pica::ShbinConstant::Type;
        if (constant.type == Type::Bool)
            std::snprintf(line, sizeof line, "constant b%u = %s\n", unsigned{constant.reg},
                          constant.boolean ? "true" : "false");
        else if (constant.type == Type::Int)
            std::snprintf(line, sizeof line, "constant i%u = (%u, %u, %u, %u)\n", unsigned{constant.reg},
                          unsigned{constant.integer[0]}, unsigned{constant.integer[1]},
                          unsigned{constant.integer[2]}, unsigned{constant.integer[3]});
        else
            std::snprintf(line, sizeof line, "constant c%u = (%g, %g, %g, %g)\n", unsigned{constant.reg},
                          double{constant.real[0]}, double{constant.real[1]}, double{constant.real[2]},
                          double{constant.real[3]});
        text += line;
    }
    return text;
}

pica::Status print_vertex(const VertexShader& shader, Form form)
{
    std::printf("== vertex program=%016llx %s", static_cast<unsigned long long>(shader.program.hash()),
                shader.key.text().c_str());
    if (shader.uses != 0)
        std::printf(", %llu draws", static_cast<unsigned long long>(shader.uses));
    std::printf("\ncontrol flow: %s\n", shadergen::describe_control_flow(shader.program).c_str());
    if (form == Form::Disassembly)
    {
        std::printf(
            "%s%s\n", constants_text(shader.symbols).c_str(),
            pica::disassemble(shader.program, shader.symbols.uniforms, shader.symbols.labels).c_str());
        return {};
    }
    const shadergen::Target target;
    return print_generated(shadergen::Stage::Compute,
                           shadergen::generate_vertex(shader.key, shader.program, target), target, form);
}

pica::Status print_geometry(const GeometryShader& shader, Form form)
{
    std::printf("== geometry %016llx", static_cast<unsigned long long>(shader.program.hash()));
    if (shader.uses != 0)
        std::printf(", %llu draws", static_cast<unsigned long long>(shader.uses));
    std::printf(", %s\ncontrol flow: %s\n", shader.modes.c_str(),
                shadergen::describe_control_flow(shader.program).c_str());
    if (form == Form::Disassembly)
    {
        std::printf(
            "%s%s\n", constants_text(shader.symbols).c_str(),
            pica::disassemble(shader.program, shader.symbols.uniforms, shader.symbols.labels).c_str());
        return {};
    }
    const shadergen::Target target;
    return print_generated(shadergen::Stage::Compute,
                           shadergen::generate_geometry(shader.key, shader.program, target), target, form);
}

pica::Status print_fragment(const FragmentShader& shader, Form form)
{
    std::printf("== fragment %016llx, %llu draws\n%s\n",
                static_cast<unsigned long long>(pica::hash_key(shader.key)),
                static_cast<unsigned long long>(shader.uses), shader.key.text().c_str());
    if (form == Form::Disassembly) // fixed function: the key is all there is
        return {};
    const shadergen::Target target;
    return print_generated(shadergen::Stage::Fragment,
                           shadergen::generate_fragment(shader.key, shader.layout, target), target, form);
}

pica::Status print(const Collection& collection, const ShaderArguments& arguments)
{
    if (arguments.stage == StageChoice::Both || arguments.stage == StageChoice::Vertex)
    {
        for (const VertexShader& shader : collection.vertex)
        {
            if (pica::Status printed = print_vertex(shader, arguments.form); !printed)
                return printed;
        }
    }
    if (arguments.stage == StageChoice::Both || arguments.stage == StageChoice::Geometry)
    {
        for (const GeometryShader& shader : collection.geometry)
        {
            if (pica::Status printed = print_geometry(shader, arguments.form); !printed)
                return printed;
        }
    }
    if (arguments.stage == StageChoice::Both || arguments.stage == StageChoice::Fragment)
    {
        for (const FragmentShader& shader : collection.fragment)
        {
            if (pica::Status printed = print_fragment(shader, arguments.form); !printed)
                return printed;
        }
    }
    return {};
}

// First output semantic and number of components of a SHBIN output type (shader-binaries.md).
struct OutputType
{
    pica::Semantic semantic;
    pica::u8 components;
};
constexpr OutputType kOutputTypes[] = {
    {pica::Semantic::PositionX, 4},  {pica::Semantic::NormQuatX, 4},  {pica::Semantic::ColorR, 4},
    {pica::Semantic::TexCoord0U, 2}, {pica::Semantic::TexCoord0W, 1}, {pica::Semantic::TexCoord1U, 2},
    {pica::Semantic::TexCoord2U, 2}, {pica::Semantic::Unused, 0},     {pica::Semantic::ViewX, 3},
};

pica::VertexKey vertex_key(const pica::ShbinEntryPoint& entry, const pica::Program& program)
{
    pica::VertexKey key;
    key.program = program.id();
    key.source.fill(pica::VertexKey::kUnmapped);
    for (const pica::ShbinOutput& output : entry.output_table)
    {
        if (output.type >= std::size(kOutputTypes) || output.reg >= 16)
            continue;
        const OutputType& type = kOutputTypes[output.type];
        pica::u32 taken = 0;
        for (pica::u32 component = 0; component < 4 && taken < type.components; ++component)
        {
            if ((output.mask >> component & 1) != 0)
                key.source[pica::u32(type.semantic) + taken++] = pica::u8(output.reg * 4u + component);
        }
    }
    return key;
}

// As libctru sets the unit up; vertices of one attribute, as only the vertex program decides how many.
shadergen::GeometryKey geometry_key(const pica::ShbinEntryPoint& entry, const pica::Program& program)
{
    shadergen::GeometryKey key;
    key.program = program.id();
    key.source.fill(pica::VertexKey::kUnmapped);
    pica::GeometryFeed& feed = key.feed;
    feed.enabled = 1;
    feed.mode = static_cast<pica::GeometryMode>(std::min<pica::u8>(entry.geometry_mode, 2));
    feed.attributes = 1;
    feed.inputs = static_cast<pica::u8>(std::clamp(std::popcount(entry.inputs), 1, 16));
    feed.vertices = static_cast<pica::u8>(std::clamp<pica::u32>(entry.fixed_vertices, 1, 16));
    feed.first_uniform = static_cast<pica::u8>(entry.fixed_first_uniform & 0x7F);
    feed.full_vertices = static_cast<pica::u8>(std::clamp<pica::u32>(entry.variable_full_vertices, 1, 32));
    feed.obeys_winding = 1;
    feed.output_mask = static_cast<pica::u16>(entry.outputs & 0x7F);
    for (pica::u32 n = 0; n < 16; ++n)
        feed.target[n] = static_cast<pica::u8>(n);
    return key;
}

pica::Result<Collection> collect_shbin(std::span<const pica::u8> bytes)
{
    pica::Result<pica::Shbin> shbin = pica::read_shbin(bytes);
    if (!shbin)
        return shbin.error();
    Collection collection;
    for (const pica::ShbinEntryPoint& entry : shbin->entry_points)
    {
        const pica::Program program(shbin->shader_code(entry.stage), entry.entry, entry.stage);
        if (entry.stage == pica::ShaderStage::Geometry)
        {
            collection.add_geometry(geometry_key(entry, program), program, pica::ShaderUniforms{}, 0, entry);
            continue;
        }
        collection.vertex.push_back({vertex_key(entry, program), program, 0, entry});
    }
    return collection;
}

pica::Result<Collection> collect_stream(const std::string& path, std::vector<pica::u8> file)
{
    const pica::Result<pica::Trace> trace = parse_stream(path, std::move(file));
    if (!trace)
        return trace.error();
    Collection collection;
    ConsoleReport report;
    pica::GuestArena arena(trace->memory());
    CollectingBackend backend(arena.memory(), collection);
    pica::Gpu gpu(backend, report);
    pica::TracePlayer player(*trace, gpu);
    if (!player.status())
        return pica::Error{path + ": " + player.status().error().message};
    Progress progress;
    while (player.step(pica::Step::Frame) != pica::StepResult::End)
        progress.show(frames_done(stream_name(path), player.frame(), trace->frames()));
    return collection;
}

pica::Result<Collection> collect_scaled_stream(const std::string& path, std::vector<pica::u8> file,
                                               pica::u32 scale)
{
    const pica::Result<pica::Trace> trace = parse_stream(path, std::move(file));
    if (!trace)
        return trace.error();
    ConsoleReport report;
    pica::ReplayOptions options;
    options.scale = scale;
    auto replay = pica::Replay::create(*trace, report, options);
    if (!replay)
        return pica::Error{path + ": " + replay.error().message};
    Collection collection;
    CollectingObserver observer((*replay)->core(), collection);
    (*replay)->set_observer(&observer);
    Progress progress;
    while ((*replay)->step())
        progress.show(frames_done(stream_name(path), (*replay)->frame(), trace->frames()));
    return collection;
}

constexpr pica::u64 kMostShbinBytes = 64u << 20; // the largest of a game have a few hundred kilobytes

bool is_shbin(std::span<const pica::u8> first)
{
    return first.size() >= 4 && std::memcmp(first.data(), "DVLB", 4) == 0;
}

pica::Result<Collection> collect_file(const std::string& path, pica::u32 scale)
{
    auto file = read_input(path, pica::Trace::kMagicBytes,
                           [](std::span<const pica::u8> first)
                           { return is_shbin(first) ? kMostShbinBytes : pica::Trace::most_bytes(first); });
    if (!file)
        return file.error();
    if (!is_shbin(*file))
        return scale == 1 ? collect_stream(path, std::move(*file))
                          : collect_scaled_stream(path, std::move(*file), scale);
    pica::Result<Collection> collection = collect_shbin(*file);
    if (!collection)
        return pica::Error{path + ": " + collection.error().message};
    return collection;
}

int run_shader(const ShaderArguments& arguments)
{
    const pica::Result<Collection> collection = collect_file(arguments.file, arguments.scale);
    if (!collection)
        return bad_input(collection.error().message);
    if (pica::Status printed = print(*collection, arguments); !printed)
        return bad_input(arguments.file + ": " + printed.error().message);
    return kExitSuccess;
}

} // namespace

Verb add_shader(CLI::App& program)
{
    const auto arguments = std::make_shared<ShaderArguments>();
    CLI::App* app = program.add_subcommand("shader", "Print each distinct vertex program, geometry program "
                                                     "and fragment key of a stream, or the programs of "
                                                     "a SHBIN file");
    app->add_option("FILE", arguments->file, "Recorded stream (.pvk or CiTrace) or SHBIN file")->required();
    add_choice_option<StageChoice>(
        *app, "--stage", arguments->stage,
        {{"vs", StageChoice::Vertex}, {"gs", StageChoice::Geometry}, {"fs", StageChoice::Fragment}},
        "Only vertex programs, geometry programs or fragment keys");
    add_choice_option<Form>(*app, "--as", arguments->form,
                            {{"disasm", Form::Disassembly}, {"glsl", Form::Glsl}, {"spirv", Form::Spirv}},
                            "Disassembly (fragment stage: the key), or what the Vulkan backend makes of it");
    add_scale_option(*app, arguments->scale);
    return {app, [arguments] { return run_shader(*arguments); }};
}

} // namespace samples
