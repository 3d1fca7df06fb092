// SPDX-License-Identifier: MIT
// What `picavk inspect` shows of a draw's vertices and programs, without its window: it agrees with the command line, and
// the stepper goes back to where it was.
#include "pica/inspect/draw_vertices.h"
#include "pica/inspect/program_trace.h"
#include "renderer/backend/options.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/program_model.h"
#include "samples/inspect/shaders_model.h"
#include "samples/inspect/state_model.h"
#include "samples/inspect/tables_model.h"
#include "samples/inspect/textures_model.h"
#include "samples/inspect/vertices_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace tests;
using pica::f32;
using pica::u32;
using samples::Json;
using samples::ProgramModel;
using samples::ShownPicture;
using samples::VerticesModel;
using samples::Wireframe;
using samples::WireRect;

namespace
{

bool same(const pica::ShaderRegisters& a, const pica::ShaderRegisters& b)
{
    return std::memcmp(a.v.data(), b.v.data(), sizeof a.v) == 0 &&
           std::memcmp(a.r.data(), b.r.data(), sizeof a.r) == 0 &&
           std::memcmp(a.o.data(), b.o.data(), sizeof a.o) == 0 && a.a0 == b.a0 && a.cmp_x == b.cmp_x &&
           a.cmp_y == b.cmp_y;
}

Json printed_vertex(const std::string& stream, const pica::ReplayOperation& draw, u32 index, bool geometry)
{
    std::vector<std::string> arguments = {"vertex",  stream,
                                          "--frame", std::to_string(draw.frame),
                                          "--draw",  std::to_string(draw.draw),
                                          "--index", std::to_string(index),
                                          "--trace", "--json"};
    if (geometry)
        arguments.push_back("--geometry");
    const ProgramResult result = run_picavk(arguments);
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    return Json::parse(result.output);
}

// Steps through all of it, compares each step, and goes all the way back. Returns the steps.
std::size_t check_steps(ProgramModel& program, const Json& printed)
{
    REQUIRE(program.problem().empty());
    CHECK(program.agrees());
    CHECK(program.executed() == printed["instructions_executed"]);
    const Json& steps = printed["steps"];
    REQUIRE(program.steps() == steps.size());
    std::vector<pica::ShaderRegisters> seen;
    program.go(0);
    CHECK(program.last_step() == nullptr);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        CAPTURE(i);
        seen.push_back(program.registers());
        const std::string instruction = steps[i]["instruction"];
        REQUIRE(program.next_address());
        CHECK(*program.next_address() == std::stoul(instruction.substr(0, 3), nullptr, 16));
        program.go(i + 1);
        const pica::ShaderRegisters& registers = program.registers();
        const Json& state = steps[i]["state"];
        CHECK(state["a0"] == Json({registers.a0[0], registers.a0[1]}));
        CHECK(state["cmp"] == Json({registers.cmp_x, registers.cmp_y}));
        CHECK(program.log()["executed"] == instruction.substr(4));
        if (!steps[i].contains("result"))
            continue;
        const auto line = std::find_if(program.lines().begin(), program.lines().end(),
                                       [&](const samples::ProgramLine& known)
                                       { return known.address == program.last_step()->pc; });
        REQUIRE(line != program.lines().end());
        // "mov o0.xyzw, ...": the listing names the register that is written.
        CHECK(line->text.find(" " + line->destination + ".") != std::string::npos);
        CHECK(samples::vector_json((line->is_output ? registers.o : registers.r)[line->number]) ==
              steps[i]["result"]);
    }
    CHECK_FALSE(program.next_address());
    for (std::size_t i = steps.size(); i-- > 0;)
    {
        program.go(i);
        CHECK(same(program.registers(), seen[i]));
    }
    return steps.size();
}

f32 side_of(const std::array<f32, 2>& a, const std::array<f32, 2>& b, f32 x, f32 y)
{
    const f32 length = std::hypot(b[0] - a[0], b[1] - a[1]);
    return ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / length;
}

