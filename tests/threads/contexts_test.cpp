// SPDX-License-Identifier: MIT
// Machines in threads of their own are independent of each other. Here they are software cores, built under
// ThreadSanitizer too (preset tsan), which is why this program links pica alone. Vulkan:
// tests/api/vulkan_threads_test.cpp.
#include "tests/threads/stream_machine.h"

#include "pica/soft/software_core.h"

#include <doctest/doctest.h>

using namespace tests;

namespace
{

const Machine kSoftware{.make = [](GuestMemory& memory, Report& report) {
    return std::make_unique<SoftwareCore>(memory, report, SoftwareOptions{.threads = 2});
}};

const Machine kInFlight{.make = [](GuestMemory& memory, Report& report)
                        {
                            return std::make_unique<SoftwareCore>(
                                memory, report, SoftwareOptions{.threads = 3, .keeps_draws_in_flight = true});
                        }};

} // namespace

TEST_CASE("threads: draws in flight leave what draws leave that are finished one by one")
{
    for (const char* stream : {"s_lit_spheres", "s_shadow", "s_2d_sprites", "t_gas"})
        CHECK_MESSAGE(play_stream(kInFlight, stream) == play_stream(kSoftware, stream), stream);
}

TEST_CASE("threads: software contexts in two threads leave what each leaves alone")
{
    check_concurrent_runs(kSoftware, {"s_textured_cubes", "t_geometry_fixed"});
    check_concurrent_runs(kSoftware, {"s_lit_spheres", "s_lit_spheres"});
    check_concurrent_runs(kInFlight, {"s_lit_spheres", "s_stencil_outline"});
}
