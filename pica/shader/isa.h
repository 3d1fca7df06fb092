// SPDX-License-Identifier: MIT
// The instruction set of the shader units: opcodes, instruction formats, operand descriptors. Instruction
// words are decoded here and nowhere else. Source: pica/hardware/shader-unit.md. Tests: isa_test.cpp
#pragma once

#include "pica/base/types.h"

#include <array>
#include <string_view>

namespace pica
{

// The value is the six-bit encoding. If an instruction has several encodings, it is the first.
enum class Opcode : u8
{
    Add = 0x00,
    Dp3 = 0x01,
    Dp4 = 0x02,
    Dph = 0x03,
    Dst = 0x04,
    Ex2 = 0x05,
    Lg2 = 0x06,
    Litp = 0x07,
    Mul = 0x08,
    Sge = 0x09,
    Slt = 0x0A,
    Flr = 0x0B,
    Max = 0x0C,
    Min = 0x0D,
    Rcp = 0x0E,
    Rsq = 0x0F,
    Mova = 0x12,
    Mov = 0x13,
    Dphi = 0x18,
    Dsti = 0x19,
    Sgei = 0x1A,
    Slti = 0x1B,
    Break = 0x20,
    Nop = 0x21,
    End = 0x22,
    Breakc = 0x23,
    Call = 0x24,
    Callc = 0x25,
    Callu = 0x26,
    Ifu = 0x27,
    Ifc = 0x28,
    Loop = 0x29,
    Emit = 0x2A,
    Setemit = 0x2B,
    Jmpc = 0x2C,
    Jmpu = 0x2D,
    Cmp = 0x2E,       // 2E, 2F
    Madi = 0x30,      // 30..37
    Mad = 0x38,       // 38..3F
    Undefined = 0xFF, // executes as NOP, reported
};

// Named as in pica/hardware/shader-unit.md, "Instruction formats".
enum class InstructionFormat : u8
{
    Bare,             // 0
    TwoSource,        // 1: src1 wide
    TwoSourceInverse, // 1i: src2 wide
    OneSource,        // 1u
    Compare,          // 1c
    FlowCondition,    // 2
    FlowUniform,      // 3
    SetEmit,          // 4
    Mad,              // 5: src2 wide
    MadInverse,       // 5i: src3 wide
};

enum class IndexRegister : u8
{
    None,
    A0x,
    A0y,
    Al,
};

enum class CompareOp : u8
{
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Always6, // [our rule] codes 6 and 7 are true
    Always7,
};

// How X = (cmp.x == ref_x) and Y = (cmp.y == ref_y) are combined to one condition.
enum class ConditionOp : u8
{
    Or,
    And,
    JustX,
    JustY,
};

// Source register codes: 0..15 v, 16..31 r, 32..127 c0..c95. Destination codes: 0..15 o, 16..31 r.
constexpr u8 kFirstTemporary = 0x10;
constexpr u8 kFirstConstant = 0x20;

// LITP clamps y to plus or minus this: min(max(y, -limit), limit).
constexpr f32 kLitpLimit = 127.99609375f;

// One decoded word. Fields that its format does not have are zero.
struct Instruction
{
    u32 word = 0;
    Opcode op = Opcode::Nop;
    InstructionFormat format = InstructionFormat::Bare;
    u8 descriptor = 0;
    u8 dst = 0;
    std::array<u8, 3> src = {};
    u8 source_count = 0;
    // Relative addressing: `index` applies to source `relative_source` (0..2). `index` is None if the wide
    // source is not a c register, because the hardware ignores the offset there [HW].
    u8 relative_source = 0;
    IndexRegister index = IndexRegister::None;
    CompareOp compare_x = CompareOp::Equal;
    CompareOp compare_y = CompareOp::Equal;
    // Flow control
    u16 target = 0; // "dst" in shader-unit.md
    u8 count = 0;   // "num"
    ConditionOp condition = ConditionOp::Or;
    bool ref_x = false;
    bool ref_y = false;
    u8 uniform = 0; // number of the bool or int register (int: low two bits of uniform_field)
    u8 uniform_field = 0;
    // SETEMIT
    u8 vertex_id = 0;
    bool emit_primitive = false;
    bool invert_winding = false;
};

// Component i of a source is source component select[n][i]; components are numbered x=0 .. w=3.
struct OperandDescriptor
{
    u8 mask = 0; // bit i = component i is written (reversed from the encoding, where bit 3 is x)
    std::array<bool, 3> negate = {};
    std::array<std::array<u8, 4>, 3> select = {};

    bool writes(u32 component) const { return (mask >> component & 1) != 0; }
};

// When a conditional flow instruction acts.
struct Condition
{
    enum class Kind : u8
    {
        Always,
        Flags, // cmp.x and cmp.y, combined by op with ref_x and ref_y
        Bool,  // b[bool_id] == expected
    };
    Kind kind = Kind::Always;
    bool inverted = false; // true: acts when the other fields are not met
    ConditionOp op = ConditionOp::Or;
    bool ref_x = false;
    bool ref_y = false;
    u8 bool_id = 0;
    bool expected = true;

    bool holds(bool cmp_x, bool cmp_y, u16 bools) const;
};

Instruction decode_instruction(u32 word);
OperandDescriptor decode_descriptor(u32 word);

// Upper-case mnemonic; "???" for Undefined.
std::string_view opcode_name(Opcode op);
// Everything that can move the program counter by itself: END and the families of BREAK, CALL, IF, LOOP and
// JMP.
bool is_flow(Opcode op);
// Does the instruction write dst under the mask of its descriptor?
bool writes_destination(Opcode op);
// Does the result depend on all components of the sources, whatever the mask (dot products and others)?
bool is_replicating(Opcode op);

Condition condition_of(const Instruction& instruction);

} // namespace pica
