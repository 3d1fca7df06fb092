// SPDX-License-Identifier: MIT
// Texture unit 3 for one pixel, from raw tables, as in procedural-texture.md. Both backends are compared with
// it.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"

namespace tests
{

// Constants of noise by an exchanged rule, where one is.
void exchange_noise(const pica::RegisterFile& registers, pica::ProcTexConstants& constants);
// The value of R(x, y) before "-1 + b*2/15".
pica::u32 reference_noise_code(pica::s64 x, pica::s64 y);
// The level of detail in 1/256 level. u, v: coordinates at three pixels of the quad.
pica::s32 reference_proctex_lod(const pica::ProcTexConstants& constants, const pica::f32* u,
                                const pica::f32* v, bool beyond_horizon);
// lod is in 1/256 level and ignored without a mip filter. Returns RGBA8 with R in bits 0-7.
pica::u32 reference_proctex(const pica::ProcTexKey& key, const pica::ProcTexConstants& constants,
                            const pica::Luts& luts, pica::f32 u, pica::f32 v, pica::s32 lod);

} // namespace tests
