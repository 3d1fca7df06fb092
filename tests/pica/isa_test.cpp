// SPDX-License-Identifier: MIT
// Instruction words and operand descriptors: the worked encodings of pica/hardware/test-vectors.md, and field
// positions.
#include "pica/shader/isa.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("isa: the worked words decode as documented")
{
    CHECK(decode_instruction(0x84000000).op == Opcode::Nop);
    CHECK(decode_instruction(0x88000000).op == Opcode::End);
    CHECK(decode_instruction(0xA8000000).op == Opcode::Emit);
    CHECK(decode_instruction(0xAC000000).op == Opcode::Setemit);

    Instruction in = decode_instruction(0x4C000000);
    CHECK(in.op == Opcode::Mov);
    CHECK(in.dst == 0);
    CHECK(in.src[0] == 0);
    CHECK(in.descriptor == 0);

    in = decode_instruction(0x4E225002);
    CHECK(in.op == Opcode::Mov);
    CHECK(in.dst == kFirstTemporary + 1);
    CHECK(in.src[0] == kFirstConstant + 5);
    CHECK(in.descriptor == 2);

    in = decode_instruction(0x0A020001);
    CHECK(in.op == Opcode::Dp4);
    CHECK(in.dst == kFirstTemporary);
    CHECK(in.src[0] == kFirstConstant);
    CHECK(in.src[1] == 0);
    CHECK(in.descriptor == 1);

    in = decode_instruction(0xF0009220);
    CHECK(in.op == Opcode::Mad);
    CHECK(in.dst == kFirstTemporary);
    CHECK(in.src[0] == 0);
    CHECK(in.src[1] == kFirstConstant + 4);
    CHECK(in.src[2] == kFirstTemporary + 1);
    CHECK(in.descriptor == 0);
}

TEST_CASE("isa: the worked descriptors decode as documented")
{
    const OperandDescriptor identity = decode_descriptor(0x0D86C36F);
    CHECK(identity.mask == 15);
    for (u32 n = 0; n < 3; n++)
    {
        CHECK(!identity.negate[n]);
        for (u32 i = 0; i < 4; i++)
            CHECK(identity.select[n][i] == i);
    }
    const OperandDescriptor reversed = decode_descriptor(0x00001C88);
    CHECK(reversed.mask == 1); // x
    for (u32 i = 0; i < 4; i++)
        CHECK(reversed.select[0][i] == 3 - i);
}

TEST_CASE("isa: descriptor bits stand where documented")
{
    CHECK(decode_descriptor(1).mask == 8); // w
    CHECK(decode_descriptor(8).mask == 1); // x
    CHECK(decode_descriptor(1u << 4).negate[0]);
    CHECK(decode_descriptor(1u << 13).negate[1]);
    CHECK(decode_descriptor(1u << 22).negate[2]);
    CHECK(decode_descriptor(3u << 11).select[0][0] == 3);
    CHECK(decode_descriptor(2u << 5).select[0][3] == 2);
    CHECK(decode_descriptor(3u << 20).select[1][0] == 3);
    CHECK(decode_descriptor(1u << 14).select[1][3] == 1);
    CHECK(decode_descriptor(3u << 29).select[2][0] == 3);
    CHECK(decode_descriptor(1u << 25).select[2][2] == 1);
}

TEST_CASE("isa: flow and emit fields stand where documented")
{
    Instruction in = decode_instruction(0x28u << 26 | 2u << 22 | 1u << 24 | 0x123u << 10 | 0x45);
    CHECK(in.op == Opcode::Ifc);
    CHECK(in.target == 0x123);
    CHECK(in.count == 0x45);
    CHECK(in.condition == ConditionOp::JustX);
    CHECK(in.ref_y);
    CHECK(!in.ref_x);

    in = decode_instruction(0x29u << 26 | 7u << 22 | 0x40u << 10);
    CHECK(in.op == Opcode::Loop);
    CHECK(in.uniform == 3); // only two bits exist
    CHECK(in.uniform_field == 7);

    in = decode_instruction(0x2Du << 26 | 9u << 22 | 0x40u << 10 | 1);
    CHECK(in.op == Opcode::Jmpu);
    CHECK(condition_of(in).bool_id == 9);
    CHECK(!condition_of(in).expected);

    in = decode_instruction(0x2Bu << 26 | 2u << 24 | 1u << 23 | 1u << 22);
    CHECK(in.vertex_id == 2);
    CHECK(in.emit_primitive);
    CHECK(in.invert_winding);
}

