// SPDX-License-Identifier: MIT
// `picavk digest` and `picavk bisect`: planted changes are found at their draw, and in their block of the pipeline.
#include "pica/regs/registers.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <tuple>

using namespace pica;
using namespace tests;

namespace
{

using nlohmann::json;

json parsed(const ProgramResult& result)
{
    const json object = json::parse(result.output, nullptr, false);
    REQUIRE_MESSAGE(object.is_object(), result.output << result.errors);
    return object;
}

std::vector<json> lines_of(const ProgramResult& result)
{
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    std::vector<json> lines;
    std::istringstream text(result.output);
    for (std::string line; std::getline(text, line);)
        lines.push_back(json::parse(line));
    return lines;
}

json bisect(std::vector<std::string> arguments, int exit_code)
{
    arguments.insert(arguments.begin(), "bisect");
    arguments.emplace_back("--json");
    const ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == exit_code, result.errors);
    return parsed(result);
}

void write_text(const std::string& path, const std::string& text)
{
    write_file(path, {reinterpret_cast<const u8*>(text.data()), text.size()});
}

u32 word_at(const std::vector<u8>& bytes, std::size_t at)
{
    return bytes[at] | u32(bytes[at + 1]) << 8 | u32(bytes[at + 2]) << 16 | u32(bytes[at + 3]) << 24;
}

// Command lists lie in the file as they lie in memory. Here they write each combiner as a run: the source, a header, then
// operand, operation, colour and scale. Where the file has the colour of a first combiner that reads it, all of them.
std::vector<std::size_t> combiner_colors(const std::vector<u8>& file)
{
    constexpr u32 kRun = 0x804F0000; // 5 registers from the id on, all bytes of each
    std::vector<std::size_t> offsets;
    for (std::size_t at = 4; at + 16 <= file.size(); at += 4)
    {
        const auto first_source = static_cast<CombinerSource>(word_at(file, at - 4) & 15);
        if (word_at(file, at) == (kRun | reg::TEXENV_SOURCE::ids[0]) &&
            first_source == CombinerSource::Constant)
            offsets.push_back(at + 12);
    }
    return offsets;
}

// The draw that a register write of the listing comes before: the first write that is another one in the other stream.
u64 first_draw_with_another_write(const std::string& a, const std::string& b)
{
    std::istringstream first(run_picavk({"info", a}).output), second(run_picavk({"info", b}).output);
    u64 draws = 0;
    for (std::string x, y; std::getline(first, x) && std::getline(second, y) && x == y;)
        draws +=
            x.find(" DRAWARRAYS = ") != std::string::npos || x.find(" DRAWELEMENTS = ") != std::string::npos;
    return draws;
}

} // namespace

TEST_CASE("digest: each draw, list or frame has a line, and both backends have the same hashes")
{
    const std::string stream = stream_path("s_stencil_outline").string(); // 3 frames of 22 draws
    std::size_t lines_at_draws = 0;
    for (const std::string at : {"draw", "list", "frame"})
    {
        CAPTURE(at);
        const std::vector<json> lines = lines_of(run_picavk({"digest", stream, "--at", at}));
        CHECK(lines.at(0).at("picavk_digest") == 2);
        CHECK(lines.at(0).at("at") == at);
        const auto count = [&](const char* what)
        {
            return std::count_if(lines.begin(), lines.end(),
                                 [&](const json& l) { return l.value("what", "") == what; });
        };
        CHECK(count("frame") == 3);
        CHECK(count("draw") == (at == "draw" ? 66 : 0));
        CHECK((count("list") > 0) == (at == "list"));
        if (at == "draw")
            lines_at_draws = lines.size();
        else
            CHECK(lines.size() < lines_at_draws);
        std::vector<json> vulkan =
            lines_of(run_picavk({"digest", stream, "--at", at, "--backend", "vulkan"}));
        CHECK(vulkan.at(0).at("backend") == "vulkan");
        vulkan[0]["backend"] = "software";
        CHECK(vulkan == lines);
    }
}

