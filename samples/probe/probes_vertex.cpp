// SPDX-License-Identifier: MIT
// Probes of vertex programs. A target of 256 x 256 has a pixel for each of 65,536 operands; a triangle around its
// centre has the result as its colour.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <initializer_list>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSide = 256;

// v0 = (column, 0 or 1: right corner, 0 or 1: upper corner, 0); c0.x = row. r0.x becomes row * 256 + column.
ShaderText operand_text()
{
    ShaderText text;
    // c4 = (1/128, 9/1024, -1 + 1/1024, 256), c5 = (0, 0, 0, 1): corners 2/16 and 20/16 pixels from the left and below
    // An instruction with two v registers reads wrong data, so v1 goes to r4 first.
    text.one(Opcode::Mov, temporary(4), input(1));
    text.mad(temporary(1)["x"], input(0)["x"], constant(4)["x"], temporary(4)["z"]);
    text.mad(temporary(2)["xy"], input(0)["yzzz"], constant(4)["y"], temporary(4)["xyyy"]);
    text.two(Opcode::Add, output(0)["x"], temporary(1)["x"], temporary(2)["x"]);
    text.two(Opcode::Add, output(0)["y"], constant(0)["y"], temporary(2)["y"]);
    text.one(Opcode::Mov, output(0)["zw"], constant(5));
    text.one(Opcode::Mov, temporary(0)["x"], constant(0)["x"]);
    text.one(Opcode::Mov, temporary(3)["y"], constant(5)["z"]);
    text.two(Opcode::Add, temporary(0)["x"], temporary(0)["x"], input(0)["x"]);
    return text;
}

// r3.x is a whole number below 2^24: its bytes become R, G and B. r3.y, below 256, becomes A. A quarter more, so that no
// rounding of colours takes it to another byte.
void number_to_color(ShaderText& text)
{
    text.one(Opcode::Mov, temporary(4), constant(6)); // 1/256, 1/65536, -256, 1/4
    text.two(Opcode::Mul, temporary(5)["xy"], temporary(4), temporary(3)["x"]);
    text.one(Opcode::Flr, temporary(5)["xy"], temporary(5)); // n >> 8, n >> 16
    text.mad(temporary(6)["x"], temporary(5)["x"], constant(6)["z"], temporary(3)["x"]);
    text.mad(temporary(6)["y"], temporary(5)["y"], constant(6)["z"], temporary(5)["x"]);
    text.one(Opcode::Mov, temporary(6)["z"], temporary(5)["y"]);
    text.one(Opcode::Mov, temporary(6)["w"], temporary(3)["y"]);
    text.two(Opcode::Add, temporary(6), temporary(6), temporary(4)["w"]);
    text.two(Opcode::Mul, output(1), constant(7)["x"], temporary(6)); // / 255
    text.one(Opcode::Mov, output(2), constant(5)["z"]).one(Opcode::Mov, output(3), constant(1));
    text.one(Opcode::Mov, output(4), constant(2)).end();
}

// function: text from r0.x (0 to 65535) to r3.x. constants: c8 and on, for it.
Probe operand_probe(const char* name, void (*function)(ShaderText& text),
                    std::initializer_list<std::array<f32, 4>> constants)
{
    ProbeScene scene(kSide, kSide);
    ShaderText text = operand_text();
    function(text);
    number_to_color(text);
    scene.program(text);
    // Four bytes for each vertex; v1 is not loaded and replaced by the position of the lower left corner.
    scene.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xD);
    scene.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 1u << 28 | 2u << 16);
    scene.write(reg::ATTRIBBUFFER_CONFIG1::id, 0);
    scene.write(reg::ATTRIBBUFFER_CONFIG2::id, 1u << 28 | 4u << 16);
    scene.write(reg::VSH_NUM_ATTR::id, 1);
    scene.write(reg::VSH_INPUTBUFFER_CONFIG::id, 0xA0000001);
    scene.attribute_registers(0x10);
    scene.fixed_attribute(1, {-1 + 1.0f / 1024, 1.0f / 1024, 0, 0});
    scene.uniform(4, {1.0f / 128, 9.0f / 1024, 0, 256});
    scene.uniform(5, {0, 0, 0, 1});
    scene.uniform(6, {1.0f / 256, 1.0f / 65536, -256, 0.25f});
    scene.uniform(7, {1.0f / 255, 0, 0, 0});
    u32 number = 8;
    for (const std::array<f32, 4>& value : constants)
        scene.uniform(number++, value);
    for (u32 row = 0; row < kSide; ++row)
    {
        const f32 y = static_cast<f32>(row);
        scene.uniform(0, {y * 256, y / 128 - 1, 0, 0});
        scene.draw(0, 3 * kSide);
    }
    Probe probe(name);
    std::vector<u8> bytes;
    for (u32 x = 0; x < kSide; ++x)
        for (const u32 corner : {0, 1, 2})
            bytes.insert(bytes.end(),
                         {static_cast<u8>(x), static_cast<u8>(corner == 1), static_cast<u8>(corner == 2), 0});
    probe.upload(ProbeLayout::kVertices, bytes);
    scene.run(probe);
    return probe;
}

