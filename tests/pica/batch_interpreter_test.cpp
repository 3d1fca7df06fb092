// SPDX-License-Identifier: MIT
// The batched interpreter has the bits of the scalar one, whatever the program, the values and the branches.
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace tests;

namespace
{

struct Comparison
{
    u32 different = 0;
    u32 not_zero = 0;
    u32 first_lane = 0;
    u32 first_register = 0;
    u32 expected_events = 0;
    u32 events = 0;
};

// Runs `count` random vertices both ways.
Comparison compare_batch(Random& random, BatchInterpreter& batch, const Program& program,
                         const ShaderUniforms& uniforms, u32 count, bool ordinary)
{
    std::array<std::array<Vec4, 16>, BatchInterpreter::kLanes> inputs;
    for (u32 lane = 0; lane < BatchInterpreter::kLanes; lane++)
        for (u32 n = 0; n < 16; n++)
            for (u32 i = 0; i < 4; i++)
            {
                inputs[lane][n][i] =
                    ordinary ? static_cast<f32>(random.between(-256, 256)) * 0.125f : random_float24(random);
                batch.input(n, i)[lane] = inputs[lane][n][i];
            }
    Comparison result;
    result.events = batch.run(count);
    for (u32 lane = 0; lane < count; lane++)
    {
        std::array<Vec4, 16> outputs;
        result.expected_events |= run_vertex(program, uniforms, inputs[lane], outputs);
        for (u32 n = 0; n < 16; n++)
            for (u32 i = 0; i < 4; i++)
            {
                const f32 got = batch.output(n, i)[lane];
                result.not_zero += outputs[n][i] != 0.0f ? 1 : 0;
                if (std::memcmp(&got, &outputs[n][i], sizeof got) != 0 && result.different++ == 0)
                {
                    result.first_lane = lane;
                    result.first_register = n * 4 + i;
                }
            }
    }
    return result;
}

void compare_seeds(u32 seeds, RandomFlow flow, BatchKernel kernel)
{
    u32 not_zero = 0;
    BatchInterpreter batch(kernel);
    for_each_seed(seeds,
                  [&](u32, Random& random)
                  {
                      const Program program(random_program(random, flow), 0, ShaderStage::Vertex);
                      ShaderUniforms uniforms = random_uniforms(random);
                      const bool ordinary = random.chance(1, 2);
                      if (ordinary)
                          for (auto& constant : uniforms.f)
                              for (f32& component : constant)
                                  component = static_cast<f32>(random.between(-64, 64)) * 0.25f;
                      batch.bind(program, uniforms);
                      for (u32 i = 0; i < 2; i++)
                      {
                          const u32 count = 1 + random.below(BatchInterpreter::kLanes);
                          const Comparison c =
                              compare_batch(random, batch, program, uniforms, count, ordinary);
                          not_zero += c.not_zero;
                          INFO("first difference: lane ", c.first_lane, " of ", count, ", o",
                               c.first_register / 4, " component ", c.first_register % 4);
                          CHECK(c.different == 0);
                          CHECK(c.events == c.expected_events);
                      }
                  });
    CHECK(not_zero > 0);
}

} // namespace

TEST_CASE("batch interpreter: straight programs have the bits of the scalar interpreter")
{
    compare_seeds(400, RandomFlow::None, BatchKernel::Best);
    compare_seeds(200, RandomFlow::None, BatchKernel::Generic);
}

TEST_CASE("batch interpreter: structured programs have the bits of the scalar interpreter")
{
    compare_seeds(600, RandomFlow::Structured, BatchKernel::Best);
    compare_seeds(200, RandomFlow::Structured, BatchKernel::Generic);
}

TEST_CASE("batch interpreter: programs with wild control flow have the bits of the scalar interpreter")
{
    compare_seeds(600, RandomFlow::Wild, BatchKernel::Best);
    compare_seeds(200, RandomFlow::Wild, BatchKernel::Generic);
}

TEST_CASE("batch interpreter: every lane may take a way of its own")
{
    // Sums v0.x over LOOP until a lane-dependent BREAKC.
    ProgramBuilder b;
    b.loop(0);
    b.add(r(0)["x"], c(0), r(0));
    b.cmp(v(0), CompareOp::LessEqual, CompareOp::Equal, r(0));
    b.break_if({ConditionOp::JustX, true, true});
    b.nop();
    b.end_loop();
    b.mov(o(0), r(0)["xxxx"]);
    b.end();
    const Program program = b.program();
    ShaderUniforms uniforms;
    uniforms.f[0] = {1.0f, 1.0f, 1.0f, 1.0f};
    uniforms.i[0] = {255, 0, 1, 0};
    BatchInterpreter batch;
    batch.bind(program, uniforms);
    for (u32 lane = 0; lane < 32; lane++)
        batch.input(0, 0)[lane] = static_cast<f32>(lane + 1);
    CHECK(batch.run(32) == 0);
    for (u32 lane = 0; lane < 32; lane++)
        CHECK(batch.output(0, 3)[lane] == static_cast<f32>(lane + 1));
}

TEST_CASE("batch interpreter: registers start at zero in every batch")
{
    ProgramBuilder b;
    b.add(r(3), v(0), r(3));
    b.mova("x", v(0));
    b.mov(o(2), r(3));
    b.mov(o(3)["x"], c(1)[A0x]);
    b.end();
    ShaderUniforms uniforms;
    uniforms.f[3][0] = 9.0f;
    const Program program = b.program();
    BatchInterpreter batch;
    batch.bind(program, uniforms);
    for (u32 lane = 0; lane < 32; lane++)
        batch.input(0, 0)[lane] = 2.0f;
    for (u32 i = 0; i < 3; i++)
    {
        batch.run(5); // zeroes less than the next run needs
        CHECK(batch.output(2, 0)[4] == 2.0f);
        batch.run(32);
        CHECK(batch.output(2, 0)[31] == 2.0f);
        CHECK(batch.output(3, 0)[17] == 9.0f);
        CHECK(batch.output(3, 1)[17] == 0.0f);
    }
}

TEST_CASE("batch interpreter: a vertex that never ends is stopped and told")
{
    ProgramBuilder b;
    b.label("again");
    b.add(r(0), c(0), r(0));
    b.jump_uniform(0, false, "again");
    b.end();
    BatchInterpreter batch;
    const Program program = b.program();
    const ShaderUniforms uniforms;
    batch.bind(program, uniforms);
    CHECK(batch.run(5) == kBudgetExhausted);
}