// What the table gives for an input: the entry's value plus a part of its difference. The curve has them with a scale, which
// is a power of two.
f32 value_at(const samples::ShownTable& table, const Json& dumped, f32 x)
{
    const auto& points = table.curves[0].points;
    const bool is_signed = table.first_x < 0;
    const auto entry_of = [&](u32 i) { return is_signed ? (i + 128) & 255 : i; };
    const auto fits = [&](f32 scale)
    {
        for (u32 i = 0; i < table.entries; ++i)
            if (points[i * 2][1] != dumped["values"][entry_of(i)].get<f32>() * scale)
                return false;
        return true;
    };
    f32 scale = 8;
    while (scale > 0.25f && !fits(scale))
        scale /= 2;
    REQUIRE(fits(scale));
    const f32 place = x * (is_signed ? 128.0f : 256.0f);
    const f32 first = is_signed ? -128.0f : 0.0f;
    const f32 index = std::clamp(std::floor(place), first, first + 255);
    const u32 entry = entry_of(u32(index - first));
    const f32 more = dumped["differences"][entry].get<f32>() * (place - index);
    return (dumped["values"][entry].get<f32>() + more) * scale;
}

// How far the point is inside of the triangle, in pixels; negative outside.
f32 depth_inside(const Wireframe& wires, std::size_t triangle, f32 x, f32 y)
{
    const auto& corners = wires.triangles[triangle];
    std::array<f32, 3> sides{};
    for (std::size_t i = 0; i < 3; ++i)
        sides[i] = side_of(wires.points[corners[i]], wires.points[corners[(i + 1) % 3]], x, y);
    const auto [least, most] = std::minmax_element(sides.begin(), sides.end());
    return std::max(*least, -*most);
}

} // namespace

TEST_CASE("inspect: the stepper's registers are those that the command line prints, forwards and back")
{
    for (const char* name : {"s_lit_spheres", "t_vertex_formats"})
    {
        CAPTURE(name);
        const std::string stream = stream_path(name).string();
        const auto model = read_stream(stream);
        ProgramModel program(*model);
        for (const u32 index : {0u, 3u})
        {
            program.choose(ProgramModel::Unit::Vertex, index);
            REQUIRE(program.draw() == model->selected());
            const Json printed = printed_vertex(stream, model->operations()[model->selected()], index, false);
            CHECK(check_steps(program, printed) > 4);
            program.go(program.steps());
            for (const auto& [reg, value] : printed["outputs"].items())
                CHECK(samples::vector_json(program.registers().o[std::stoul(reg.substr(1))]) == value);
        }
        program.choose(ProgramModel::Unit::Vertex, 1u << 30);
        CHECK_FALSE(program.problem().empty());
        CHECK(program.steps() == 0);
    }
}

TEST_CASE("inspect: the stepper goes through a geometry program, and runs to an instruction and back")
{
    const std::string stream = stream_path("t_geometry_point").string();
    const auto model = read_stream(stream);
    ProgramModel program(*model);
    program.choose(ProgramModel::Unit::Geometry, 1);
    REQUIRE(program.has_geometry_program());
    REQUIRE(program.unit() == ProgramModel::Unit::Geometry);
    check_steps(program, printed_vertex(stream, model->operations()[model->selected()], 1, true));
    program.go(0);
    const pica::u16 first = *program.next_address();
    const std::size_t middle = program.steps() / 2;
    program.go(middle);
    const pica::u16 there = *program.next_address();
    program.go(0);
    std::size_t times = 0;
    while (program.position() != middle && program.run_to(there))
    {
        CHECK(*program.next_address() == there);
        ++times;
    }
    CHECK(times > 0);
    CHECK(program.position() == middle);
    CHECK(program.run_back_to(first));
    CHECK(*program.next_address() == first);
    CHECK(program.position() < middle);
    program.go(0);
    CHECK_FALSE(program.run_back_to(first));
    // Another draw has other programs; a draw without one has a problem that is said.
    model->select(0);
    CHECK_FALSE(program.draw());
    CHECK(program.lines().empty());
    CHECK_FALSE(program.problem().empty());
}