// r3.x = (r3.x * 2 - 1) * 65536 for a result from 1/2 to 1.
void half_to_one(ShaderText& text)
{
    text.two(Opcode::Add, temporary(3)["x"], temporary(3)["x"], temporary(3)["x"]);
    text.two(Opcode::Add, temporary(3)["x"], constant(8)["y"], temporary(3)["x"]);
    text.two(Opcode::Mul, temporary(3)["x"], constant(8)["z"], temporary(3)["x"]);
}

// r2.x = 1 + r0.x / 65536
void mantissa(ShaderText& text)
{
    text.two(Opcode::Mul, temporary(2)["x"], constant(8)["x"], temporary(0)["x"]);
    text.two(Opcode::Add, temporary(2)["x"], constant(8)["w"], temporary(2)["x"]);
}

constexpr std::array<f32, 4> kMantissa = {1.0f / 65536, -1, 65536, 1};

// r2.x = r0.x / 65536
void fraction(ShaderText& text)
{
    text.two(Opcode::Mul, temporary(2)["x"], constant(8)["x"], temporary(0)["x"]);
}

// r3.x, from 0 to 2, in units of 1/65536, below them cut off
void in_units(ShaderText& text)
{
    text.two(Opcode::Mul, temporary(3)["x"], constant(8)["z"], temporary(3)["x"]);
    text.one(Opcode::Flr, temporary(3)["x"], temporary(3)["x"]);
}

// The same, and the 256 parts of a unit in r3.y.
void in_parts(ShaderText& text)
{
    text.two(Opcode::Mul, temporary(2)["x"], constant(8)["z"], temporary(3)["x"]);
    text.one(Opcode::Flr, temporary(3)["x"], temporary(2)["x"]);
    text.two(Opcode::Add, temporary(2)["x"], temporary(2)["x"], -temporary(3)["x"]);
    text.two(Opcode::Mul, temporary(2)["x"], constant(4)["w"], temporary(2)["x"]);
    text.one(Opcode::Flr, temporary(3)["y"], temporary(2)["x"]);
}

} // namespace

// All 2^16 mantissas of numbers from 1 to 2.
Probe probe_rcp()
{
    return operand_probe("rcp",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.one(Opcode::Rcp, temporary(3)["x"], temporary(2)["x"]);
                             half_to_one(text);
                         },
                         {kMantissa});
}

// All mantissas from 1 to 2, then from 2 to 4: the exponent's parity matters.
Probe probe_rsq()
{
    return operand_probe("rsq",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.one(Opcode::Rsq, temporary(3)["x"], temporary(2)["x"]);
                             half_to_one(text);
                         },
                         {kMantissa});
}

Probe probe_rsq_odd()
{
    return operand_probe("rsq-odd",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.two(Opcode::Add, temporary(2)["x"], temporary(2)["x"], temporary(2)["x"]);
                             text.one(Opcode::Rsq, temporary(3)["x"], temporary(2)["x"]);
                             half_to_one(text);
                         },
                         {kMantissa});
}

