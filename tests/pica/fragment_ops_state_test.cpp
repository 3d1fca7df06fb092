// SPDX-License-Identifier: MIT
#include "pica/state/fragment_ops.h"

#include "pica/state/framebuffer.h"
#include "pica/texture/format.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pica;
using tests::Random;

namespace
{

using Color = std::array<s32, 4>;

s32 logic(u32 op, s32 s, s32 d)
{
    const std::array<s32, 16> results = {0,        s & d, s & ~d,   s,     255,      ~s,     d,      ~d,
                                         ~(s & d), s | d, ~(s | d), s ^ d, ~(s ^ d), ~s & d, s | ~d, ~s | d};
    return results[op] & 255;
}

// pica/hardware/fragment-operations.md, "Blending".
Color factor(u32 id, const Color& s, const Color& d, const Color& k)
{
    Color f;
    for (u32 c = 0; c < 4; ++c)
    {
        const std::array<s32, 16> table = {
            0,          255,        s[c],       255 - s[c], d[c],
            255 - d[c], s[3],       255 - s[3], d[3],       255 - d[3],
            k[c],       255 - k[c], k[3],       255 - k[3], c == 3 ? 255 : std::min(s[3], 255 - d[3]),
            255};
        f[c] = table[id];
    }
    return f;
}

s32 blend(u32 equation, s32 s, s32 d, s32 sf, s32 df)
{
    const s32 p = s * sf, q = d * df;
    switch (equation)
    {
    case 1:
        return std::clamp((p - q) / 255, 0, 255);
    case 2:
        return std::clamp((q - p) / 255, 0, 255);
    case 3:
        return std::min(p, q) / 255;
    case 4:
        return std::max(p, q) / 255;
    default:
        return std::min((p + q) / 255, 255);
    }
}

Color blended(u32 word, const Color& s, const Color& d, const Color& k)
{
    const Color scf = factor(word >> 16 & 15, s, d, k), dcf = factor(word >> 20 & 15, s, d, k);
    const Color saf = factor(word >> 24 & 15, s, d, k), daf = factor(word >> 28, s, d, k);
    Color out;
    for (u32 c = 0; c < 3; ++c)
        out[c] = blend(word & 7, s[c], d[c], scf[c], dcf[c]);
    out[3] = blend(word >> 8 & 7, s[3], d[3], saf[3], daf[3]);
    return out;
}

Color unpack(u32 word)
{
    return {s32(word & 0xFF), s32(word >> 8 & 0xFF), s32(word >> 16 & 0xFF), s32(word >> 24)};
}

// The new value of a pixel, straight from the registers. Where no channel is enabled nothing is written back.
Color write_by_registers(const RegisterFile& regs, const Color& s, const Color& stored, u32 channels)
{
    if (regs.get(reg::COLORBUFFER_WRITE::enable) == 0 ||
        (regs[reg::DEPTH_COLOR_MASK::id] >> 8 & channels) == 0)
        return stored;
    const bool closed = regs.get(reg::COLORBUFFER_READ::enable) == 0;
    const Color d = closed ? Color{} : stored;
    Color result;
    if (regs.get(reg::COLOR_OPERATION::mode) == ColorCombineMode::Blend)
        result = blended(regs[reg::BLEND_FUNC::id], s, d, unpack(regs[reg::BLEND_COLOR::id]));
    else
        for (u32 c = 0; c < 4; ++c)
            result[c] = logic(u32(regs.get(reg::LOGIC_OP::op)), s[c], d[c]);
    for (u32 c = 0; c < 4; ++c)
    {
        if ((regs[reg::DEPTH_COLOR_MASK::id] >> (8 + c) & 1) == 0)
            result[c] = d[c];
    }
    return result;
}

Color write_by_state(const Draw& draw, const Color& s, const Color& stored)
{
    const BlendState& b =
        draw.fragment.output == OutputClass::Fetch ? draw.fragment.fetch : draw.output.blend;
    const Color d = b.read_destination != 0 ? stored : Color{};
    Color result = s;
    switch (draw.fragment.output)
    {
    case OutputClass::None:
        return stored;
    case OutputClass::Opaque:
        break;
    default:
        if (b.logic != 0)
        {
            for (u32 c = 0; c < 4; ++c)
                result[c] = logic(u32(b.logic_op), s[c], d[c]);
            break;
        }
        result = blended(u32(b.equation_color) | u32(b.equation_alpha) << 8 | u32(b.source_color) << 16 |
                             u32(b.destination_color) << 20 | u32(b.source_alpha) << 24 |
                             u32(b.destination_alpha) << 28,
                         s, d, unpack(draw.constants.blend_color));
        break;
    }
    for (u32 c = 0; c < 4; ++c)
    {
        if ((b.color_mask >> c & 1) == 0)
            result[c] = d[c];
    }
    return result;
}

bool passes(u32 func, u32 a, u32 b)
{
    const std::array<bool, 8> results = {false, true, a == b, a != b, a<b, a <= b, a> b, a >= b};
    return results[func];
}

u32 stencil_op(u32 op, u32 s, u32 reference)
{
    const std::array<u32, 8> results = {s,  0,     reference, s == 255 ? 255 : s + 1, s == 0 ? 0 : s - 1,
                                        ~s, s + 1, s - 1};
    return results[op] & 255;
}

struct DepthStencil
{
    u32 depth, stencil;
    bool passes;
    bool operator==(const DepthStencil&) const = default;
};

struct TestState
{
    bool depth_test, depth_write, stencil_test;
    u32 depth_func, stencil_func, fail, depth_fail, pass, reference, compare_mask, write_mask;
    bool reads_zero;
};

DepthStencil run_tests(const TestState& t, u32 depth, DepthStencil at)
{
    const u32 read_depth = t.reads_zero ? 0 : at.depth, read_stencil = t.reads_zero ? 0 : at.stencil;
    const auto update = [&](u32 op)
    { at.stencil = (stencil_op(op, at.stencil, t.reference) & t.write_mask) | (at.stencil & ~t.write_mask); };
    at.passes = false;
    if (t.stencil_test &&
        !passes(t.stencil_func, t.reference & t.compare_mask, read_stencil & t.compare_mask))
    {
        update(t.fail);
        return at;
    }
    if (t.depth_test && !passes(t.depth_func, depth, read_depth))
    {
        if (t.stencil_test)
            update(t.depth_fail);
        return at;
    }
    if (t.depth_write)
        at.depth = depth;
    if (t.stencil_test)
        update(t.pass);
    at.passes = true;
    return at;
}

Draw decode(const RegisterFile& regs)
{
    Draw draw;
    Findings findings;
    decode_color_buffer(regs, draw.target, findings);
    decode_fragment_ops(regs, draw, findings);
    return draw;
}

RegisterFile open_gates()
{
    RegisterFile regs;
    for (const u32 id : {reg::COLORBUFFER_READ::id, reg::COLORBUFFER_WRITE::id})
        regs.write(id, 0xF);
    for (const u32 id : {reg::DEPTHBUFFER_READ::id, reg::DEPTHBUFFER_WRITE::id})
        regs.write(id, 3);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0xF00);
    regs.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    return regs;
}