TEST_CASE("inspect: the table of vertices and the triangles are what `picavk dump` writes")
{
    for (const char* name : {"s_textured_cubes", "t_geometry_fixed", "t_primitives"})
    {
        CAPTURE(name);
        const std::string stream = stream_path(name).string();
        const auto model = read_stream(stream);
        VerticesModel vertices(*model);
        for (int draw = 0; draw < 2; ++draw, model->select_draw_after())
        {
            const auto& operation = model->operations()[model->selected()];
            const TemporaryFolder folder;
            const ProgramResult result =
                run_picavk({"dump", stream, "--frame", std::to_string(operation.frame), "--draw",
                            std::to_string(operation.draw), "--out", folder.path().string()});
            REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
            const auto bytes = read_file(folder.path() / "vertices.json");
            const Json dumped = Json::parse(bytes.begin(), bytes.end());
            REQUIRE(vertices.vertices().elements.size() == dumped["elements"].size());
            REQUIRE(vertices.vertices().triangles.size() == dumped["triangles"].size());
            REQUIRE(vertices.columns().size() > 1);
            for (std::size_t element = 0; element < dumped["elements"].size(); ++element)
            {
                const Json& vertex = dumped["shaded"][dumped["elements"][element].get<std::size_t>()];
                CHECK(vertices.vertex_of(element) == vertex["number"]);
                for (std::size_t column = 0; column < vertices.columns().size(); ++column)
                {
                    const std::string& reg = vertices.columns()[column];
                    const Json& bank = vertex[reg[0] == 'v' ? "inputs" : "outputs"];
                    REQUIRE(bank.contains(reg));
                    CHECK(vertices.cell(element, column) == samples::json_line(bank[reg]));
                }
            }
        }
    }
}

TEST_CASE("inspect: the wireframe after the program lies where the triangle was drawn")
{
    const auto model = read_stream(stream_path("s_triangle").string());
    const std::size_t draw = model->selected();
    const auto after = picture_of(*model, ShownPicture::Kind::Color).picture;
    VerticesModel vertices(*model);
    const Wireframe wires = vertices.after();
    REQUIRE(wires.triangles.size() == 1);
    REQUIRE(wires.frame);
    CHECK(*wires.frame == WireRect{0, 0, f32(after.width), f32(after.height)});
    CHECK(draw > 0);
    // Nothing was drawn yet: the rest of the target has the colour of the fill, as its corner has.
    u32 inside = 0;
    for (u32 y = 0; y < after.height; ++y)
        for (u32 x = 0; x < after.width; ++x)
        {
            const bool drawn =
                std::memcmp(&after.rgba[(std::size_t{y} * after.width + x) * 4], after.rgba.data(), 4) != 0;
            const f32 depth = depth_inside(wires, 0, f32(x) + 0.5f, f32(y) + 0.5f);
            // Vertices are rounded to sixteenths of a pixel.
            if (std::abs(depth) > 0.125f)
                CHECK(drawn == (depth > 0));
            inside += depth > 0;
        }
    CHECK(inside > 1000);
}

TEST_CASE("inspect: a wireframe is drawn as lines, and what has no place is left out")
{
    const f32 nan = std::numeric_limits<f32>::quiet_NaN();
    Wireframe wires;
    wires.points = {{0, 0}, {10, 0}, {0, 10}, {nan, 3}, {1e30f, 5}};
    wires.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 77}, {0, 2, 4}};
    const samples::Picture picture = draw_wireframe(wires, {-5, -5, 15, 15}, 40, 40, 0);
    const auto at = [&](u32 x, u32 y) { return picture.rgba[(y * 40 + x) * 4]; };
    const auto ground = at(0, 0);
    CHECK(at(20, 10) ==
          255); // the middle of the edge from (0, 0) to (10, 0), in the colour of the chosen one
    CHECK(at(20, 20) == 255);    // that of the edge from (10, 0) to (0, 10)
    CHECK(at(14, 14) == ground); // inside
    CHECK(at(39, 39) == ground);
    CHECK(at(35, 30) != ground); // the long triangle leaves the picture on the right
    CHECK(draw_wireframe(wires, {-5, -5, 15, 15}, 40, 40, std::nullopt).rgba != picture.rgba);
    const auto bounds = wires.bounds();
    REQUIRE(bounds);
    CHECK(*bounds == WireRect{0, 0, 1e30f, 10});
    CHECK_FALSE(Wireframe{}.bounds());
}

