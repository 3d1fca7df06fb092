// SPDX-License-Identifier: MIT
// OpaqueTextures: which textures have an alpha of 255 in every texel of every level, although their format has an alpha.
// Programs store many opaque pictures in such formats. The bytes are looked at once, and again when the page generations
// over them have advanced. Tests: tests/renderer/opaque_textures_test.cpp, conformance.opaque_textures
#pragma once

#include "pica/state/draw.h"

#include <functional>
#include <span>
#include <unordered_map>
#include <utility>

namespace pica
{
class GuestMemory;
} // namespace pica

namespace renderer
{

// Has the format an alpha? That of all others is 255.
bool stores_alpha(pica::TextureFormat format);
// Are all alphas of the texels 255? `bytes` are those of one or more levels, one after the other.
bool alphas_are_full(pica::TextureFormat format, std::span<const pica::u8> bytes);

// Not thread-safe.
class OpaqueTextures
{
public:
    // Has the device bytes of the range that guest memory does not have, or will the open batch write some? True, too, where
    // the device would have them if the software renderer did not draw for a while: so both choose the same states.
    using NewerOnDevice = std::function<bool(pica::PhysAddr address, pica::u64 size)>;
    // `guest` must outlive it.
    OpaqueTextures(const pica::GuestMemory& guest, NewerOnDevice newer_on_device)
        : guest_(guest), newer_on_device_(std::move(newer_on_device))
    {
    }
    OpaqueTextures(const OpaqueTextures&) = delete;
    OpaqueTextures& operator=(const OpaqueTextures&) = delete;

    // Is the alpha 255 in all texels, as a draw would sample them now at 1x? False also where guest memory does not tell. Neither
    // waits nor flushes.
    bool contains(const pica::TextureBinding& texture);

    // How many textures are remembered at most. Beyond this all are forgotten.
    static constexpr std::size_t kMost = 4096;

private:
    struct TextureHash
    {
        std::size_t operator()(const pica::TextureBinding& texture) const;
    };
    struct Entry
    {
        bool full = false;
        pica::u64 generation = ~pica::u64{0};
        // GuestMemory::latest_generation() when the generation was last compared.
        pica::u64 checked = ~pica::u64{0};
    };

    const pica::GuestMemory& guest_;
    const NewerOnDevice newer_on_device_;
    std::unordered_map<pica::TextureBinding, Entry, TextureHash> entries_;
};

} // namespace renderer