TEST_CASE("digest: the blocks of a draw are the same on both backends, for every kind of draw")
{
    using Case = std::tuple<std::string, std::string, std::string>;
    for (const auto& [stream, draw, block] :
         std::vector<Case>{{"s_tev_grid", "7", "combiner 0"},
                           {"t_light_toon", "2", "lighting, secondary colour"},
                           {"t_stencil", "3", "stencil test"},
                           {"t_shadow_map", "0", "shadow map"},
                           {"t_gas", "3", "gas accumulation"},
                           {"t_gas", "5", "gas shading"},
                           {"t_fog", "1", "fog"},
                           {"t_procedural", "1", "procedural texture"},
                           {"t_immediate", "1", "interpolated colour"},
                           {"t_geometry_point", "1", "geometry program"},
                           {"s_textured_cubes", "2", "texture unit 0"}})
    {
        const auto& of_stream = stream;
        CAPTURE(of_stream);
        const std::string path = stream_path(stream).string();
        const json software = parsed(run_picavk({"digest", path, "--frame", "0", "--draw", draw}));
        const json vulkan =
            parsed(run_picavk({"digest", path, "--frame", "0", "--draw", draw, "--backend", "vulkan"}));
        CHECK(software.at("blocks") == vulkan.at("blocks"));
        const json& blocks = software.at("blocks");
        const std::string& expected = block;
        CHECK_MESSAGE(std::any_of(blocks.begin(), blocks.end(),
                                  [&](const json& b) { return b.at("block") == expected; }),
                      expected);
    }
    // 5 draws in each of 3 frames. The other verbs say the same of what is not there.
    const auto beyond = [](const char* verb, const char* frame, const char* draw)
    {
        const ProgramResult result =
            run_picavk({verb, stream_path("s_triangle").string(), "--frame", frame, "--draw", draw});
        CHECK(result.exit_code == 2);
        return result.errors;
    };
    CHECK(beyond("digest", "1", "5").ends_with(": there is no draw 5 in frame 1; it has 5 draws\n"));
    CHECK(beyond("digest", "3", "0").ends_with(": there is no frame 3; it has 3 frames\n"));
    CHECK(beyond("digest", "1", "5") == beyond("info", "1", "5"));
    CHECK(beyond("digest", "3", "0") == beyond("info", "3", "0"));
}

TEST_CASE("bisect: equal sides end with 0, whatever they are")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_triangle").string();
    const std::string digest = folder.file("triangle.digest");
    const ProgramResult made = run_picavk({"digest", stream});
    write_text(digest, made.output);
    const std::vector<std::string> sides = {stream, digest, PICAVK_PROGRAM, "software", "vulkan"};
    for (const std::string& side : sides)
    {
        CAPTURE(side);
        const json result = bisect({stream, side, "--stream", stream}, 0);
        CHECK(result.at("equal") == true);
        CHECK_FALSE(result.contains("results"));
    }
}