constexpr u32 blend_word(BlendFactor s, BlendFactor d, BlendEquation e = BlendEquation::Add)
{
    return u32(e) | u32(e) << 8 | u32(s) << 16 | u32(d) << 20 | u32(s) << 24 | u32(d) << 28;
}

} // namespace

TEST_CASE("fragment ops: the canonical blend state writes what the registers say")
{
    tests::for_each_seed(50000,
                         [](u32, Random& random)
                         {
                             RegisterFile regs;
                             regs.write(reg::COLOR_OPERATION::id, random.below(2) << 8);
                             u32 word = random.next();
                             if (random.chance(1, 2)) // simple factors
                                 word &= 0x11110404;
                             regs.write(reg::BLEND_FUNC::id, word);
                             regs.write(reg::LOGIC_OP::id, random.below(16));
                             regs.write(reg::BLEND_COLOR::id, random.next());
                             regs.write(reg::DEPTH_COLOR_MASK::id,
                                        random.chance(1, 2) ? 0xF00 : random.next() & 0xF00);
                             regs.write(reg::COLORBUFFER_READ::id, random.chance(1, 3) ? 0 : 0xF);
                             regs.write(reg::COLORBUFFER_WRITE::id, random.chance(1, 8) ? 0 : 0xF);
                             const u32 format = random.below(5);
                             regs.write(reg::COLORBUFFER_FORMAT::id, format << 16);
                             const Draw draw = decode(regs);
                             const bool alpha = has_alpha(static_cast<ColorFormat>(format));
                             for (int i = 0; i < 8; ++i)
                             {
                                 const Color s = unpack(random.next());
                                 Color d = unpack(random.next());
                                 if (!alpha)
                                     d[3] = 255;
                                 Color expected = write_by_registers(regs, s, d, alpha ? 15 : 7),
                                       actual = write_by_state(draw, s, d);
                                 if (!alpha)
                                     expected[3] = actual[3] = 255;
                                 INFO(draw.output.text());
                                 REQUIRE(actual == expected);
                             }
                             // Classes are what fixed function can do.
                             const BlendState& b = draw.output.blend;
                             if (draw.fragment.output == OutputClass::FixedBlend)
                             {
                                 CHECK(format <= 1);
                                 CHECK(b.source_color <= BlendFactor::One);
                                 CHECK(b.destination_alpha <= BlendFactor::One);
                             }
                             if (draw.fragment.output == OutputClass::Fetch)
                                 CHECK(draw.fragment.fetch == b);
                             else
                                 CHECK(draw.fragment.fetch == BlendState{});
                         });
}

