// SPDX-License-Identifier: MIT
// Unit 3 for one pixel, from raw tables, as procedural-texture.md has it: what both cores are compared with.
#pragma once

#include "pica/state/draw.h"

namespace tests
{

// Value of R(x, y) before "-1 + b*2/15".
pica::u32 reference_noise_code(pica::u32 x, pica::u32 y);
// In 1/256 level; u, v: coordinates at three pixels of the quad.
pica::s32 reference_proctex_lod(const pica::ProcTexConstants& constants, const pica::f32* u,
                                const pica::f32* v, bool beyond_horizon);
// lod in 1/256 level; ignored without mip filter. RGBA8 with R in bits 0-7.
pica::u32 reference_proctex(const pica::ProcTexKey& key, const pica::ProcTexConstants& constants,
                            const pica::Luts& luts, pica::f32 u, pica::f32 v, pica::s32 lod);

} // namespace tests