TEST_CASE(
    "inspect: tables are those that `picavk dump` writes, and marks lie where the pixel's fragments read")
{
    const std::string stream = stream_path("t_light_spots").string();
    const auto model = read_stream(stream);
    samples::PixelModel pixel(*model);
    samples::TablesModel tables(*model, pixel);
    const auto& operation = model->operations()[model->selected()];
    const TemporaryFolder folder;
    const ProgramResult result =
        run_picavk({"dump", stream, "--frame", std::to_string(operation.frame), "--draw",
                    std::to_string(operation.draw), "--out", folder.path().string()});
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    const auto bytes = read_file(folder.path() / "tables.json");
    const Json dumped = Json::parse(bytes.begin(), bytes.end());
    REQUIRE(tables.tables().size() + 1 == dumped.size());
    std::size_t reads = 0;
    for (const samples::ShownTable& table : tables.tables())
    {
        CAPTURE(table.name);
        const Json& values = dumped[table.name]["values"];
        REQUIRE(table.entries == values.size());
        CHECK(table.is_read == (reads < dumped["read_by_the_draw"].size()));
        reads += table.is_read;
        CHECK(table.curves.size() == (values[0].is_array() ? 4 : 1));
        if (table.name.rfind("lighting", 0) != 0 || table.is_read)
            continue;
        for (u32 i = 0; i < table.entries; ++i)
            CHECK(samples::float_json(table.curves[0].points[i * 2][1]) == values[i]);
    }
    CHECK(reads == dumped["read_by_the_draw"].size());
    CHECK(tables.marks(tables.tables().front().name).empty());

    // A pixel of the draw's middle: each mark lies on its curve.
    const ShownPicture& shown = picture_of(*model, ShownPicture::Kind::Color);
    std::size_t marks = 0;
    for (u32 x = 20; x < shown.picture.width; x += 40)
    {
        REQUIRE(pixel.pick(shown, x, shown.picture.height / 2));
        for (const samples::ShownTable& table : tables.tables())
            for (const samples::TableMark& mark : tables.marks(table.name))
            {
                ++marks;
                CHECK(table.is_read);
                CHECK(mark.y == value_at(table, dumped[table.name], mark.x));
            }
    }
    CHECK(marks > 10);
}

TEST_CASE("inspect: shaders are the text that `picavk shader` prints")
{
    using Stage = samples::ShadersModel::Stage;
    using Form = samples::ShadersModel::Form;
    const std::string stream = stream_path("t_geometry_point").string();
    const auto model = read_stream(stream);
    const renderer::Options vulkan;
    samples::ShadersModel shaders(*model, vulkan);
    for (const auto& [form, name] : {std::pair{Form::Glsl, "glsl"}, {Form::Spirv, "spirv"}})
    {
        const ProgramResult printed = run_picavk({"shader", stream, "--as", name});
        REQUIRE_MESSAGE(printed.exit_code == 0, printed.errors);
        for (const Stage stage : {Stage::Vertex, Stage::Geometry, Stage::Fragment})
        {
            shaders.choose(stage, form);
            REQUIRE_MESSAGE(shaders.problem().empty(), shaders.problem());
            std::string text;
            for (const std::string& line : shaders.lines())
                text += line + "\n";
            CHECK(text.size() > 1000);
            CHECK(printed.output.find(text) != std::string::npos);
        }
    }
    shaders.choose(Stage::Fragment, Form::Key);
    REQUIRE(shaders.lines().size() > 3);
    CHECK(shaders.lines()[0].rfind("key ", 0) == 0);
    const auto plain = read_stream(stream_path("s_triangle").string());
    samples::ShadersModel none(*plain, vulkan);
    none.choose(Stage::Geometry, Form::Glsl);
    CHECK(none.problem() == "The draw has no geometry program.");
    CHECK(none.lines().empty());
}

