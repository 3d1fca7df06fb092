// SPDX-License-Identifier: MIT
// Shaders for a device that pretends to have the pixel interlock (rule `pretend-interlock:1:1` of the fault layer,
// pretended_extensions.h): what its driver does not know is taken out of them. That is exact on drivers that finish each
// triangle before the next one begins, as software rasterisers do in each tile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Does the module use the interlock?
bool uses_interlock(std::span<const uint32_t> module);
// The module without it, or without its stores to images.
std::vector<uint32_t> without_interlock(std::span<const uint32_t> module);
std::vector<uint32_t> without_stores(std::span<const uint32_t> module);
