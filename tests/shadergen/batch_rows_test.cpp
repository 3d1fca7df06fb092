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
using pica::FetchInput;
using pica::u32;
using shadergen::BatchDraw;
using shadergen::BatchInput;
using shadergen::BatchRows;
using shadergen::constant_row;
using shadergen::PlacesRow;
using shadergen::VertexPlacement;

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

// Reads v1, v4 and v15; loops over i2 and names c3 and c90.
pica::Program three_inputs()
{
    ProgramBuilder b;
    b.mul(r(0), c(90), v(15));
    b.loop(2);
    b.add(r(0), c(3), v(4));
    b.end_loop();
    b.add(o(0), r(0), v(1));
    b.end();
    return b.program();
}

pica::Program relative_loop()
{
    ProgramBuilder b;
    b.loop(1);
    b.add(o(0), c(4)[AL], v(0));
    b.end_loop();
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
        rows.add(rows.describe(draw, placement));
        draws++;
    }
    // Writes the rows, and gives where the data of each draw is.
    std::vector<PlacesRow> places()
    {
        bytes.resize(rows.bytes());
        rows.write(bytes.data());
        std::vector<PlacesRow> result;
        for (u32 i = 0; i < draws; i++)
            result.push_back(read<BatchDraw>(i * BATCH_ROWS).places);
        draws = 0;
        return result;
    }
    // The row of the first constant of each draw.
    std::vector<u32> first_rows()
    {
        std::vector<u32> first;
        for (const PlacesRow& row : places())
            first.push_back(row.constants);
        return first;
    }
    // What lies at a row that was written.
    template <typename T>
    T read(u32 row) const
    {
        T value;
        std::memcpy(&value, bytes.data() + row * 16, sizeof value);
        return value;
    }
    // Of a row that was written.
    f32 x(u32 row) const { return read<f32>(row); }

    pica::ShaderUniforms uniforms;
    pica::Draw draw;
    VertexPlacement placement{.mirror = {{{0x18000000, 0x600000}, {0x20000000, 0x8000000}}}};
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
    CHECK(batch.rows.bytes() == 2 * sizeof(BatchDraw) + sizeof(BatchInput) + 8 * 16);
    const std::vector<u32> first = batch.first_rows();
    const u32 begin = 2 * BATCH_ROWS + BATCH_INPUT_ROWS;
    CHECK(first == std::vector<u32>{begin, begin + 4});
    for (u32 i = 0; i < 4; i++)
    {
        CHECK(constant_row(program.usage(), named[i]) == i);
        CHECK(batch.x(first[0] + i) == f32(named[i]));
        CHECK(batch.x(first[1] + i) == (named[i] == 63 ? 7.0f : f32(named[i])));
    }
    CHECK(batch.rows.bytes() == 0); // the next batch begins
    batch.add();
    CHECK(batch.first_rows() == std::vector<u32>{BATCH_ROWS + BATCH_INPUT_ROWS});
    CHECK(batch.x(BATCH_ROWS + BATCH_INPUT_ROWS + 1) == 7.0f);
}

TEST_CASE("batch rows: a program with relative addresses has all constants")
{
    const pica::Program program = relative_constants();
    Batch batch(program);
    batch.add();
    const std::vector<u32> first = batch.first_rows();
    CHECK(batch.bytes.size() == sizeof(BatchDraw) + sizeof(BatchInput) + 96 * 16);
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
    const u32 begin = 9 * BATCH_ROWS + BATCH_INPUT_ROWS; // the programs read the same input
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
    CHECK(batch.rows.bytes() == 2 * sizeof(BatchDraw) + sizeof(BatchInput));
}