TEST_CASE("fragment ops: the canonical depth and stencil state does what the registers say")
{
    tests::for_each_seed(
        50000,
        [](u32, Random& random)
        {
            RegisterFile regs;
            regs.write(reg::DEPTH_COLOR_MASK::id, random.next() & 0x1071);
            regs.write(reg::STENCIL_TEST::id, random.next() & ~0xEu);
            regs.write(reg::STENCIL_OP::id, random.next() & 0x777);
            regs.write(reg::DEPTHBUFFER_READ::id, random.chance(1, 4) ? 0 : 3);
            regs.write(reg::DEPTHBUFFER_WRITE::id, random.chance(1, 4) ? 0 : 2);
            const u32 format = random.pick({0u, 2u, 3u, 3u, 3u});
            regs.write(reg::DEPTHBUFFER_FORMAT::id, format);
            Draw draw;
            Findings findings;
            decode_fragment_ops(regs, draw, findings);

            const u32 mask = regs[reg::DEPTH_COLOR_MASK::id], test = regs[reg::STENCIL_TEST::id];
            const u32 ops = regs[reg::STENCIL_OP::id];
            const bool writes = regs[reg::DEPTHBUFFER_WRITE::id] != 0;
            const TestState by_registers = {(mask & 1) != 0,
                                            (mask & 0x1000) != 0 && writes,
                                            (test & 1) != 0 && format == 3,
                                            mask >> 4 & 7,
                                            test >> 4 & 7,
                                            ops & 7,
                                            ops >> 4 & 7,
                                            ops >> 8 & 7,
                                            test >> 16 & 255,
                                            test >> 24,
                                            writes ? test >> 8 & 255 : 0,
                                            regs[reg::DEPTHBUFFER_READ::id] == 0};
            const OutputState& o = draw.output;
            const TestState by_state = {o.depth_test != 0,
                                        o.depth_write != 0,
                                        o.stencil_test != 0,
                                        u32(o.depth_func),
                                        u32(o.stencil_func),
                                        u32(o.stencil_fail),
                                        u32(o.stencil_depth_fail),
                                        u32(o.stencil_pass),
                                        draw.constants.stencil_reference,
                                        draw.constants.stencil_compare_mask,
                                        draw.constants.stencil_write_mask,
                                        draw.fragment.depth_zero != DepthZero::None};
            // What reads 0 is the depth alone: the stencil's comparison is constant then.
            if (by_state.reads_zero)
            {
                CHECK(o.depth_test != 0);
                CHECK((o.depth_func == CompareFunc::Equal || o.depth_func == CompareFunc::NotEqual));
                CHECK((draw.fragment.depth_zero == DepthZero::Zero) == (o.depth_func == CompareFunc::Equal));
            }
            for (int i = 0; i < 8; ++i)
            {
                const DepthStencil at{random.below(4), random.below(256), false};
                const u32 depth = random.below(4);
                REQUIRE(run_tests(by_state, depth, at) == run_tests(by_registers, depth, at));
            }
            const bool uses_depth = o.depth_test != 0 || o.depth_write != 0;
            CHECK((draw.fragment.depth != DepthMode::None) == uses_depth);
            CHECK((draw.target.has_depth != 0) == (uses_depth || o.stencil_test != 0));
        });
}

