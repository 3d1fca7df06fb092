// SPDX-License-Identifier: MIT
// Probes of special values in vertex programs: the four components of a colour are four results.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

// results: text that leaves numbers from 0 to 1 in r3. r0 is infinity, r1 NaN, r2 minus infinity, r5 0; c8 = (0, 1, 2^40, 0), c9 = (64, -63, 0, 0).
Probe result_probe(const char* name, void (*results)(ShaderText& text))
{
    ProbeScene scene(8, 8);
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(8)["z"]);
    text.two(Opcode::Mul, temporary(0), temporary(0), temporary(0)); // 2^80 is infinite
    text.one(Opcode::Mov, temporary(2), -temporary(0));
    text.two(Opcode::Add, temporary(1), temporary(0), temporary(2));
    text.one(Opcode::Mov, temporary(5), constant(8)["x"]);
    results(text);
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), temporary(3));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    text.one(Opcode::Mov, output(4), constant(2)).end();
    scene.program(text);
    scene.uniform(8, {0, 1, 0x1p40f, 0});
    scene.uniform(9, {64, -63, 0, 0});
    scene.rectangle(0, 0, 8, 8);
    scene.draw(0, 6);
    Probe probe(name);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace

// NaN >= 0, NaN < 0, 0 >= NaN, 0 < NaN
Probe probe_compare_nan()
{
    return result_probe("compare-nan",
                        [](ShaderText& text)
                        {
                            text.two(Opcode::Sge, temporary(3)["x"], temporary(1), temporary(5));
                            text.two(Opcode::Slt, temporary(3)["y"], temporary(1), temporary(5));
                            text.two(Opcode::Sge, temporary(3)["z"], temporary(5), temporary(1));
                            text.two(Opcode::Slt, temporary(3)["w"], temporary(5), temporary(1));
                        });
}

// max(0, -infinity), max(-infinity, 0), min(0, infinity), min(infinity, 0); infinite colours are 1.
Probe probe_max_infinity()
{
    return result_probe("max-infinity",
                        [](ShaderText& text)
                        {
                            text.two(Opcode::Max, temporary(3)["x"], temporary(5), temporary(2));
                            text.two(Opcode::Max, temporary(3)["y"], temporary(2), temporary(5));
                            text.two(Opcode::Min, temporary(3)["z"], temporary(5), temporary(0));
                            text.two(Opcode::Min, temporary(3)["w"], temporary(0), temporary(5));
                        });
}

// The components of an input register that nothing loads.
Probe probe_unloaded_attribute()
{
    return result_probe("unloaded-attribute",
                        [](ShaderText& text) { text.one(Opcode::Mov, temporary(3), input(9)); });
}

// A colour of NaN. The alternative: it is 0.
Probe probe_nan_color(u32 other)
{
    return result_probe(
        "nan-color", other == 0 ? [](ShaderText& text) { text.one(Opcode::Mov, temporary(3), temporary(1)); }
                                : [](ShaderText& text)
                         { text.one(Opcode::Mov, temporary(3), temporary(5)); });
}

// FLR of infinity, minus infinity and NaN, as colours: their magnitude, at most 1, and 1 for NaN. The alternative: 0.
Probe probe_floor_infinity(u32 other)
{
    return result_probe("floor-infinity", other == 0 ? [](ShaderText& text)
                        {
                            text.one(Opcode::Flr, temporary(3), temporary(0));
                            text.one(Opcode::Flr, temporary(3)["y"], temporary(2));
                            text.one(Opcode::Flr, temporary(3)["z"], temporary(1));
                        }
                                                     : [](ShaderText& text)
                        { text.one(Opcode::Mov, temporary(3), temporary(5)); });
}

// Is lg2(0) minus infinity, is lg2(-1) a number, is ex2(64) infinity, is ex2(-63) 0? Alternatives: the sign of lg2's operand
// does not count, or results that are too large become the largest number.
Probe probe_exponent_ends(u32 other)
{
    return result_probe("exponent-ends", other == 0 ? [](ShaderText& text)
                        {
                            text.one(Opcode::Lg2, temporary(4)["x"], constant(8)["x"]);
                            text.one(Opcode::Lg2, temporary(4)["y"], -constant(8)["y"]);
                            text.one(Opcode::Ex2, temporary(4)["z"], constant(9)["x"]);
                            text.one(Opcode::Ex2, temporary(4)["w"], constant(9)["y"]);
                            text.two(Opcode::Sge, temporary(3)["x"], temporary(2), temporary(4));
                            text.two(Opcode::Sge, temporary(3)["y"], temporary(4), temporary(4));
                            text.two(Opcode::Sge, temporary(3)["z"], temporary(4), temporary(0));
                            text.two(Opcode::Sge, temporary(3)["w"], temporary(5), temporary(4));
                        }
                                     : other == 1 ? [](ShaderText& text)
                        { text.one(Opcode::Mov, temporary(3), constant(8)["yyyy"]); }
                                                  : [](ShaderText& text)
                        { text.one(Opcode::Mov, temporary(3), constant(8)["xxxy"]); });
}

// MOV of a subnormal number, and a comparison of what it leaves with 0. The alternative: it leaves 0.
Probe probe_mov_subnormal(u32 other)
{
    Probe probe("mov-subnormal");
    ProbeScene scene(8, 8);
    scene.program(result_color(
        [](ShaderText& text)
        {
            text.one(Opcode::Mov, temporary(0), constant(10));
            text.one(Opcode::Mov, temporary(3), constant(9));
            text.compare(temporary(0)["xyzw"], constant(8)["xxxx"], CompareOp::Equal, CompareOp::Equal);
            text.if_true(ConditionOp::JustX, 1);
            text.one(Opcode::Mov, temporary(3), constant(8));
        }));
    scene.uniform(8, {0, 1, channel(64), channel(191)});
    scene.uniform(9, {channel(128), channel(128), 1, channel(32)});
    // Four numbers of 24 bits in three words; all are the largest subnormal one.
    constexpr u32 kSubnormal = 0xFFFF;
    const u32 value = other == 0 ? kSubnormal : 0;
    scene.write(reg::VSH_FLOATUNIFORM_INDEX::id, 10);
    scene.write_port(
        reg::VSH_FLOATUNIFORM_DATA::id,
        std::array<u32, 3>{value << 8 | value >> 16, value << 16 | value >> 8, value << 24 | value});
    scene.rectangle(0, 0, 8, 8);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples
