// SPDX-License-Identifier: MIT
// Which barriers are recorded between uses of resources, and which are not, because another one orders as much.
#include "renderer/pipelines/pass_dependency.h"
#include "renderer/vulkan/access_tracker.h"
#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

using namespace tests;
using namespace renderer;

namespace
{

// Barriers that the commands of a use have in front of them.
struct Barriers
{
    GpuFixture& gpu;

    u64 of(AccessTracker& tracker, const Access& access) const
    {
        tracker.use(*gpu.stream, access);
        return of_command();
    }
    u64 of_command() const
    {
        const u64 before = gpu.stream->counters.barriers;
        (void)gpu.stream->cmd();
        return gpu.stream->counters.barriers - before;
    }
};

AccessTracker shared()
{
    return AccessTracker(AccessTracker::Barriers::Shared);
}

} // namespace

TEST_CASE("access tracker: a barrier that another resource needed counts, for those that say so")
{
    GpuFixture gpu;
    const Barriers barriers{gpu};
    (void)barriers.of_command(); // what the fixture asked for
    AccessTracker first = shared(), second = shared(), own;
    for (AccessTracker* const tracker : {&first, &second, &own})
        CHECK(barriers.of(*tracker, kComputeWrite) == 0); // nothing used it before
    CHECK(barriers.of(first, kComputeRead) == 1);
    CHECK(barriers.of(second, kComputeRead) == 0);
    CHECK(barriers.of(second, kTransferRead) == 0); // a barrier to compute shaders is one to transfers
    CHECK(barriers.of(second, kFragmentRead) == 1); // but not one to fragment shaders
    CHECK(barriers.of(own, kComputeRead) == 1);
    // Reads of compute shaders and copies came behind the barriers.
    CHECK(barriers.of(second, kComputeWrite) == 1);
    CHECK(barriers.of(first, kComputeWrite) == 0); // the last barrier is behind its reads
}

TEST_CASE("access tracker: a barrier in front of a use does not count as one behind it")
{
    GpuFixture gpu;
    const Barriers barriers{gpu};
    (void)barriers.of_command(); // what the fixture asked for
    AccessTracker first = shared(), second = shared(), third = shared();
    CHECK(barriers.of(first, kComputeWrite) == 0);
    CHECK(barriers.of(second, kComputeWrite) == 0);
    // One barrier in front of commands that read the first and write the others.
    second.use(*gpu.stream, kComputeWrite);
    third.use(*gpu.stream, kComputeWrite);
    CHECK(barriers.of(first, kComputeRead) == 1);
    CHECK(barriers.of(third, kComputeRead) == 1);
    CHECK(barriers.of(second, kComputeRead) == 0);
    // Commands that came later than the use said.
    AccessTracker late = shared();
    late.use(*gpu.stream, kComputeWrite);
    CHECK(barriers.of(third, kComputeWrite) == 1);
    CHECK(barriers.of(third, kComputeWrite) == 1);
    late.recorded(*gpu.stream);
    CHECK(barriers.of(late, kComputeRead) == 1);
}

TEST_CASE("access tracker: a render pass needs no barrier for what its dependency orders")
{
    GpuFixture gpu;
    const Barriers barriers{gpu};
    (void)barriers.of_command(); // what the fixture asked for
    AccessTracker target = shared(), memory = shared();
    CHECK(barriers.of(target, kComputeWrite) == 0);
    CHECK(barriers.of(memory, kComputeWrite) == 0);
    const auto pass = [&]
    {
        const u64 before = gpu.stream->counters.barriers;
        target.use(*gpu.stream, kColorAttachment);
        (void)gpu.stream->cmd_before_pass(kPassDependency);
        target.recorded(*gpu.stream);
        return gpu.stream->counters.barriers - before;
    };
    CHECK(pass() == 0);
    CHECK(pass() == 0);
    // It orders what comes before it with the pass alone.
    CHECK(barriers.of(target, kComputeRead) == 1);
    CHECK(barriers.of(memory, kFragmentRead) == 1);
    memory.use(*gpu.stream, kComputeWrite); // whose barrier the pass cannot stand for
    CHECK(pass() == 1);
}