TEST_CASE("bisect: one register altered in a recording is found at its draw and block")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_tev_grid").string(), altered = folder.file("altered.ctf");
    std::vector<u8> bytes = read_file(stream);
    const std::vector<std::size_t> colors = combiner_colors(bytes);
    REQUIRE(colors.size() > 3);
    const std::size_t planted = colors[0];
    const u32 before = word_at(bytes, planted);
    bytes[planted] = u8(bytes[planted] ^ 0x40);
    write_file(altered, bytes);
    const u64 draw = first_draw_with_another_write(stream, altered);
    CHECK(draw > 0);
    const json result = bisect({stream, altered}, 1);
    CHECK_FALSE(result.contains("state")); // it parts where the results do
    const json& place = result.at("results");
    CHECK(place.at("a").at("draw_of_stream") == draw);
    CHECK(place.at("block") == "combiner 0");
    CHECK(place.at("given") == json::array({"registers"}));
    REQUIRE(place.at("registers").size() == 2);
    CHECK(place.at("registers")[0] == describe_write(reg::TEXENV_COLOR::ids[0], before));
    CHECK(place.at("registers")[1] == describe_write(reg::TEXENV_COLOR::ids[0], before ^ 0x40));
    // Each side has its own value among all registers.
    for (const int side : {0, 1})
    {
        const json& all = place.at("all_registers").at(side == 0 ? "a" : "b");
        CHECK(std::count(all.begin(), all.end(), place.at("registers")[std::size_t(side)]) == 1);
        CHECK(std::count(all.begin(), all.end(), place.at("registers")[std::size_t(1 - side)]) == 0);
    }
    // A digest knows the draw; the state is that of the side that is played.
    const std::string digest = folder.file("tev.digest");
    write_text(digest, run_picavk({"digest", stream}).output);
    const json kept = bisect({digest, altered}, 1).at("results");
    CHECK(kept.at("a").at("draw_of_stream") == draw);
    CHECK(kept.at("no_blocks") == digest + " is a digest, which has no blocks");
    CHECK_FALSE(kept.at("all_registers").contains("a"));
    const json& registers = kept.at("all_registers").at("b");
    CHECK(std::count(registers.begin(), registers.end(), place.at("registers")[1]) == 1);
    // One that shows nowhere: the state parts at its draw, and the results do where memory has the list itself.
    bytes = read_file(stream);
    const std::size_t unseen = colors[colors.size() / 2];
    bytes[unseen] = u8(bytes[unseen] ^ 0x40);
    write_file(altered, bytes);
    const json hidden = bisect({stream, altered}, 1);
    CHECK(hidden.at("state").at("a").at("draw_of_stream") == first_draw_with_another_write(stream, altered));
    CHECK_FALSE(hidden.at("state").contains("block"));
    CHECK(hidden.at("results").at("a").at("what") == "frame");
    CHECK(hidden.at("results").at("block") == "memory");
}

TEST_CASE("bisect: a draw of a later frame has the number that the other verbs take")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_tev_grid").string(), altered = folder.file("altered.ctf");
    const std::vector<u8> unaltered = read_file(stream);
    std::vector<u8> bytes = unaltered;
    const std::vector<std::size_t> colors = combiner_colors(bytes);
    // Lists of later frames lie in the file only where they are others than before.
    u64 draw = 0;
    for (std::size_t i = colors.size(); i-- > 0 && draw < 60;)
    {
        bytes = unaltered;
        bytes[colors[i]] = u8(bytes[colors[i]] ^ 0x40);
        write_file(altered, bytes);
        draw = first_draw_with_another_write(stream, altered);
    }
    REQUIRE(draw >= 60); // of 60 in each frame
    const json result = bisect({stream, altered}, 1);
    const json& place = result.at(result.contains("state") ? "state" : "results");
    CHECK(place.at("a").at("draw_of_stream") == draw);
    const std::string frame = std::to_string(draw / 60), number = std::to_string(draw % 60);
    CHECK(place.at("place") == "draw " + number + " of frame " + frame);
    CHECK(place.at("a").at("frame") == draw / 60);
    CHECK(place.at("a").at("draw") == draw % 60);
    // There the altered register is.
    const std::vector<std::string> at = {"--frame", frame, "--draw", number};
    const auto info = [&](const std::string& side) {
        return run_picavk({"info", side, at[0], at[1], at[2], at[3]}).output;
    };
    const std::string text = place.at("registers")[1], value = text.substr(0, text.find(" = ") + 13);
    CHECK_MESSAGE(info(altered).find(value) != std::string::npos, value);
    CHECK_MESSAGE(info(stream).find(value) == std::string::npos, value);
    // The listing of the stream counts likewise.
    const std::string listing = run_picavk({"info", stream}).output;
    CHECK(listing.find("    draw 59: ") != std::string::npos);
    CHECK(listing.find("    draw 60: ") == std::string::npos);
}

