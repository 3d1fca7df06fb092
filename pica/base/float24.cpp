// SPDX-License-Identifier: MIT
#include "pica/base/float24.h"

#include <bit>
#include <cmath>

namespace pica
{

namespace
{

f32 decode(u32 raw, int exponent_bits, int mantissa_bits)
{
    const u32 mantissa_mask = (1u << mantissa_bits) - 1;
    const u32 exponent_mask = (1u << exponent_bits) - 1;
    const u32 sign = (raw >> (exponent_bits + mantissa_bits) & 1) << 31;
    const u32 exponent = raw >> mantissa_bits & exponent_mask;
    const u32 mantissa = raw & mantissa_mask;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (exponent == exponent_mask)
        return std::bit_cast<f32>(sign | 0x7F800000u | mantissa << (23 - mantissa_bits));
    if (exponent == 0)
    {
        const f32 magnitude = std::ldexp(static_cast<f32>(mantissa), 1 - bias - mantissa_bits);
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<f32>(sign | static_cast<u32>(static_cast<int>(exponent) - bias + 127) << 23 |
                              mantissa << (23 - mantissa_bits));
}

f32 bounded(f32 value)
{
    const u32 magnitude = std::bit_cast<u32>(value) & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return 0.0f;
    return magnitude > 0x53800000u ? std::copysign(0x1p40f, value) : value;
}

} // namespace

f32 float16_to_f32(u32 raw)
{
    return decode(raw, 5, 10);
}
f32 float20_to_f32(u32 raw)
{
    return decode(raw, 7, 12);
}
f32 float24_to_f32(u32 raw)
{
    return decode(raw, 7, 16);
}

u32 f32_to_float24(f32 value)
{
    const u32 bits = std::bit_cast<u32>(f32_truncate_to_float24(value));
    const u32 magnitude = bits & 0x7FFFFFFFu;
    const u32 sign = bits >> 31 << 23;
    if (magnitude == 0)
        return 0;
    if (magnitude >= 0x7F800000u)
        return sign | 0x7F0000u | (magnitude > 0x7F800000u ? 0x8000u : 0u);
    return sign | ((magnitude >> 23) - 64) << 16 | (magnitude >> 7 & 0xFFFF);
}

f32 float24_register(u32 raw)
{
    const f32 value = float24_to_f32(raw & 0xFFFFFF);
    const u32 magnitude = std::bit_cast<u32>(value) & 0x7FFFFFFFu;
    return magnitude < 0x20800000u ? 0.0f : bounded(value);
}

f32 float16_register(u32 raw)
{
    return bounded(float16_to_f32(raw & 0xFFFF));
}
f32 float20_register(u32 raw)
{
    return bounded(float20_to_f32(raw & 0xFFFFF));
}

} // namespace pica
