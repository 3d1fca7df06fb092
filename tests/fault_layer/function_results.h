// SPDX-License-Identifier: MIT
// Changes what functions of a SPIR-V module return. Functions are known by their names in the source, which
// modules of the renderer keep.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Has the module a function with this name?
bool has_function(std::span<const uint32_t> module, std::string_view name);
// The module, with other results of these functions: reals and vectors of reals are halved, integers are
// larger by one. Empty: it has none of them.
std::vector<uint32_t> with_other_results(std::span<const uint32_t> module,
                                         std::span<const std::string_view> names);