TEST_CASE("bisect: one combiner operation altered in a build is found at the first draw that uses it")
{
    // The planted build adds where the stage's operation is ADD_SIGNED (tests/CMakeLists.txt).
    const std::string stream = stream_path("t_combiners").string();
    for (const auto& sides :
         {std::vector<std::string>{PICAVK_PROGRAM, PICAVK_PLANTED}, {"software", PICAVK_PLANTED}})
    {
        const json result = bisect({sides[0], sides[1], "--stream", stream}, 1);
        CHECK_FALSE(result.contains("state"));
        const json& place = result.at("results");
        CHECK(place.at("given").empty());
        CHECK(place.at("a").at("frame") == 0);
        const u64 draw = place.at("a").at("draw");
        CHECK(place.at("b").at("draw") == draw);
        // The blocks of that draw on the unaltered side name the operation, and no draw before it has one.
        const auto adds_signed = [&](u64 number)
        {
            const json blocks =
                parsed(run_picavk({"digest", stream, "--frame", "0", "--draw", std::to_string(number)}));
            for (u32 stage = 0; stage < 6; ++stage)
            {
                const std::string name = "TEXENV" + std::to_string(stage) + "_COMBINER";
                const std::string value = blocks.at("blocks")[0].at("registers").at(name);
                if (value.find("op=3") != std::string::npos)
                    return int(stage);
            }
            return -1;
        };
        CHECK(place.at("block") == "combiner " + std::to_string(adds_signed(draw)));
        for (u64 earlier = 0; earlier < draw; ++earlier)
            CHECK(adds_signed(earlier) == -1);
    }
}

TEST_CASE("bisect: sides that cannot be compared are errors of one line")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_triangle").string();
    const ProgramResult made = run_picavk({"digest", stream, "--at", "frame"});
    const std::string digest = folder.file("frames.digest");
    write_text(digest, made.output);
    // What is no digest, although it begins like one.
    const std::string head = R"({"picavk_digest":2,"at":"draw"})";
    std::vector<std::string> broken;
    for (const std::string& text : std::vector<std::string>{
             R"({"picavk_digest":"2","at":"draw"})", R"({"picavk_digest":2})", head + "\n5",
             head + "\n" + R"({"what":1,"frame":0})", head + "\n" + R"({"what":"draw","frame":"0"})",
             head + "\n" + R"({"what":"draw","frame":0,"draw":-1})",
             head + "\n" + R"({"what":"draw","frame":0,"draw_of_stream":1})",
             R"({"picavk_digest":1,"at":"draw"})", R"({"picavk_digest":2,"at":"draw","is_truncated":1})",
             "{\"picavk_digest\":" + std::string(100000, '[')})
    {
        broken.push_back(folder.file("broken" + std::to_string(broken.size())));
        write_text(broken.back(), text);
        const ProgramResult result = run_picavk({"bisect", stream, broken.back()});
        CAPTURE(text.substr(0, 80));
        CHECK(result.exit_code == 2);
        CHECK_MESSAGE(result.errors.find(" is not that of a digest") != std::string::npos, result.errors);
    }
    for (const std::vector<std::string>& sides :
         std::vector<std::vector<std::string>>{{stream, "/nonexistent"},
                                               {"-", "-"},
                                               {"software", "vulkan", "--stream", "-"},
                                               {"software", PICAVK_PROGRAM, "--stream", "-"},
                                               {stream, "vulkan"},
                                               {stream, PICAVK_PROGRAM},
                                               {stream, "/bin/false", "--stream", stream},
                                               {stream, "/bin/true", "--stream", stream},
                                               {stream, "/bin/ls", "--stream", stream},
                                               {stream, folder.path().string()},
                                               {stream, digest}})
    {
        CAPTURE(sides[1]);
        std::vector<std::string> arguments = {"bisect"};
        arguments.insert(arguments.end(), sides.begin(), sides.end());
        const ProgramResult result = run_picavk(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK_MESSAGE(result.errors.size() > 20, result.errors);
    }
}
