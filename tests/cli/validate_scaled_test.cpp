// SPDX-License-Identifier: MIT
// `picavk validate --scale N`: bundled streams leave the same bytes, screens and planes at N times the resolution, compared
// after each draw, list and frame, and on each forced path. PICAVK_LONG=1 takes all of it. A short run takes a few each
// day, which PICAVK_SEED=n names.
#include "tests/cli/program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace tests;

namespace
{

using Options = std::vector<std::string>;

constexpr u32 kRunsADay = 4;

// What each stream is validated with.
std::vector<Options> all_options()
{
    std::vector<Options> all;
    for (const char* scale : {"2", "3", "4"})
        for (const char* at : {"frame", "list", "draw"})
            all.push_back({"--scale", scale, "--at", at});
    // Some are paths only together with others.
    const std::vector<std::vector<std::string>> paths = {
        {"blend=barrier"},
        {"blend=raster-order"},
        {"vertex=cpu"},
        {"vertex=compute"},
        {"vertex=interpret"},
        {"vertex=compute", "geometry=device"},
        {"coverage=fixed"},
        {"coverage=shader"},
        {"ubershader=first"},
        {"ubershader=never"},
        {"ubershader=always"},
        {"ubershader=mixed"},
        {"ubershader=first", "standin=software", "compiler=at-creation"},
        {"ubershader=first", "standin=ubershader", "compiler=at-creation"},
        {"stencil=software"},
        {"ubershader=never", "compiler=at-creation"},
        {"blend=interlock"}};
    for (u32 n = 0; n < paths.size(); ++n)
        for (const char* at : {"frame", "draw"})
        {
            Options options{"--scale", std::to_string(2 + n % 3), "--at", at};
            for (const std::string& path : paths[n])
                options.insert(options.end(), {"--force", path});
            all.push_back(options);
        }
    return all;
}

// False: the device has no such path.
bool validates(const std::vector<std::string>& streams, const Options& options)
{
    std::vector<std::string> arguments{"validate", "--validation", "--jobs", "0"};
    for (const std::string& stream : streams)
        arguments.push_back(stream_path(stream).string());
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = run_picavk(arguments);
    if (result.exit_code == 2 && result.errors.find("the device has no") != std::string::npos)
        return false;
    CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
    CHECK(result.output.find(" 0 differing bytes") != std::string::npos);
    return true;
}

struct Run
{
    std::string stream;
    Options options;
};

// Each stream with each of the options, in an order that stays the same and has all kinds side by side.
std::vector<Run> shuffled_runs()
{
    std::vector<Run> runs;
    for (const Options& options : all_options())
        for (const std::string& stream : bundled_streams())
            runs.push_back({stream, options});
    Random random(18);
    for (u32 i = u32(runs.size()); i > 1; --i)
        std::swap(runs[i - 1], runs[random.below(i)]);
    return runs;
}

u32 today()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return u32(std::chrono::duration_cast<std::chrono::hours>(now).count() / 24);
}

} // namespace

TEST_CASE("validate: some bundled streams a day leave the same bytes and planes at N")
{
    SeedRange turns{today(), 1};
    chosen_seeds(turns);
    // The sanitizers take several times as long.
    const u32 count = seed_scale() < 1 ? 1 : kRunsADay;
    const std::vector<Run> runs = shuffled_runs();
    for (u32 turn = turns.first; turn - turns.first < turns.count; ++turn)
    {
        // A path that the device lacks is no run: the next one takes its place.
        u32 ran = 0;
        for (std::size_t i = 0; ran < count && i < runs.size(); ++i)
        {
            const Run& run = runs[(u64{turn} * kRunsADay + i) % runs.size()];
            std::string options;
            for (const std::string& option : run.options)
                options += " " + option;
            INFO("picavk validate ", run.stream, options, ", repeat with: ", repeat_command(turn));
            ran += validates({run.stream}, run.options);
        }
        CHECK(ran == count);
    }
}

TEST_CASE("validate: every bundled stream leaves the same bytes and planes at N on each forced path")
{
    if (!is_long_run())
        return;
    u32 ran = 0;
    for (const Options& options : all_options())
    {
        CAPTURE(options.back());
        ran += validates(bundled_streams(), options);
    }
    CHECK(ran >= 9 + 2 * 13); // a device may lack a path
}