// All numbers from 0 to 1 in steps of 1/65536.
Probe probe_ex2()
{
    return operand_probe("ex2",
                         [](ShaderText& text)
                         {
                             fraction(text);
                             text.one(Opcode::Ex2, temporary(3)["x"], temporary(2)["x"]);
                             text.two(Opcode::Add, temporary(3)["x"], constant(8)["y"], temporary(3)["x"]);
                             in_units(text);
                         },
                         {kMantissa});
}

// All mantissas from 1 to 2. Results near 0 have bits below 1/65536.
Probe probe_lg2()
{
    return operand_probe("lg2",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.one(Opcode::Lg2, temporary(3)["x"], temporary(2)["x"]);
                             in_parts(text);
                         },
                         {kMantissa});
}

// The same from 1/2 to 1, where exponent and mantissa have different signs; the result's sign is turned.
Probe probe_lg2_below()
{
    return operand_probe("lg2-below",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.two(Opcode::Mul, temporary(2)["x"], constant(9)["x"], temporary(2)["x"]);
                             text.one(Opcode::Lg2, temporary(3)["x"], temporary(2)["x"]);
                             text.one(Opcode::Mov, temporary(3)["x"], -temporary(3));
                             in_parts(text);
                         },
                         {kMantissa, std::array{0.5f, 0.0f, 0.0f, 0.0f}});
}

// Sums with 3.000046, whose bits below the sum's last one are lost.
Probe probe_add_rounding()
{
    return operand_probe("add-rounding",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.two(Opcode::Add, temporary(3)["x"], constant(9)["x"], temporary(2)["x"]);
                             text.two(Opcode::Add, temporary(3)["x"], constant(9)["y"], temporary(3)["x"]);
                             in_units(text);
                         },
                         {kMantissa, std::array{3.0f + 3.0f / 65536, -4.0f, 0.0f, 0.0f}});
}

// Products with 1.33.
Probe probe_mul_rounding()
{
    return operand_probe("mul-rounding",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.two(Opcode::Mul, temporary(3)["x"], constant(9)["x"], temporary(2)["x"]);
                             text.two(Opcode::Add, temporary(3)["x"], constant(8)["y"], temporary(3)["x"]);
                             in_units(text);
                         },
                         {kMantissa, std::array{87165.0f / 65536, 0.0f, 0.0f, 0.0f}});
}

// x * 1.33 - 1.25 x, in steps below the product's last bit: an exact product leaves other bits than a rounded one.
Probe probe_mad_rounding()
{
    return operand_probe("mad-rounding",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.two(Opcode::Mul, temporary(7)["x"], constant(9)["y"], temporary(2)["x"]);
                             text.mad(temporary(3)["x"], temporary(2)["x"], constant(9)["x"],
                                      temporary(7)["x"]);
                             text.two(Opcode::Mul, temporary(3)["x"], constant(9)["z"], temporary(3)["x"]);
                             in_units(text);
                         },
                         {kMantissa, std::array{87165.0f / 65536, -1.25f, 8.0f, 0.0f}});
}

// (1, x, -1, x / 4096) . (1.5, 1 / 8192, 1.5, 1): how much of the small products is lost depends on the order.
Probe probe_dot_order()
{
    return operand_probe("dot-order",
                         [](ShaderText& text)
                         {
                             mantissa(text);
                             text.one(Opcode::Mov, temporary(7), constant(9));
                             text.one(Opcode::Mov, temporary(8), constant(10));
                             text.two(Opcode::Mul, temporary(7)["yw"], temporary(7), temporary(2)["x"]);
                             text.two(Opcode::Dp4, temporary(3)["x"], temporary(8), temporary(7));
                             text.two(Opcode::Mul, temporary(3)["x"], constant(11)["x"], temporary(3)["x"]);
                             in_units(text);
                         },
                         {kMantissa, std::array{1.0f, 1.0f, -1.0f, 1.0f / 4096},
                          std::array{1.5f, 1.0f / 8192, 1.5f, 1.0f}, std::array{1024.0f, 0.0f, 0.0f, 0.0f}});
}

} // namespace samples