TEST_CASE("fragment ops: output classes of the usual set-ups")
{
    RegisterFile regs = open_gates();
    const auto output = [&] { return decode(regs).fragment.output; };
    regs.write(reg::BLEND_FUNC::id, blend_word(BlendFactor::One, BlendFactor::Zero));
    CHECK(output() == OutputClass::Opaque);
    regs.write(reg::BLEND_FUNC::id, blend_word(BlendFactor::One, BlendFactor::One));
    CHECK(output() == OutputClass::FixedBlend);
    regs.write(reg::BLEND_FUNC::id, blend_word(BlendFactor::One, BlendFactor::One, BlendEquation::Max));
    CHECK(output() == OutputClass::FixedBlend);
    regs.write(reg::BLEND_FUNC::id, blend_word(BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha));
    CHECK(output() == OutputClass::Fetch);
    regs.write(reg::BLEND_FUNC::id, blend_word(BlendFactor::One, BlendFactor::One));
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGB565);
    CHECK(output() == OutputClass::Fetch);
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGB8);
    CHECK(output() == OutputClass::FixedBlend);

    regs.set(reg::COLOR_OPERATION::mode, ColorCombineMode::LogicOp);
    regs.set(reg::LOGIC_OP::op, LogicOp::Copy);
    CHECK(output() == OutputClass::Opaque);
    regs.set(reg::LOGIC_OP::op, LogicOp::Xor);
    CHECK(output() == OutputClass::LogicOp);
    regs.set(reg::LOGIC_OP::op, LogicOp::NoOp);
    CHECK(output() == OutputClass::None);

    regs.set(reg::LOGIC_OP::op, LogicOp::Copy);
    regs.write(reg::COLORBUFFER_WRITE::id, 0);
    CHECK(output() == OutputClass::None);
    regs.write(reg::COLORBUFFER_WRITE::id, 1);
    regs.set(reg::DEPTH_COLOR_MASK::write_g, false);
    CHECK(output() == OutputClass::Opaque);
    regs.write(reg::COLORBUFFER_READ::id, 0); // the masked channel is written back as 0
    CHECK(output() == OutputClass::Fetch);
    CHECK(decode(regs).fragment.fetch.read_destination == 0);
}

TEST_CASE("fragment ops: the alpha test is Always when off, and its reference is kept only where compared")
{
    RegisterFile regs = open_gates();
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0x8060);
    CHECK(decode(regs).fragment.alpha_func == CompareFunc::Always);
    CHECK(decode(regs).constants.alpha_reference == 0);
    regs.write(reg::FRAGOP_ALPHA_TEST::id, 0x8061);
    CHECK(decode(regs).fragment.alpha_func == CompareFunc::Greater);
    CHECK(decode(regs).constants.alpha_reference == 0x80);
}

TEST_CASE("fragment ops: depth format 1 is no depth buffer")
{
    RegisterFile regs = open_gates();
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x1F41);
    regs.write(reg::DEPTHBUFFER_FORMAT::id, 1);
    Draw draw;
    Findings findings;
    decode_fragment_ops(regs, draw, findings);
    CHECK(draw.target.has_depth == 0);
    CHECK(draw.fragment.depth == DepthMode::None);
    CHECK(findings.has(Finding::DepthFormatUndefined));
}

TEST_CASE("fragment ops: LESS behind a closed read gate passes nothing")
{
    RegisterFile regs = open_gates();
    regs.write(reg::DEPTHBUFFER_FORMAT::id, 2);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x1F41);
    regs.write(reg::DEPTHBUFFER_READ::id, 0);
    const Draw draw = decode(regs);
    CHECK(draw.output.depth_test == 1);
    CHECK(draw.output.depth_func == CompareFunc::Never);
    CHECK(draw.output.depth_write == 0);
}

