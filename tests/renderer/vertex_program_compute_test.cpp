// SPDX-License-Identifier: MIT
// Compiled vertex programs on the device against both CPU interpreters: fetch, program, output map, bit for
// bit.
#include "pica/shader/flow.h"
#include "tests/support/device/compute_runner.h"
#include "tests/support/device/vertex_device.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

using namespace tests;

TEST_CASE("vertex compute: straight programs, compiled, give the interpreters' outputs")
{
    check_random_programs(VertexForm::Compiled, RandomFlow::None, "compiled straight programs", 30, 5000);
}

TEST_CASE("vertex compute: structured programs, compiled, give the interpreters' outputs")
{
    check_random_programs(VertexForm::Compiled, RandomFlow::Structured, "compiled structured programs", 200,
                          5000);
}

TEST_CASE("vertex compute: the instruction budget ends a program where the interpreter ends it")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Random random(7);
    pica::ShaderUniforms uniforms = random_uniforms(random);
    uniforms.i = {{{255, 0, 1, 0}, {200, 3, 2, 0}, {9, 0, 1, 0}, {0, 0, 0, 0}}};
    uniforms.b = 1;
    VertexDevice device(*runner);
    BatchInterpreter batch;
    const auto check = [&](const ProgramBuilder& b)
    {
        const VertexJob job = random_job(random, b.program(), uniforms);
        const u32 events = check_job(job, device.run(VertexForm::Compiled, {&job, 1})[0], batch);
        CHECK(check_job(job, device.run(VertexForm::Interpreted, {&job, 1})[0], batch) == events);
        return events;
    };

    ProgramBuilder nested; // counted loops
    nested.mov(r(0), c(1));
    nested.loop(0);
    nested.loop(1);
    nested.add(r(0), c(0)[AL], r(0));
    nested.mad(o(0), r(0), v(0), r(0));
    nested.max(o(1), c(2)[AL], r(0));
    nested.end_loop();
    nested.add(o(2), c(3), r(0));
    nested.end_loop();
    nested.mov(o(3), c(4));
    nested.end();
    CHECK(check(nested) == pica::kBudgetExhausted);
    uniforms.i[0][0] = 3;
    CHECK(check(nested) == 0);

    ProgramBuilder endless; // a switch
    endless.mov(r(0), c(1));
    endless.label("again");
    endless.add(r(0), c(2), r(0));
    endless.add(o(0), c(3), r(0));
    endless.nop();
    endless.mov(o(1), r(0));
    endless.jump_uniform(0, true, "again");
    endless.mov(o(2), r(0));
    endless.end();
    CHECK(check(endless) == pica::kBudgetExhausted);

    ProgramBuilder lost;
    lost.mov(o(0), c(1));
    lost.break_loop();
    lost.mov(o(1), c(1));
    lost.end();
    CHECK(check(lost) == pica::kBreakOutsideLoop);
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}

TEST_CASE("vertex compute: loops in a branch that is not taken do not use up those of the driver")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Random random(8);
    pica::ShaderUniforms uniforms = random_uniforms(random);
    uniforms.i = {{{199, 0, 1, 0}, {149, 0, 1, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}}};
    uniforms.b = 0;
    VertexDevice device(*runner);
    BatchInterpreter batch;
    ProgramBuilder b;
    b.mov(r(0), c(1));
    b.mov(r(1), c(1));
    b.loop(0);
    b.loop(1);
    b.if_uniform(0);
    for (u32 i = 0; i < 8; i++)
    {
        b.loop(2);
        b.mov(r(1), c(2));
        b.end_loop();
    }
    b.nop();
    b.end_if();
    b.add(r(0), c(3), r(0));
    b.end_loop();
    b.nop();
    b.end_loop();
    b.mov(o(0), r(0));
    b.mov(o(1), r(1));
    b.end();
    const VertexJob job = plain_job(b.program(), uniforms);
    const u32 interpreted = check_job(job, device.run(VertexForm::Interpreted, {&job, 1})[0], batch);
    CHECK(check_job(job, device.run(VertexForm::Compiled, {&job, 1})[0], batch) == interpreted);
}
