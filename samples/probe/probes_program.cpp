// SPDX-License-Identifier: MIT
// Probes of instructions that exist in odd forms, of loops, and of the end of code memory. Each function also makes the work
// that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 8;

// What every program of this file does with the other attributes.
void pass_rest(ShaderText& text)
{
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(2), input(2));
    text.one(Opcode::Mov, output(3), constant(1)).one(Opcode::Mov, output(4), constant(2));
}

// A rectangle in the colour of the program.
ProbeScene program_scene(const ShaderText& text)
{
    ProbeScene scene(kSize, kSize);
    scene.program(text);
    scene.rectangle(0, 0, kSize, kSize);
    // c8 to c11, and c24 to c31, whose x tells which of them was read.
    scene.uniform(8, {0, 1, channel(64), channel(191)});
    scene.uniform(9, {channel(128), channel(128), 1, channel(32)});
    for (u32 i = 0; i < 8; ++i)
        scene.uniform(24 + i, {channel(25 * i), 0, channel(200 - 25 * i), 1});
    return scene;
}

Probe program_probe(const char* name, const ShaderText& text, u32 loop = 0)
{
    Probe probe(name);
    ProbeScene scene = program_scene(text);
    scene.write(reg::VSH_INTUNIFORM_I::id, loop);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

constexpr u32 loop_word(u32 x, u32 y, u32 z)
{
    return x | y << 8 | z << 16;
}

} // namespace

// DSTI of a temporary and a constant. The alternative: its operands change places, so that it is DST of the constant and
// the temporary.
Probe probe_dsti(u32 other)
{
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(9));
    if (other == 0)
        text.two_inverse(Opcode::Dsti, output(1), temporary(0), constant(8));
    else
        text.two(Opcode::Dst, output(1), constant(8), temporary(0));
    pass_rest(text);
    return program_probe("dsti", text.end());
}

// A comparison whose descriptor enables x alone. The alternative: y of the result keeps what the comparison before left.
Probe probe_compare_mask(u32 other)
{
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(8));
    text.one(Opcode::Mov, temporary(3), constant(9));
    text.compare(temporary(0)["xyzw"], constant(8), CompareOp::NotEqual,
                 CompareOp::NotEqual); // both are false
    text.compare(temporary(0)["x"], constant(8), CompareOp::Equal,
                 other == 0 ? CompareOp::Equal : CompareOp::NotEqual);
    text.if_true(ConditionOp::JustY, 1);
    text.one(Opcode::Mov, temporary(3), constant(8));
    text.one(Opcode::Mov, output(1), temporary(3));
    pass_rest(text);
    return program_probe("compare-mask", text.end());
}

// Codes 6 and 7 of comparisons, of numbers that are equal. Alternatives: false, or one of them is true.
Probe probe_compare_codes(u32 other)
{
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(8));
    text.one(Opcode::Mov, temporary(3), constant(9));
    const CompareOp six = other == 0   ? CompareOp::Always6
                          : other == 2 ? CompareOp::Equal
                                       : CompareOp::NotEqual;
    const CompareOp seven = other == 0   ? CompareOp::Always7
                            : other == 3 ? CompareOp::Equal
                                         : CompareOp::NotEqual;
    text.compare(temporary(0)["xyzw"], constant(8), six, seven);
    text.if_true(ConditionOp::JustX, 1);
    text.one(Opcode::Mov, temporary(3)["xy"], constant(8));
    text.if_true(ConditionOp::JustY, 1);
    text.one(Opcode::Mov, temporary(3)["zw"], constant(8));
    text.one(Opcode::Mov, output(1), temporary(3));
    pass_rest(text);
    return program_probe("compare-codes", text.end());
}

// After the loop aL is 260, too far for an address. The alternative: it has 8 bits, and is 4.
Probe probe_loop_width(u32 other)
{
    ShaderText text;
    text.loop(1);
    text.one(Opcode::Mov, temporary(0), constant(8));
    text.move_relative(output(1), constant(24), IndexRegister::Al);
    pass_rest(text);
    return program_probe("loop-width", text.end(), other == 0 ? loop_word(0, 250, 10) : loop_word(0, 2, 2));
}

// BREAKC leaves a loop in its first round, with aL = 1 and steps of 2. The alternative: BREAKC adds the step.
Probe probe_loop_break(u32 other)
{
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(8));
    text.compare(temporary(0)["xyzw"], constant(8), CompareOp::Equal, CompareOp::Equal);
    text.loop(2);
    text.break_if(ConditionOp::JustX);
    text.one(Opcode::Mov, temporary(0), constant(9));
    text.move_relative(output(1), constant(24), IndexRegister::Al);
    pass_rest(text);
    return program_probe("loop-break", text.end(), loop_word(3, other == 0 ? 1 : 3, 2));
}

// A program without END, whose last word is in front of word 511, which is NOP. The alternative: it goes on with that word
// and with word 0, which has another colour.
Probe probe_code_end(u32 other)
{
    ShaderText text;
    text.one(Opcode::Mov, output(1), constant(9));
    const u32 first = static_cast<u32>(text.words().size());
    pass_rest(text);
    text.one(Opcode::Mov, output(1), constant(8));
    const std::vector<u32> words = text.words();
    const u32 address = 511 - (static_cast<u32>(words.size()) - first);
    Probe probe("code-end");
    text.end();
    ProbeScene scene = program_scene(text);
    const std::vector<u32> zero = {words.front(), text.words().back()};
    scene.write(reg::VSH_CODETRANSFER_INDEX::id, 0);
    scene.write_port(reg::VSH_CODETRANSFER_DATA::id, zero);
    scene.write(reg::VSH_CODETRANSFER_INDEX::id, address);
    scene.write_port(reg::VSH_CODETRANSFER_DATA::id, std::span(words).subspan(first));
    scene.write(reg::VSH_CODETRANSFER_DATA::id, static_cast<u32>(Opcode::Nop) << 26);
    if (other != 0)
    {
        // The same instructions, and those of word 0 behind them.
        scene.write(reg::VSH_CODETRANSFER_INDEX::id, address - 2);
        scene.write_port(reg::VSH_CODETRANSFER_DATA::id, std::span(words).subspan(first));
        scene.write_port(reg::VSH_CODETRANSFER_DATA::id, zero);
    }
    scene.write(reg::VSH_CODETRANSFER_END::id, 1);
    scene.entry_point(other != 0 ? address - 2 : address);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A colour of r7, which the program writes behind it, and two draws. The alternative: it is what a vertex before left there.
Probe probe_kept_registers(u32 other)
{
    Probe probe("kept-registers");
    ShaderText text;
    text.one(Opcode::Mov, output(1), other == 0 ? temporary(7) : constant(9));
    text.one(Opcode::Mov, temporary(7), constant(9));
    pass_rest(text);
    ProbeScene scene = program_scene(text.end());
    scene.draw(0, 6);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
