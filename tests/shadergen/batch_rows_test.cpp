// SPDX-License-Identifier: MIT
// The rows that vertex programs of a batch read: where they lie, and which draws share them. That shaders read the same rows is
// tested on the device (tests/renderer/vertex_stage_compute_test.cpp).
#include "shadergen/batch_rows.h"
#include "shaders/include/layout.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

using pica::f32;
using pica::u32;
using shadergen::BatchDraw;
using shadergen::BatchRows;
using shadergen::constant_row;

namespace
{

// Names c5, c63, c64 and c95.
pica::Program few_constants()
{
    ProgramBuilder b;
    b.mul(r(0), c(95), v(0));
    b.add(r(0), c(5), r(0));
    b.add(r(0), c(64), r(0));
    b.add(o(0), c(63), r(0));
    b.end();
    return b.program();
}

pica::Program relative_constants()
{
    ProgramBuilder b;
    b.mova("x", v(0));
    b.mov(o(0), c(4)[A0x]);
    b.end();
    return b.program();
}

pica::Program no_constants()
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.end();
    return b.program();
}

// Draws of one batch. Constant n is n in x, until it is set.
struct Batch
{
    explicit Batch(const pica::Program& program)
    {
        for (u32 n = 0; n < 96; n++)
            uniforms.f[n] = {f32(n), 0, 0, 0};
        draw.program = &program;
        draw.uniforms = &uniforms;
    }
    void set(u32 n, f32 x)
    {
        uniforms.f[n][0] = x;
        draw.uniforms_revision++;
    }
    void add()
    {
        BatchDraw row{};
        row.constants = rows.add_constants(draw);
        rows.add(row);
        draws++;
    }
    // Writes the rows, and gives the row of the first constant of each draw.
    std::vector<u32> first_rows()
    {
        bytes.resize(rows.bytes());
        rows.write(bytes.data());
        std::vector<u32> first;
        for (u32 i = 0; i < draws; i++)
        {
            BatchDraw row;
            std::memcpy(&row, bytes.data() + i * sizeof row, sizeof row);
            first.push_back(row.constants.first);
        }
        return first;
    }
    // Of a row that was written.
    f32 x(u32 row) const
    {
        f32 value = 0;
        std::memcpy(&value, bytes.data() + row * 16, sizeof value);
        return value;
    }

    pica::ShaderUniforms uniforms;
    pica::Draw draw;
    BatchRows rows;
    std::vector<std::byte> bytes;
    u32 draws = 0;
};

} // namespace

TEST_CASE("batch rows: a draw has the constants that its program names, in order")
{
    const pica::Program program = few_constants();
    const u32 named[] = {5, 63, 64, 95};
    Batch batch(program);
    batch.draw.uniforms_revision = 1;
    batch.add();
    batch.set(63, 7);
    batch.add();
    CHECK(batch.rows.bytes() == 2 * sizeof(BatchDraw) + 8 * 16);
    const std::vector<u32> first = batch.first_rows();
    CHECK(first == std::vector<u32>{2 * BATCH_ROWS, 2 * BATCH_ROWS + 4});
    for (u32 i = 0; i < 4; i++)
    {
        CHECK(constant_row(program.usage(), named[i]) == i);
        CHECK(batch.x(first[0] + i) == f32(named[i]));
        CHECK(batch.x(first[1] + i) == (named[i] == 63 ? 7.0f : f32(named[i])));
    }
    CHECK(batch.rows.bytes() == 0); // the next batch begins
    batch.draws = 0;
    batch.add();
    CHECK(batch.first_rows() == std::vector<u32>{BATCH_ROWS});
    CHECK(batch.x(BATCH_ROWS + 1) == 7.0f);
}

TEST_CASE("batch rows: a program with relative addresses has all constants")
{
    const pica::Program program = relative_constants();
    Batch batch(program);
    batch.add();
    const std::vector<u32> first = batch.first_rows();
    CHECK(batch.bytes.size() == sizeof(BatchDraw) + 96 * 16);
    for (const u32 n : {0u, 4u, 64u, 95u})
    {
        CHECK(constant_row(program.usage(), n) == n);
        CHECK(batch.x(first[0] + n) == f32(n));
    }
}

TEST_CASE("batch rows: draws share constants that are the same")
{
    const pica::Program program = few_constants(), other = relative_constants();
    Batch batch(program);
    batch.draw.uniforms_revision = 1;
    batch.add();
    batch.add();     // nothing changed
    batch.set(6, 9); // none of the program's
    batch.add();
    batch.set(64, 9);
    batch.add();
    batch.set(64, 64); // what it was in the first draw, but not in the one before
    batch.add();
    batch.draw.program = &other; // of the same uniforms it has others
    batch.add();
    batch.set(64, 64); // the same value
    batch.add();
    batch.draw.uniforms_revision = 0; // nobody says when these change
    batch.add();
    batch.uniforms.f[64][0] = 10;
    batch.add();
    const u32 begin = 9 * BATCH_ROWS;
    const std::vector<u32> first = batch.first_rows();
    CHECK(first == std::vector<u32>{begin, begin, begin, begin + 4, begin + 8, begin + 12, begin + 12,
                                    begin + 12, begin + 108});
    CHECK(batch.x(first[7] + 64) == 64.0f);
    CHECK(batch.x(first[8] + 64) == 10.0f);
}

TEST_CASE("batch rows: a program without constants has no rows of them")
{
    const pica::Program program = no_constants();
    Batch batch(program);
    batch.draw.uniforms_revision = 1;
    batch.add();
    batch.set(0, 1);
    batch.add();
    CHECK(batch.rows.bytes() == 2 * sizeof(BatchDraw));
}
