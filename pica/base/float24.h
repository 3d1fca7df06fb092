// SPDX-License-Identifier: MIT
// The GPU's short float formats: raw bits <-> binary32. Every value of these formats is exact in binary32.
// Source: pica/hardware/number-formats.md, "Floating point" (sign, exponent with bias 2^(E-1)-1, implicit
// leading one). Arithmetic on float24 is in shaders/include/numeric.h, shared with GLSL.
#pragma once

#include "pica/base/numeric.h"
#include "pica/base/types.h"

namespace pica
{

// Lossless decode; subnormals keep their value, the all-ones exponent is infinity or NaN.
f32 float16_to_f32(u32 raw);
f32 float20_to_f32(u32 raw);
f32 float24_to_f32(u32 raw);

// Host binary32 -> float24 as the hardware converts attributes and uniforms: mantissa truncated, overflow to
// infinity, magnitudes below 2^-62 to +0. [ASSUMED: truncate]
u32 f32_to_float24(f32 value);
// The same conversion with the result kept as binary32.
inline f32 f32_truncate_to_float24(f32 value)
{
    return num::f24_round(value);
}

// Value of a float24 configuration register (viewport, clip plane, depth map): NaN and subnormals become +0,
// magnitudes above 2^40 become 2^40 with their sign. [our rule, design.md, "Arithmetic"]
f32 float24_register(u32 raw);
// Values of float16 and float20 configuration registers (lights, shadow maps): NaN becomes +0, magnitudes
// above 2^40 (infinity included) become 2^40 with their sign; subnormals keep their exact value.
// [our rule]
f32 float16_register(u32 raw);
f32 float20_register(u32 raw);

} // namespace pica
