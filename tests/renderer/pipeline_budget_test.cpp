// SPDX-License-Identifier: MIT
// More states, programs and kinds of transfers than the renderer keeps pipelines for: the number of pipelines
// stays bounded, and every picture is exact. The validation layers check that pipelines in use are not
// destroyed.
#include "tests/support/programs/program_builder.h"
#include "tests/support/suite/executor_scene.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace tests;
using renderer::Statistics;

namespace
{

constexpr u32 kBudget = 8;

// State i of many: another fragment shader, another program, another fixed-function state.
void set_state(ExecutorScene& e, u32 i)
{
    CommandListBuilder& list = e.scene.list;
    list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
    list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc(1 + i % 7));
    list.set(reg::FRAGOP_ALPHA_TEST::reference, 30 + 25 * (i % 7));
    list.set(reg::TEXENV_COMBINER::color_op, CombinerOp(i / 7 % 4), 0);
    list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Constant, 0);
    list.write(reg::TEXENV_COLOR::ids[0], 0x40506070u + i);
    list.set(reg::TEXENV_OPERAND::color_1, ColorOperand(i / 28 % 4), 0);
    list.set(reg::TEXENV_SCALE::color_scale, CombinerScale(i / 112 % 3), 0);
    list.set(reg::DEPTH_COLOR_MASK::depth_test, true);
    list.set(reg::DEPTH_COLOR_MASK::depth_func,
             i % 3 == 0 ? CompareFunc::Always : CompareFunc::GreaterOrEqual);
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.add(o(1), c(i % 90), v(1));
    for (u32 n = 0; n < i / 90 % 200; ++n)
        b.mov(r(1), v(1));
    b.end();
    list.upload_vertex_program(b.words(), b.descriptors(), 0);
    list.float_uniform(i % 90, {0.01f * f32(i % 50), 0.1f, 0.2f, 0.3f});
    list.set(reg::VSH_OUTMAP_MASK::mask, 3);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
}

// What may be held: the budget of draws and of three kinds of programs, what one draw adds before the next
// one looks, as much again that the device is not through with, and the fixed stages.
constexpr u32 most_held(u32 budget)
{
    return 2 * (budget + 3 * std::max(budget / 4, 4u)) + 12;
}

u64 resident_bytes()
{
    std::ifstream file("/proc/self/statm");
    u64 size = 0, resident = 0; // in pages
    file >> size >> resident;
    return resident * u64(sysconf(_SC_PAGESIZE));
}

Variant with_budget(Variant variant, u32 budget = kBudget)
{
    variant.pipeline_budget = budget;
    return variant;
}

} // namespace

TEST_CASE("pipeline budget: more states and programs than are kept leave exact pictures")
{
    ExecutorScene e(with_budget(kCompute), 51);
    e.topology(Topology::TriangleList);
    for (u32 i = 0; i < 36; ++i)
    {
        set_state(e, i < 24 ? i : 2 * (i - 24)); // the last ones come back
        e.arrays(i, 12);
        if (i % 9 != 8)
            continue;
        e.run(); // nine in one batch
        CHECK(e.machine.vulkan().statistics().pipelines_held <= most_held(kBudget));
        CHECK(e.machine.vulkan().statistics().shader_modules_held <= 6 * kBudget);
    }
    const Statistics s = e.machine.vulkan().statistics();
    CHECK(s.pipeline_evictions > 20);
    CHECK(s.pipelines > most_held(kBudget));
}

TEST_CASE("pipeline budget: a state comes back that was evicted while the planner remembers it")
{
    // The least budget is four pipelines. The fifth state evicts the second, but takes the place of the first in the planner.
    ExecutorScene e(with_budget(kCompute, 1), 53);
    e.topology(Topology::TriangleList);
    for (u32 i = 0; i < 36; ++i)
    {
        set_state(e, std::array{0u, 1u, 2u, 3u, 4u, 1u}[i % 6]);
        e.arrays(i, 12);
        if (i % 12 == 11)
            e.run();
    }
    CHECK(e.machine.vulkan().statistics().pipeline_evictions > 6);
}

TEST_CASE("pipeline budget: what workers finish for states that are gone does no harm")
{
    ExecutorScene e(with_budget(kRasterOrder), 52, Shaders::UbershaderFirst);
    e.topology(Topology::TriangleList);
    for (u32 i = 0; i < 40; ++i)
    {
        set_state(e, i);
        e.arrays(i % 48, 12);
        if (i % 5 != 4)
            continue;
        e.run();
        if (i % 10 == 9)
            e.machine.vulkan().finish_pipelines();
        CHECK(e.machine.vulkan().statistics().pipelines_held <= most_held(kBudget));
    }
    CHECK(e.machine.vulkan().statistics().pipeline_evictions > 0);
}

TEST_CASE("pipeline budget: thousands of states in bounded memory, in long runs")
{
    if (!is_long_run() || seed_scale() < 1)
        return;
    ExecutorScene e(with_budget(kCompute), 53);
    e.topology(Topology::TriangleList);
    constexpr u32 kStates = 3000, kSettled = 1000;
    u64 settled = 0;
    for (u32 i = 0; i < kStates; ++i)
    {
        set_state(e, i);
        e.arrays(i % 48, 12);
        if (i % 25 == 24)
        {
            e.run();
            CHECK(e.machine.vulkan().statistics().pipelines_held <= most_held(kBudget));
        }
        if (i == kSettled)
            settled = resident_bytes();
    }
    const u64 end = resident_bytes();
    std::printf("%u states: %llu MB, %llu MB after %u\n", kStates, static_cast<unsigned long long>(end >> 20),
                static_cast<unsigned long long>(settled >> 20), kSettled);
    CHECK(end < settled + (u64{128} << 20));
}
