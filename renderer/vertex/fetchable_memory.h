// SPDX-License-Identifier: MIT
// FetchableMemory: which guest memory vertex shaders can read, which is what the device's mirror has. It stays the same.
// Tests: tests/renderer/fetchable_memory_test.cpp.
#pragma once

#include "shadergen/vertex_uniforms.h"

#include <array>

namespace renderer
{

class GuestMirror;

class FetchableMemory
{
public:
    explicit FetchableMemory(const GuestMirror& mirror);

    const std::array<shadergen::MirrorRegion, 2>& regions() const { return regions_; }
    // Can shaders read the draw's vertices? A draw with the inputs of the last one costs little.
    bool can_fetch(const pica::Draw& draw);

private:
    std::array<shadergen::MirrorRegion, 2> regions_;
    pica::u64 revision_ = 0; // the inputs that has_inputs_ is about; 0: none
    bool has_inputs_ = false;
};

} // namespace renderer
