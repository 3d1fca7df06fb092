// SPDX-License-Identifier: MIT
// SPIR-V that the disk cache keeps. A key names all that the module is made from, apart from the generator, which is part
// of every key of the disk cache. Tests: tests/renderer/disk_cache_test.cpp.
#pragma once

#include "renderer/cache/disk_cache.h"
#include "shadergen/spirv.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace renderer
{

// What is known of a module.
struct KeptSpirv
{
    shadergen::Spirv module; // empty: it is not to be made
    std::string refusal;     // why it is not
};

// The beginning of a key: stage, target and the name of what is made.
std::vector<pica::u8> spirv_key(shadergen::Stage stage, const shadergen::Target& target,
                                std::string_view name);
// What an earlier run has kept under the key. The cache may be null.
std::optional<KeptSpirv> find_spirv(DiskCache* cache, std::span<const pica::u8> key);
// Keeps a module, or why it is not to be made.
void keep_spirv(DiskCache* cache, std::span<const pica::u8> key, const KeptSpirv& kept);

} // namespace renderer
