// SPDX-License-Identifier: MIT
// Runs a TexEnvProgram on a block batch: 8-bit integers in 16-bit channels, and every division truncates.
// Source: pica/hardware/combiners.md, "Operations" and "Scale". Included only by the source files that are
// compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

namespace pica::soft
{

namespace
{

// min((a*b + 255*c) / 255, 255) = min(a*b/255 + c, 255), which stays inside 16 bits.
PICA_SIMD Half combine(CombinerOp op, Half a, Half b, Half c)
{
    const Half one = splat16(255);
    switch (op)
    {
    case CombinerOp::Modulate:
        return div255(a * b);
    case CombinerOp::Add:
        return minimum(a + b, one);
    case CombinerOp::AddSigned:
        return minimum(subtract_saturated(a + b, splat16(128)), one);
    case CombinerOp::Interpolate:
        return div255(a * c + b * (one - c));
    case CombinerOp::Subtract:
        return subtract_saturated(a, b);
    case CombinerOp::MultiplyThenAdd:
        return minimum(div255(a * b) + c, one);
    case CombinerOp::AddThenMultiply:
        return div255(minimum(a + b, one) * c);
    case CombinerOp::Replace:
    case CombinerOp::Dot3Rgb: // dot3_batch
    case CombinerOp::Dot3Rgba:
        break;
    }
    return a;
}

template <CombinerOp op>
static void combine_batch(u32 count, Colors* d, ColorArray a, ColorArray b, ColorArray c)
{
    for (u32 i = 0; i < count; ++i)
    {
        const Colors& x = a.base[i * a.step];
        const Colors& y = b.base[i * b.step];
        const Colors& z = c.base[i * c.step];
        d[i] = {combine(op, x.lo, y.lo, z.lo), combine(op, x.hi, y.hi, z.hi)};
    }
}

// The sum over r, g, b of ((2a-255)(2b-255) + 128) / 256, each division truncating toward zero, clamped.
static void dot3_batch(u32 count, Colors* d, ColorArray a, ColorArray b)
{
    for (u32 i = 0; i < count; ++i)
    {
        const Bits x = pack(a.base[i * a.step]);
        const Bits y = pack(b.base[i * b.step]);
        Int sum = splat(0);
        for (int shift = 0; shift < 24; shift += 8)
        {
            const Int p = lanes::as_signed((x >> shift) & 255u) * 2 - 255;
            const Int q = lanes::as_signed((y >> shift) & 255u) * 2 - 255;
            const Int t = p * q + 128;
            sum += (t + ((t >> 31) & 255)) >> 8;
        }
        sum = clamp_int(sum, splat(0), splat(255));
        d[i] = from_channels(sum, sum, sum, sum);
    }
}

static void run_combine(CombinerOp op, u32 count, Colors* d, ColorArray a, ColorArray b, ColorArray c)
{
    using enum CombinerOp;
    switch (op)
    {
    case Modulate:
        return combine_batch<Modulate>(count, d, a, b, c);
    case Add:
        return combine_batch<Add>(count, d, a, b, c);
    case AddSigned:
        return combine_batch<AddSigned>(count, d, a, b, c);
    case Interpolate:
        return combine_batch<Interpolate>(count, d, a, b, c);
    case Subtract:
        return combine_batch<Subtract>(count, d, a, b, c);
    case MultiplyThenAdd:
        return combine_batch<MultiplyThenAdd>(count, d, a, b, c);
    case AddThenMultiply:
        return combine_batch<AddThenMultiply>(count, d, a, b, c);
    case Dot3Rgb:
    case Dot3Rgba:
        return dot3_batch(count, d, a, b);
    case Replace:
        return combine_batch<Replace>(count, d, a, b, c);
    }
}

static void run_texenv(const TexEnvProgram& program, BlockBatch& batch)
{
    for (u32 n = 0; n < program.instruction_count; ++n)
    {
        const TexEnvInstruction& in = program.instruction[n];
        const u32 count = batch.count;
        Colors* d = batch.registers[in.d];
        const ColorArray a = color_array(batch, in.a);
        switch (in.kind)
        {
        case TexEnvInstruction::Kind::Combine:
            run_combine(in.op, count, d, a, color_array(batch, in.b), color_array(batch, in.c));
            break;
        case TexEnvInstruction::Kind::Select:
        {
            const Half invert = channels4(in.factor);
            for (u32 i = 0; i < count; ++i)
            {
                const Colors s = select(a.base[i * a.step], in.select);
                d[i] = {s.lo ^ invert, s.hi ^ invert};
            }
            break;
        }
        case TexEnvInstruction::Kind::Select2:
        {
            const Half invert = channels4(in.factor);
            const ColorArray b = color_array(batch, in.b);
            for (u32 i = 0; i < count; ++i)
            {
                const Colors s = select(a.base[i * a.step], in.select);
                const Colors t = select(b.base[i * b.step], in.select2);
                d[i] = {(s.lo | t.lo) ^ invert, (s.hi | t.hi) ^ invert};
            }
            break;
        }
        case TexEnvInstruction::Kind::Scale:
        {
            const Half scale = channels4(in.factor);
            const Half one = splat16(255);
            for (u32 i = 0; i < count; ++i)
            {
                const Colors s = a.base[i * a.step];
                d[i] = {minimum(s.lo * scale, one), minimum(s.hi * scale, one)};
            }
            break;
        }
        }
    }
}

} // namespace

} // namespace pica::soft
