// SPDX-License-Identifier: MIT
// picavk dump: everything about one draw as files.
#include "pica/command/gpu.h"
#include "pica/inspect/draw_state.h"
#include "pica/memory/guest_memory.h"
#include "pica/shader/disasm.h"
#include "pica/soft/software_core.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/dump_folder.h"
#include "samples/cli/dump_pictures.h"
#include "samples/cli/dump_vertices.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/state_json.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace samples
{

namespace
{

using namespace pica;

// The elements of a draw that are written. Longer files are of little use.
constexpr u32 kMostElements = 1u << 16;

struct DumpArguments
{
    std::string stream;
    u32 frame = 0;
    u32 draw = 0;
    u32 scale = 1;
    std::string folder;
};

std::string program_text(const Program& program, const ShaderUniforms& uniforms)
{
    char line[128];
    std::snprintf(line, sizeof line, "; program %016llx, starts at %03X\n",
                  static_cast<unsigned long long>(program.hash()), unsigned{program.entry()});
    std::string text = line;
    const ProgramUsage& usage = program.usage();
    ShaderUnitChanges read;
    read.floats = usage.constants;
    if (usage.relative)
        read.floats.set();
    for (u32 n = 0; n < 4; ++n)
        read.ints[n] = (usage.ints >> n & 1) != 0;
    read.bools = usage.bools != 0;
    const Json values = uniforms_json(uniforms, read);
    for (const auto& [name, value] : values.items())
        text += "; " + name + " = " + value.dump() + "\n";
    return text + disassemble(program);
}

// Writes the files of one draw.
class DrawDump
{
public:
    DrawDump(Replay& replay, DumpFolder& folder, std::optional<DrawState> last)
        : replay_(replay), folder_(folder), last_(std::move(last))
    {
    }

    Json take_summary() { return std::move(summary_); }

    void before(const Draw& draw)
    {
        const GuestMemory& memory = replay_.memory();
        const DrawState state(replay_.gpu().processor());
        summary_["state"] = draw_json(draw);
        if (last_)
            summary_["changed"] = changes_json(*last_, state);
        write_targets(draw, "before");
        for (const NamedPicture& texture : texture_pictures(draw, memory, planes()))
            folder_.write_picture(texture.name + ".png", texture.picture);
        folder_.write_text("registers.txt", registers_text(state.registers));
        folder_.write_json("registers.json", registers_json(state.registers));
        Json uniforms;
        uniforms["vertex"] = uniforms_json(state.ports.vertex.uniforms);
        uniforms["geometry"] = uniforms_json(state.ports.geometry.uniforms);
        uniforms["fixed_attributes"] = fixed_attributes_json(state.ports.fixed);
        folder_.write_json("uniforms.json", uniforms);
        Json tables;
        tables["read_by_the_draw"] = table_names(draw.fragment.luts());
        tables.update(tables_json(state.ports.luts, all_tables()));
        folder_.write_json("tables.json", tables);
        if (draw.program && draw.uniforms)
            folder_.write_text("vertex_program.txt", program_text(*draw.program, *draw.uniforms));
        const GeometryUnit& unit = draw.geometry_unit;
        if (unit.program && unit.uniforms)
            folder_.write_text("geometry_program.txt", program_text(*unit.program, *unit.uniforms));
        write_vertices(draw);
    }

    void after(const Draw& draw) { write_targets(draw, "after"); }

private:
    // Null at 1x.
    const PlaneMemory* planes() const { return std::as_const(replay_.core()).planes(); }

    void write_targets(const Draw& draw, const std::string& when)
    {
        const TargetPictures target = target_pictures(draw.target, when, replay_.memory(), planes());
        for (const NamedPicture& picture : target.pictures)
            folder_.write_picture(picture.name + ".png", picture.picture);
        for (const GreyRange& range : target.ranges)
            summary_["black_to_white"][range.name] = {range.darkest, range.lightest};
    }

    void write_vertices(const Draw& draw)
    {
        const DrawVertices vertices =
            find_vertices(draw, replay_.core().save_carryover(), replay_.memory(), kMostElements);
        if (vertices.left_out != 0)
            summary_["elements_left_out"] = vertices.left_out;
        folder_.write_json("vertices.json", vertices_json(vertices, draw.vertex));
        folder_.write_text("vertices_before.obj", obj_before(vertices));
        folder_.write_text("vertices_after.obj", obj_after(vertices, draw.vertex));
    }

    Replay& replay_;
    DumpFolder& folder_;
    std::optional<DrawState> last_;
    Json summary_;
};

int run_dump(const DumpArguments& arguments)
{
    if (arguments.folder.empty())
        return bad_input("--out: the name of the folder is empty");
    const auto opened = OpenedReplay::open(arguments.stream, arguments.scale);
    if (!opened)
        return bad_input(opened.error().message);
    Replay& replay = (*opened)->replay();
    const Result<std::size_t> number = (*opened)->find_draw(arguments.frame, arguments.draw);
    if (!number)
        return bad_input(number.error().message);
    DumpFolder folder(arguments.folder);
    if (!folder.status())
        return bad_input(folder.status().error().message);
    DrawDump dump(replay, folder, last_draw_state(replay, *number));
    visit_draw(
        replay, *number, [&](const Draw& draw) { dump.before(draw); },
        [&](const Draw& draw) { dump.after(draw); });
    Json json;
    json["stream"] = (*opened)->name();
    json["frame"] = arguments.frame;
    json["draw"] = arguments.draw;
    if (arguments.scale != 1)
        json["scale"] = arguments.scale;
    json.update(dump.take_summary());
    json["files"] = folder.files();
    folder.write_json("draw.json", json);
    if (!folder.status())
        return bad_input(folder.status().error().message);
    std::printf("%s: %zu files\n", arguments.folder.c_str(), folder.files().size());
    return kExitSuccess;
}

} // namespace

Verb add_dump(CLI::App& program)
{
    const auto arguments = std::make_shared<DumpArguments>();
    CLI::App* app = program.add_subcommand(
        "dump", "Write one draw as files: targets, textures, tables, vertices, registers, programs");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_option("--frame", arguments->frame, "The frame, from 0")->option_text("F")->required();
    app->add_option("--draw", arguments->draw, "The draw of the frame, from 0")->option_text("D")->required();
    app->add_option("--out", arguments->folder, "Folder for the files")->option_text("DIR")->required();
    add_scale_option(*app, arguments->scale);
    return {app, [arguments] { return run_dump(*arguments); }};
}

} // namespace samples
