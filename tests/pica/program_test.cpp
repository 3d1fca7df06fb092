// SPDX-License-Identifier: MIT
// Programs: content and hash over what can execute, and what they use.
#include "pica/base/report.h"
#include "pica/shader/program.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pica;

namespace
{

ProgramBuilder example()
{
    ProgramBuilder b;
    b.mad(r(2)["xy"], v(3)["zzww"], c(9), r(1));
    b.mov(o(4)["w"], c(10)[A0x]);
    b.if_uniform(6);
    b.dp3(o(4)["x"], c(11), v(5));
    b.nop();
    b.end_if();
    b.loop(2);
    b.nop();
    b.end_loop();
    b.end();
    return b;
}

} // namespace

TEST_CASE("program: unreachable words and unreferenced descriptors do not change the content")
{
    ShaderCode code = example().code();
    const Program first(code, 0, ShaderStage::Vertex);
    code.write_word(300, 0x12345678);
    code.write_descriptor(100, 0xFFFFFFFF);
    const Program second(code, 0, ShaderStage::Vertex);
    CHECK(first.hash() == second.hash());
    CHECK(std::equal(first.content().begin(), first.content().end(), second.content().begin(),
                     second.content().end()));
}

TEST_CASE("program: reachable words, referenced descriptors, entry and stage change the hash")
{
    const ShaderCode code = example().code();
    const u64 hash = Program(code, 0, ShaderStage::Vertex).hash();
    ShaderCode word = code;
    word.write_word(0, code.words[0] ^ 1u << 20);
    CHECK(Program(word, 0, ShaderStage::Vertex).hash() != hash);
    ShaderCode descriptor = code;
    descriptor.write_descriptor(0, code.descriptors[0] ^ 1);
    CHECK(Program(descriptor, 0, ShaderStage::Vertex).hash() != hash);
    CHECK(Program(code, 1, ShaderStage::Vertex).hash() != hash);
    CHECK(Program(code, 0, ShaderStage::Geometry).hash() != hash);
}

TEST_CASE("program: the hash of given words never changes")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.end();
    const Program p = b.program();
    CHECK(p.content().size() == 9);
    const std::vector<u32> expected = {0, 0, 0, 2, 0x4C000000, 0x88000000, 1, 0, 0x0D86C36F};
    CHECK(std::equal(expected.begin(), expected.end(), p.content().begin(), p.content().end()));
}

TEST_CASE("program: usage names registers and components")
{
    const ProgramUsage u = example().program().usage();
    CHECK(u.inputs == (1 << 3 | 1 << 5));
    CHECK(u.input_masks[3] == 4); // .zzww under the mask xy: only z
    CHECK(u.input_masks[5] == 7);
    CHECK(u.outputs == 1 << 4);
    CHECK(u.output_masks[4] == 9);
    CHECK(u.temporaries_read == 1 << 1);
    CHECK(u.temporaries_written == 1 << 2);
    CHECK(u.constants.count() == 3);
    CHECK(u.constants[9]);
    CHECK(u.relative);
    CHECK(u.relative_a0);
    CHECK(u.bools == 1 << 6);
    CHECK(u.ints == 1 << 2);
    CHECK(u.loops);
    CHECK(!u.flags);
    CHECK(!u.emits);
}

TEST_CASE("program: addresses behind the code memory and missing ENDs are reported")
{
    const auto causes = [](const ProgramBuilder& b)
    {
        OnceReport report(nullptr);
        report_anomalies(b.program(), report);
        return report.counts().size();
    };
    ProgramBuilder fine;
    fine.jump_uniform(0, true, "last");
    fine.org(510);
    fine.label("last");
    fine.end();
    CHECK(fine.program().usage().jumps_outside == false);
    CHECK(causes(fine) == 0);

    ProgramBuilder outside;
    outside.raw(ProgramBuilder::flow_word(Opcode::Callu, 511, 1, 3));
    outside.end();
    CHECK(outside.program().usage().jumps_outside);
    CHECK(causes(outside) == 1);

    ProgramBuilder endless; // zeros behind it are ADD
    endless.mov(o(0), v(0));
    CHECK(endless.program().usage().runs_off);
    CHECK(causes(endless) == 1);
}

TEST_CASE("program: code memory takes what fits and counts changes")
{
    ShaderCode code(ShaderStage::Vertex);
    const u64 revision = code.revision;
    CHECK(code.write_word(511, 5));
    CHECK(!code.write_word(512, 5));
    CHECK(code.revision == revision + 1);
    CHECK(code.write_word(511, 5));
    CHECK(code.revision == revision + 1);
    CHECK(code.write_descriptor(127, 1));
    CHECK(!code.write_descriptor(128, 1));
    CHECK(code.revision == revision + 2);
    CHECK(ShaderCode(ShaderStage::Geometry).write_word(4095, 1));
}

TEST_CASE("program: any memory contents decode")
{
    tests::for_each_seed(
        20,
        [](u32, tests::Random& random)
        {
            const ShaderStage stage = random.chance(1, 4) ? ShaderStage::Geometry : ShaderStage::Vertex;
            ShaderCode code(stage);
            for (u32& word : code.words)
                word = random.chance(1, 2) ? random.next() : 0x90000000u + (random.next() & 0xFFFFFFF);
            const Program program(code, random.next(), stage);
            CHECK(program.cfg().structured == program.cfg().reason.empty());
            CHECK(program.content().size() >= 3);
        });
}
