// SPDX-License-Identifier: MIT
// `picavk digest` and `picavk bisect` with `--scale N`: planes count, and are afterwards as before.
#include "pica/base/silent_report.h"
#include "pica/memory/guest_arena.h"
#include "pica/regs/registers.h"
#include "pica/soft/software_core.h"
#include "pica/upscale/plane_memory.h"
#include "samples/cli/golden/digest_backend.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

using nlohmann::json;

// Prints JSON.
std::string printed(const std::vector<std::string>& arguments, int exit_code = 0)
{
    const ProgramResult result = run_picavk(arguments);
    REQUIRE_MESSAGE(result.exit_code == exit_code, result.errors);
    return result.output;
}

std::vector<json> digest(const std::string& stream, std::vector<std::string> more = {})
{
    more.insert(more.begin(), {"digest", stream, "--scale", "2"});
    std::istringstream text(printed(more));
    std::vector<json> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(json::parse(line));
    return lines;
}

json bisect(const std::string& a, const std::string& b, const std::string& scale,
            const std::vector<std::string>& more, int exit_code)
{
    std::vector<std::string> arguments = {"bisect", a, b, "--scale", scale, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(printed(arguments, exit_code));
}

// A copy of the stream with a viewport that is wider by less than 1x positions can tell: they have steps of 1/16 pixel.
std::string with_wider_viewport(const std::string& stream, const TemporaryFolder& folder)
{
    constexpr u32 kRun = 0x803F0000; // 4 registers from the id on, all bytes of each
    constexpr u8 kLittle = 4;        // of the last digits of 120.0, half of the width
    std::vector<u8> bytes = read_file(stream);
    std::size_t found = 0;
    for (std::size_t at = 4; at + 4 <= bytes.size(); at += 4)
    {
        u32 word = 0;
        std::memcpy(&word, &bytes[at], 4);
        if (word != (kRun | reg::VIEWPORT_WIDTH::id))
            continue;
        ++found;
        bytes[at - 4] ^= kLittle; // the value comes in front of the header
    }
    CHECK(found == 1);
    const std::string altered = folder.file("wider.ctf");
    write_file(altered, bytes);
    return altered;
}

} // namespace

TEST_CASE("digest at N: both backends have the same hashes of planes and screens, and others than at 1x")
{
    const std::string stream = stream_path("s_triangle").string(); // 3 frames of 5 draws
    const std::vector<json> software = digest(stream);
    std::vector<json> vulkan = digest(stream, {"--backend", "vulkan"});
    CHECK(software.at(0).at("scale") == 2);
    CHECK(vulkan.at(0).at("backend") == "vulkan");
    vulkan[0]["backend"] = "software";
    CHECK(vulkan == software);
    const std::string plain = printed({"digest", stream});
    for (const json& line : software)
    {
        if (line.value("what", "") == "frame")
            CHECK(plain.find(line.at("top").get<std::string>()) == std::string::npos);
        else if (line.contains("draw"))
            CHECK(plain.find(line.at("written").get<std::string>()) == std::string::npos);
    }
}

TEST_CASE("digest at N: a byte of one plane, and a line that has planes, change the hash where guest memory "
          "is the same")
{
    GuestArena arena(0x1000);
    SilentReport report;
    SoftwareCore core(arena.memory(), report, {.threads = 1, .scale = 2});
    PlaneMemory& planes = *core.planes();
    samples::DigestBackend backend(core, {}, {[&](const ByteRange&) { return &planes; }, {}});
    const std::string plain = backend.memory_hash();
    planes.tracker().give(kVramBase, 64);
    planes.hold(kVramBase, 64);
    const std::string with_line = backend.memory_hash();
    CHECK(with_line != plain);
    for (u32 plane = 0; plane < planes.planes(); ++plane)
    {
        if (plane == planes.middle())
            continue;
        CAPTURE(plane);
        planes.store(plane, kVramBase + 63, std::vector<u8>{1});
        CHECK(backend.memory_hash() != with_line);
        planes.store(plane, kVramBase + 63, std::vector<u8>{0});
        CHECK(backend.memory_hash() == with_line);
    }
    planes.tracker().take(kVramBase, 64);
    CHECK(backend.memory_hash() == plain);
}

// The last variant of a draw is the draw itself. It leaves what the draw leaves in the stream only if planes were put back
// after each variant before it.
TEST_CASE("digest at N: a draw's last block leaves what the draw does, on both backends")
{
    const std::string stream = stream_path("s_triangle").string();
    const std::vector<json> lines = digest(stream);
    for (const u32 draw : {1u, 4u})
    {
        const auto line = std::find_if(lines.begin(), lines.end(),
                                       [&](const json& l)
                                       { return l.value("frame", 9) == 1 && l.value("draw", 99u) == draw; });
        REQUIRE(line != lines.end());
        json blocks[2];
        for (const u32 vulkan : {0u, 1u})
        {
            const json object = json::parse(
                printed({"digest", stream, "--scale", "2", "--frame", "1", "--draw", std::to_string(draw),
                         "--backend", vulkan != 0 ? "vulkan" : "software"}));
            CHECK(object.at("scale") == 2);
            blocks[vulkan] = object.at("blocks");
        }
        CHECK(blocks[0] == blocks[1]);
        CHECK(blocks[0].size() > 10);
        CHECK(blocks[0].back().at("hash") == line->at("written"));
    }
}

TEST_CASE("bisect at N: a difference that 1x does not show is found at its draw and block")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_triangle").string();
    const std::string wider = with_wider_viewport(stream, folder);
    // The list itself lies in memory; nothing else differs.
    const json plain = bisect(stream, wider, "1", {}, 1);
    CHECK(plain.at("results").at("a").at("what") == "frame");
    CHECK(plain.at("results").at("block") == "memory");
    const json scaled = bisect(stream, wider, "2", {}, 1);
    CHECK(scaled.at("scale") == 2);
    const json& place = scaled.at("results");
    CHECK(place.at("place") == "draw 0 of frame 0");
    CHECK(place.at("given") == json::array({"registers"}));
    CHECK(place.at("registers")[0].get<std::string>().starts_with("VIEWPORT_WIDTH = "));
    CHECK(place.at("block") == "interpolated colour");
}

TEST_CASE("bisect at N: programs and backends draw at N, and digests have to be of the same N")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("t_combiners").string();
    const json planted = bisect("software", PICAVK_PLANTED, "2", {"--stream", stream}, 1);
    CHECK(planted.at("results").at("block").get<std::string>().starts_with("combiner "));
    CHECK(planted.at("results").at("given").empty());

    const std::string text = printed({"digest", stream}), file = folder.file("plain.digest");
    write_file(file, {reinterpret_cast<const u8*>(text.data()), text.size()});
    const ProgramResult refused = run_picavk({"bisect", file, stream, "--scale", "2"});
    CHECK(refused.exit_code == 2);
    CHECK(refused.errors ==
          "picavk: digest " + file + " is at --scale 1, recording " + stream + " at --scale 2\n");
}
