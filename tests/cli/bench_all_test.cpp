// SPDX-License-Identifier: MIT
// `picavk bench --all`: figures of many streams, beside those of an earlier run, and what they count.
#include "samples/cli/stream_traffic.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <random>

using namespace pica;
using namespace tests;

namespace
{

const std::string kTriangle = stream_path("s_triangle").string();
const std::string kLcd = stream_path("t_lcd").string();

nlohmann::json parsed(const ProgramResult& result)
{
    const nlohmann::json json = nlohmann::json::parse(result.output, nullptr, false);
    REQUIRE_MESSAGE(json.is_object(), result.output << result.errors);
    return json;
}

void write_text(const std::string& path, const std::string& text)
{
    write_file(path, std::span(reinterpret_cast<const u8*>(text.data()), text.size()));
}

ProgramResult run_all(std::vector<std::string> arguments)
{
    const std::vector<std::string> fixed = {"bench", "--all", "--backend", "software", "--frames", "2"};
    arguments.insert(arguments.begin(), fixed.begin(), fixed.end());
    return run_picavk(arguments);
}

struct Corner
{
    s64 x, y; // in 1/16 pixel
};
using Corners = std::array<Corner, 3>; // anticlockwise, with y up

// Twice the area of the triangle a, b, p, in 1/256 pixel.
s64 area_of(const Corner& a, const Corner& b, const Corner& p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// By the definition: a centre on an edge belongs to the triangle if the triangle lies right of the edge, or above it.
u64 count_one_by_one(const Corners& c, const PixelRect& rect)
{
    u64 count = 0;
    for (s32 y = rect.y1; y < rect.y2; ++y)
        for (s32 x = rect.x1; x < rect.x2; ++x)
        {
            const Corner centre = {16 * x + 8, 16 * y + 8};
            bool inside = true;
            for (u32 i = 0; i < 3; ++i)
            {
                const Corner& from = c[i];
                const Corner& to = c[(i + 1) % 3];
                const s64 e = area_of(from, to, centre);
                const bool takes_edge = to.y < from.y || (to.y == from.y && to.x > from.x);
                inside = inside && (e > 0 || (e == 0 && takes_edge));
            }
            count += inside;
        }
    return count;
}

// The edge opposite corner i, as A, B, C at the centre of pixel (x, y).
std::array<s64, 3> edge_of(const Corners& c, u32 i)
{
    const Corner& from = c[(i + 1) % 3];
    const Corner& to = c[(i + 2) % 3];
    return {16 * (from.y - to.y), 16 * (to.x - from.x), area_of(from, to, {8, 8})};
}

} // namespace

TEST_CASE("bench --all: fragments are the pixels that triangles cover")
{
    std::mt19937 random(5);
    std::uniform_int_distribution<s64> place(-400, 400);
    u64 covered = 0;
    for (u32 round = 0; round < 3000; ++round)
    {
        // Half of the corners on centres and edges of pixels, where the fill rule decides.
        const s64 grid = round % 2 == 0 ? 8 : 1;
        Corners c;
        for (Corner& corner : c)
            corner = {place(random) / grid * grid, place(random) / grid * grid};
        s64 area = area_of(c[0], c[1], c[2]);
        if (area < 0)
        {
            std::swap(c[0], c[1]);
            area = -area;
        }
        if (area == 0)
            continue;
        const PixelRect rect = {-12, -9, s32(round % 30) - 9, 14};
        for (const bool wide : {false, true})
        {
            RecordLayout layout;
            layout.wide = wide ? 1 : 0;
            std::array<u32, kRecordHeader + 3> record{};
            for (u32 i = 0; i < 2; ++i)
            {
                const auto [a, b, constant] = edge_of(c, i);
                const u32 word = i == 0 ? kRecordEdge0 : kRecordEdge1;
                record[word] = u32(a);
                record[word + 1] = u32(b);
                record[word + 2] = u32(constant);
                record[kRecordHeader + i] = u32(u64(constant) >> 32);
            }
            record[kRecordArea] = u32(area);
            const u64 expected = count_one_by_one(c, rect);
            CHECK(samples::covered_pixels(layout, record.data(), rect) == expected);
            covered += expected;
        }
    }
    CHECK(covered > 100000);
}

TEST_CASE("bench --all: figures of each stream, and ratios to an earlier run")
{
    const TemporaryFolder folder;
    std::filesystem::copy_file(kLcd, folder.file("b_copy.ctf"));
    std::filesystem::copy_file(kTriangle, folder.file("a_copy.ctf"));
    write_text(folder.file("notes.txt"), "no stream");
    const ProgramResult first = run_all({folder.path().string(), kTriangle, "--json"});
    CHECK_MESSAGE(first.exit_code == 0, first.errors);
    const nlohmann::json before = parsed(first);
    CHECK(before.at("picavk_bench") == 1);
    const double bandwidth = before.at("memory_bytes_per_second");
    CHECK(bandwidth > 0.0);
    REQUIRE(before.at("streams").size() == 3);
    const char* const names[] = {"a_copy", "b_copy", "s_triangle"};
    for (u32 i = 0; i < 3; ++i)
    {
        const nlohmann::json& stream = before.at("streams")[i];
        CHECK(stream.at("stream") == names[i]);
        const double per_second = 1e3 / stream.at("median_ms").get<double>();
        for (const std::string what : {"fragments", "vertices", "bytes"})
        {
            const double per_frame = stream.at(what + "_per_frame");
            CHECK(per_frame > 0.0);
            CHECK(stream.at(what + "_per_second") == doctest::Approx(per_frame * per_second));
        }
        CHECK(stream.at("share_of_memory_bandwidth").get<double>() * bandwidth ==
              doctest::Approx(stream.at("bytes_per_second")));
        CHECK(!stream.contains("ratio_to_before"));
    }
    for (const std::string what : {"fragments_per_frame", "vertices_per_frame", "bytes_per_frame"})
        CHECK(before.at("streams")[0].at(what) == before.at("streams")[2].at(what));

    write_text(folder.file("before.json"), first.output);
    const ProgramResult second = run_all({kTriangle, kLcd, "--before", folder.file("before.json"), "--json"});
    CHECK_MESSAGE(second.exit_code == 0, second.errors);
    const nlohmann::json now = parsed(second);
    CHECK(now.at("streams_compared") == 1);
    const nlohmann::json& triangle = now.at("streams")[0];
    CHECK(triangle.at("before_median_ms") == before.at("streams")[2].at("median_ms"));
    CHECK(triangle.at("ratio_to_before").get<double>() ==
          doctest::Approx(triangle.at("median_ms").get<double>() /
                          triangle.at("before_median_ms").get<double>()));
    CHECK(now.at("mean_ratio_to_before").get<double>() ==
          doctest::Approx(triangle.at("ratio_to_before").get<double>()));
    CHECK(!now.at("streams")[1].contains("ratio_to_before"));
}

TEST_CASE("bench --all: the table has a line for each stream, and goes on after a bad file")
{
    const ProgramResult result = run_all({kTriangle, "/nonexistent/a.ctf", kLcd});
    CHECK(result.exit_code == 2);
    CHECK(result.errors.starts_with("picavk: /nonexistent/a.ctf: "));
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    const std::size_t triangle = result.output.find("\ns_triangle ");
    const std::size_t lcd = result.output.find("\nt_lcd ");
    REQUIRE(triangle != std::string::npos);
    REQUIRE(lcd != std::string::npos);
    CHECK(triangle < lcd);
    CHECK(result.output.find("memory bandwidth, copying: ") > lcd);
}

TEST_CASE("bench --all: arguments that do not go together, and files of other kinds, are one line")
{
    const TemporaryFolder folder;
    write_text(folder.file("other.json"), "{\"picavk_results\":1,\"streams\":[]}");
    write_text(folder.file("broken.json"), "{\"picavk_bench\":1,\"streams\":[{\"stream\":3}]}");
    std::filesystem::copy_file(kTriangle, folder.file("s_triangle.ctf"));
    std::filesystem::create_directory(folder.path() / "empty");
    const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
        {{"bench", kTriangle, kLcd}, "several streams: --all"},
        {{"bench", kTriangle, "--before", folder.file("other.json")}, "--before: only --all"},
        {{"bench", "--all", kTriangle, "--before", folder.file("other.json")},
         "other.json: this is not what"},
        {{"bench", "--all", kTriangle, "--before", folder.file("broken.json")},
         "broken.json: this is not what"},
        {{"bench", "--all", kTriangle, "--before", folder.file("none.json")}, "none.json: "},
        {{"bench", "--all", folder.file("empty")}, "empty: there are no .pvk and no .ctf files"},
        {{"bench", "--all", kTriangle, folder.path().string()}, "another stream has the same name"},
    };
    for (const auto& [command, text] : commands)
    {
        const ProgramResult result = run_picavk(command);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK(result.errors.find(text) != std::string::npos);
    }
}

TEST_CASE("bench: times of the device by kind of work")
{
    const ProgramResult result =
        run_picavk({"bench", stream_path("s_triangle").string(), "--backend", "vulkan", "--once", "--frames",
                    "4", "--force", "ubershader=never", "--device-times", "--no-cache", "--json"});
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    const auto json = nlohmann::json::parse(result.output);
    CHECK(json["device_wait_ms_per_frame"] >= 0.0);
    const auto& kinds = json["device_ms_per_frame"];
    double sum = 0.0;
    for (const char* kind : {"draw batch", "display transfer", "memory fill"})
    {
        REQUIRE_MESSAGE(kinds.contains(kind), result.output);
        sum += kinds[kind].get<double>();
    }
    CHECK(sum > 0.0);
    CHECK(sum <= kinds["picavk frame"].get<double>() * 1.001);
}