TEST_CASE("isa: CMP, MADI and MAD own several opcode values")
{
    CHECK(decode_instruction(0x2Eu << 26).op == Opcode::Cmp);
    const Instruction cmp = decode_instruction(0x17u << 27 | 5u << 24 | 2u << 21);
    CHECK(cmp.op == Opcode::Cmp);
    CHECK(cmp.compare_x == CompareOp::GreaterEqual);
    CHECK(cmp.compare_y == CompareOp::Less);
    for (u32 i = 0; i < 8; i++)
    {
        CHECK(decode_instruction((0x30u + i) << 26).op == Opcode::Madi);
        CHECK(decode_instruction((0x38u + i) << 26).op == Opcode::Mad);
    }
}

TEST_CASE("isa: the opcodes without a meaning are Undefined")
{
    for (const u32 op : {0x10u, 0x11u, 0x14u, 0x15u, 0x16u, 0x17u, 0x1Cu, 0x1Du, 0x1Eu, 0x1Fu})
        CHECK(decode_instruction(op << 26).op == Opcode::Undefined);
    u32 defined = 0;
    for (u32 op = 0; op < 64; op++)
        defined += decode_instruction(op << 26).op != Opcode::Undefined ? 1 : 0;
    CHECK(defined == 54);
}

TEST_CASE("isa: the index applies to c registers only")
{
    ProgramBuilder b;
    b.mov(r(0), c(3)[A0x]);
    b.mov(r(0), v(3)[A0x]);
    b.mad(r(0), v(0), c(2)[AL], v(1));
    b.mad(r(0), v(0), v(1), c(2)[A0y]);
    const auto words = b.words();
    CHECK(decode_instruction(words[0]).index == IndexRegister::A0x);
    CHECK(decode_instruction(words[0]).relative_source == 0);
    CHECK(decode_instruction(words[1]).index == IndexRegister::None);
    CHECK(decode_instruction(words[2]).index == IndexRegister::Al);
    CHECK(decode_instruction(words[2]).relative_source == 1);
    CHECK(decode_instruction(words[3]).op == Opcode::Madi);
    CHECK(decode_instruction(words[3]).index == IndexRegister::A0y);
    CHECK(decode_instruction(words[3]).relative_source == 2);
}

TEST_CASE("isa: conditions combine the two flags by their operator")
{
    for (u32 bits = 0; bits < 64; bits++)
    {
        const bool x = (bits & 1) != 0;
        const bool y = (bits & 2) != 0;
        Condition condition;
        condition.kind = Condition::Kind::Flags;
        condition.ref_x = (bits & 4) != 0;
        condition.ref_y = (bits & 8) != 0;
        condition.op = static_cast<ConditionOp>(bits >> 4);
        const bool ex = x == condition.ref_x;
        const bool ey = y == condition.ref_y;
        const bool expected[4] = {ex || ey, ex && ey, ex, ey};
        CHECK(condition.holds(x, y, 0) == expected[bits >> 4]);
    }
}

TEST_CASE("isa: the builder makes the worked words")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.end();
    b.nop();
    CHECK(b.words()[0] == 0x4C000000);
    CHECK(b.words()[1] == 0x88000000);
    CHECK(b.words()[2] == 0x84000000);
    CHECK(b.descriptors()[0] == 0x0D86C36F);
    b.mad(r(0), v(0), c(4), r(1));
    CHECK(b.words()[3] == 0xF0009220);
}