TEST_CASE("inspect: at N times the resolution, shaders are those that `picavk shader --scale` prints")
{
    using Stage = samples::ShadersModel::Stage;
    using Form = samples::ShadersModel::Form;
    const std::string stream = stream_path("t_targets").string(); // draws sample what others have drawn
    const auto model = read_stream(stream, 2);
    const auto plain = read_stream(stream);
    const renderer::Options vulkan;
    samples::ShadersModel shaders(*model, vulkan), at_1x(*plain, vulkan);
    const ProgramResult printed = run_picavk({"shader", stream, "--scale", "2"});
    REQUIRE_MESSAGE(printed.exit_code == 0, printed.errors);
    std::size_t same = 0, other = 0;
    for (std::size_t number = 0; number < model->operations().size(); ++number)
    {
        if (!model->operations()[number].is_draw())
            continue;
        model->select(number);
        plain->select(number);
        for (samples::ShadersModel* one : {&shaders, &at_1x})
            one->choose(Stage::Fragment, Form::Key);
        REQUIRE(shaders.lines().size() > 3);
        const std::string hash = shaders.lines()[0].substr(4);
        CHECK_MESSAGE(printed.output.find(hash) != std::string::npos, hash);
        ++(shaders.lines() == at_1x.lines() ? same : other);
    }
    CHECK(same > 0);
    CHECK(other > 0);
    // In one stream or the other, programs are there for both.
    const ProgramResult at_one = run_picavk({"shader", stream});
    REQUIRE(at_one.exit_code == 0);
    CHECK(at_one.output != printed.output);
}

TEST_CASE("inspect: every tab has something to show, or says why not, in all bundled streams")
{
    std::size_t traced = 0, vertices_seen = 0, textures_seen = 0, tables_seen = 0, invocations = 0;
    for (const std::string& stream : bundled_streams())
    {
        CAPTURE(stream);
        const auto model = read_stream(stream_path(stream).string());
        samples::PixelModel pixel(*model);
        samples::StateModel state(*model);
        VerticesModel vertices(*model);
        ProgramModel program(*model);
        samples::TexturesModel textures(*model);
        samples::TablesModel tables(*model, pixel);
        const std::size_t count = model->operations().size();
        for (std::size_t number = 0; number < count; number += std::max<std::size_t>(count / 8, 1))
        {
            CAPTURE(number);
            model->select(number);
            const bool has_draw = model->last_draw().has_value();
            REQUIRE_FALSE(model->pictures().empty());
            const ShownPicture& shown = model->pictures().back();
            pixel.pick(shown, shown.picture.width / 3, shown.picture.height / 3);
            CHECK(state.rows().empty() == !has_draw);
            CHECK(tables.tables().empty() == !has_draw);
            CHECK(tables.log("lighting_D0")["operation"].is_null() == !has_draw);
            textures_seen += textures.textures().size();
            tables_seen += tables.tables().size();
            const auto& found = vertices.vertices();
            vertices_seen += found.shaded.size();
            for (std::size_t row = 0; row < found.elements.size(); row += 97)
                for (std::size_t column = 0; column < vertices.columns().size(); ++column)
                    CHECK_FALSE(vertices.cell(row, column).empty());
            for (std::size_t triangle = 0; triangle < found.triangles.size(); triangle += 97)
                CHECK_FALSE(vertices.corner_text(triangle, 2).empty());
            for (const Wireframe& wires : {vertices.before(samples::WireView::Zy), vertices.after()})
                if (const auto bounds = wires.bounds())
                    CHECK(draw_wireframe(wires, *bounds, 60, 50, 0).rgba.size() == 60 * 50 * 4);
            for (const auto unit : {ProgramModel::Unit::Vertex, ProgramModel::Unit::Geometry})
            {
                program.choose(unit, u32(number % 3));
                CHECK(program.problem().empty() == (program.steps() > 0));
                CHECK(program.agrees());
                traced += program.steps();
                invocations += program.unit() == ProgramModel::Unit::Geometry;
                program.go(program.steps());
                CHECK(program.position() == program.steps());
            }
        }
    }
    for (const std::size_t seen : {traced, vertices_seen, textures_seen, tables_seen, invocations})
        CHECK(seen > 0);
}