TEST_CASE("fragment ops: what a closed read gate leaves of the comparison is in the key")
{
    RegisterFile regs = open_gates();
    regs.write(reg::DEPTHBUFFER_FORMAT::id, 2);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x1F51); // LESS OR EQUAL
    CHECK(decode(regs).fragment.depth_zero == DepthZero::None);
    CHECK(decode(regs).output.depth_func == CompareFunc::LessOrEqual);
    regs.write(reg::DEPTHBUFFER_READ::id, 0);
    CHECK(decode(regs).fragment.depth_zero == DepthZero::Zero);
    CHECK(decode(regs).output.depth_func == CompareFunc::Equal);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x1F61); // GREATER
    CHECK(decode(regs).fragment.depth_zero == DepthZero::Nonzero);
    CHECK(decode(regs).output.depth_func == CompareFunc::NotEqual);
    regs.write(reg::DEPTH_COLOR_MASK::id, 0x1F60); // no test
    CHECK(decode(regs).fragment.depth_zero == DepthZero::None);
}

TEST_CASE("framebuffer: addresses are 64-byte aligned and sizes count whole tiles")
{
    RegisterFile regs;
    regs.write(reg::COLORBUFFER_LOC::id, 0x0300000F);
    regs.write(reg::FRAMEBUFFER_DIM::id, 240 | 399 << 12 | 1 << 24);
    RenderTarget target;
    Findings findings;
    decode_color_buffer(regs, target, findings);
    CHECK(target.color_address == 0x18000040);
    CHECK(target.width == 240);
    CHECK(target.height == 400);
    CHECK(target.flip == 1);
    CHECK(target.block32 == 0);
    regs.write(reg::FRAMEBUFFER_BLOCK32::id, 1);
    decode_color_buffer(regs, target, findings);
    CHECK(target.block32 == 1);
    target.block32 = 0;
    CHECK(target.color_bytes() == 240 * 400 * 4);
    CHECK(target.depth_bytes() == 0);
    target.block32 = 1; // 13 rows of blocks, 8 to a row: 416 rows; a row of blocks takes 32 * 240 pixels
    CHECK(target.color_bytes() == (12 * 32 * 240 + 7 * 1024 + 1024) * 4);
    target.block32 = 0;
    target.width = target.height = 12; // rows of tiles keep a pitch of 8 * 12 pixels; the last one ends at 64
    CHECK(target.color_bytes() == (8 * 12 + 8 * 8 + 64) * 4);
}

TEST_CASE("framebuffer: the include rectangle cuts, the exclude rectangle stays a key bit")
{
    RegisterFile regs;
    regs.write(reg::FRAMEBUFFER_DIM::id, 240 | 399 << 12);
    regs.write(reg::SCISSORTEST_POS::id, 10 | 20 << 16);
    regs.write(reg::SCISSORTEST_DIM::id, 99 | 1000 << 16);
    Draw draw;
    Findings findings;
    decode_color_buffer(regs, draw.target, findings);
    decode_scissor(regs, draw);
    CHECK(draw.scissor == PixelRect{0, 0, 240, 400});
    regs.write(reg::SCISSORTEST_MODE::id, 3);
    decode_scissor(regs, draw);
    CHECK(draw.scissor == PixelRect{10, 20, 100, 400});
    CHECK(draw.fragment.scissor_exclude == 0);
    regs.write(reg::SCISSORTEST_MODE::id, 1);
    decode_scissor(regs, draw);
    CHECK(draw.scissor == PixelRect{0, 0, 240, 400});
    CHECK(draw.fragment.scissor_exclude == 1);
    CHECK(draw.constants.scissor_x2 == 99);
    CHECK(draw.constants.scissor_y2 == 399);
    regs.write(reg::SCISSORTEST_POS::id, 0);
    regs.write(reg::SCISSORTEST_DIM::id, 500 | 500 << 16); // excludes everything
    decode_scissor(regs, draw);
    CHECK(draw.scissor == PixelRect{});
    CHECK(draw.fragment.scissor_exclude == 0);
}
