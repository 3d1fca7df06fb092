// SPDX-License-Identifier: MIT
// SPIR-V of the fixed shaders, which the build has compiled (bake/bake_shaders.cpp), so that no run does. A build for another
// processor or system cannot run its own program and has none, unless CMake knows an emulator. Tests:
// tests/renderer/baked_shaders_test.cpp.
#pragma once

#include "pica/base/chunks.h"
#include "renderer/pipelines/fixed_texts.h"
#include "shadergen/spirv.h"

#include <span>

namespace renderer
{

inline constexpr pica::FileMagic kBakedMagic = {'p', 'v', 'k', 'B', 'A', 'K', 'E', 'D'};
inline constexpr pica::u32 kBakedVersion = 1;
inline constexpr pica::ChunkId kBakedModule = pica::chunk_id("SPRV");

// Chunks of kBakedModule: the shaders with specialised forms, in the order of FixedShader, and then those with one form.
// Written by the build; empty where it could not.
std::span<const pica::u8> baked_file();

// Empty where there is none: then the text is to be compiled.
shadergen::Spirv baked_spirv(FixedShader shader, bool one_form);

} // namespace renderer