TEST_CASE("batch rows: integer registers lie in front of the constants of a program that loops")
{
    const pica::Program program = three_inputs();
    Batch batch(program);
    batch.uniforms.i[2] = {7, 1, 255, 0};
    batch.add();
    const u32 first = batch.first_rows()[0];
    CHECK(batch.read<shadergen::ivec4>(first + 2) == shadergen::ivec4{7, 1, 255, 0});
    CHECK(batch.x(first + constant_row(program.usage(), 3)) == 3.0f);
    CHECK(batch.x(first + constant_row(program.usage(), 90)) == 90.0f);
    CHECK(batch.bytes.size() == sizeof(BatchDraw) + 3 * sizeof(BatchInput) + 6 * 16);

    const pica::Program relative = relative_loop();
    Batch all(relative);
    all.uniforms.i[1] = {3, 0, 1, 0};
    all.add();
    const u32 begin = all.first_rows()[0];
    CHECK(all.read<shadergen::ivec4>(begin + 1) == shadergen::ivec4{3, 0, 1, 0});
    CHECK(constant_row(relative.usage(), 0) == 4);
    CHECK(all.x(begin + 4 + 95) == 95.0f);
    CHECK(all.bytes.size() == sizeof(BatchDraw) + sizeof(BatchInput) + 100 * 16);
}

TEST_CASE("batch rows: a draw has the inputs that its program reads, lowest register first")
{
    const pica::Program program = three_inputs();
    Batch batch(program);
    batch.draw.source.input[1] = {
        FetchInput::Source::Memory, pica::AttributeType::S16, 3, 12, 0, 0x20000100, {}};
    batch.draw.source.input[3] = {FetchInput::Source::Fixed, {}, 0, 0, 0, 0, {1, 1, 1, 1}}; // unread
    batch.draw.source.input[15] = {FetchInput::Source::Fixed, {}, 0, 0, 0, 0, {1, 2, 3, 4}};
    batch.add();
    const u32 first = batch.places()[0].inputs;
    CHECK(first == BATCH_ROWS);
    const auto input = [&](u32 n) { return batch.read<BatchInput>(first + n * BATCH_INPUT_ROWS); };
    CHECK(input(0).config.format == (1u | 2u << 2 | 3u << 4 | 12u << 8));
    CHECK(input(0).config.offset == 0x100);
    CHECK(input(0).config.region == 1);
    CHECK(input(0).config.available == 0x8000000 - 0x100);
    CHECK(input(1).config.format == 0);
    CHECK(input(2).config.format == 2);
    CHECK(input(2).fixed_value == shadergen::vec4{1, 2, 3, 4});
}

TEST_CASE("batch rows: draws share inputs that are the same, and no others")
{
    const pica::Program program = three_inputs(), other = no_constants();
    Batch batch(program);
    FetchInput& input = batch.draw.source.input[4];
    input = {FetchInput::Source::Memory, pica::AttributeType::F32, 2, 8, 0, 0x18000000, {}};
    const auto add = [&](pica::u64 revision)
    {
        batch.draw.inputs_revision = revision;
        batch.add();
    };
    add(1);
    add(1);
    add(2); // nothing changed, as it turns out
    input.address += 16;
    add(3);
    batch.draw.program = &other; // reads v0
    add(3);
    batch.draw.program = &program;
    add(3);
    add(0); // nobody says when they change
    input.address += 16;
    add(0);
    // Values of immediate mode lie elsewhere in each draw.
    input = {FetchInput::Source::Inline, {}, 0, 0, 1, 0, {}};
    batch.draw.source.inline_attributes = 2;
    batch.placement.inline_offset = 0x400;
    add(4);
    batch.placement.inline_offset = 0x800;
    add(4);
    const std::vector<PlacesRow> places = batch.places();
    const u32 begin = 10 * BATCH_ROWS;
    std::vector<u32> inputs;
    for (const PlacesRow& row : places)
        inputs.push_back(row.inputs - begin);
    CHECK(inputs == std::vector<u32>{0, 0, 0, 6, 12, 14, 14, 20, 26, 32});
    const auto offset = [&](u32 draw)
    { return batch.read<BatchInput>(places[draw].inputs + 2).config.offset; };
    CHECK(offset(3) == 16);
    CHECK(offset(6) == 16);
    CHECK(offset(7) == 32);
    CHECK(offset(8) == 0x410);
    CHECK(offset(9) == 0x810);
}
