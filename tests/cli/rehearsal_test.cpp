// SPDX-License-Identifier: MIT
// `picavk validate` on devices that draw one kind of draws inexactly: the rehearsal, which is held where there is a
// cache, leads to equal bytes.
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tests;

namespace
{

struct Case
{
    std::string rules;
    const char* stream; // has draws of that kind
};

// With a cache of its own, or without any.
ProgramResult validate(const Case& one, const TemporaryFolder& cache, bool cached)
{
    std::vector<std::string> command{"env", "XDG_CACHE_HOME=" + cache.path().string(), PICAVK_PROGRAM,
                                     "validate", stream_path(one.stream).string()};
    if (!cached)
        command.push_back("--no-cache");
    return run_program(command);
}

} // namespace

TEST_CASE("rehearsal: streams leave the same bytes on devices that draw one kind of draws inexactly")
{
    std::vector<Case> cases = {
        {"corrupt-lighting:1:1,pretend-cpu:1:1", "t_light_toon"},
        {"corrupt-procedural:1:1,pretend-cpu:1:1", "t_procedural"},
        {"corrupt-shadows:1:1,pretend-cpu:1:1", "t_shadow_map"},
        {"corrupt-gas:1:1,pretend-cpu:1:1", "t_gas"},
        {"corrupt-levels:1:1,pretend-cpu:1:1", "t_mipmaps"},
        {"corrupt-cubes:1:1,pretend-cpu:1:1", "t_texture_types"},
    };
    if (seed_scale() < 1)
        cases.resize(2); // under the sanitizers, which take several times as long
    for (const Case& one : cases)
    {
        CAPTURE(one.rules);
        const Faults faults(one.rules);
        const TemporaryFolder cache;
        // The verdict of the first run is kept for the second.
        for (int run = 0; run < 2; ++run)
        {
            const ProgramResult result = validate(one, cache, true);
            CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
        }
        CHECK(validate(one, cache, false).exit_code == 1);
    }
}

TEST_CASE(
    "rehearsal: a forced interlock is used where it is exact, and is an error that says so where it is not")
{
    const auto forced = [](const char* stream)
    {
        return run_picavk(
            {"validate", stream_path(stream).string(), "--no-cache", "--force", "blend=interlock"});
    };
    {
        const Faults faults(interlock_rule());
        for (const char* stream : {"t_blend_factors", "t_shadow_map", "t_gas"})
        {
            CAPTURE(std::string(stream));
            const ProgramResult result = forced(stream);
            CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
        }
    }
    const Faults faults("corrupt-interlock:1:1," + interlock_rule());
    const ProgramResult result = forced("t_blend_factors");
    CHECK(result.exit_code == 2);
    CHECK(result.errors.find("blend path interlock: the rehearsal found that this device") !=
          std::string::npos);
}
