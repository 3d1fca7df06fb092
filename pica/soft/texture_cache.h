// SPDX-License-Identifier: MIT
// Decoded textures (RGBA8 words, rows t upwards), keyed by address, format and size, valid while the page
// generations of their bytes stand still. A decoded texture is a copy, so a draw that renders into its own
// texture samples memory as it stood before the draw. Tests: texture_cache_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"

#include <vector>

namespace pica::soft
{

class TextureCache
{
public:
    // The words of all levels, one behind the other, and a spare one, valid until end_frame, the ninth call
    // after this one, or the next decoding of the same binding.
    const u32* get(const TextureBinding& binding, const GuestMemory& memory);
    // Drops what has not been used for a while.
    void end_frame();

    u64 decoded() const { return decoded_; }
    u64 decoded_bytes() const { return decoded_bytes_; } // guest bytes read for that
    u64 bytes() const { return bytes_; }

private:
    struct Entry
    {
        TextureBinding binding;
        u64 generation = 0;
        u64 last_use = 0; // in frames
        u64 last_get = 0; // number of the call
        bool used = false;
        std::vector<u32> texels;
    };
    Entry& entry_for(const TextureBinding& binding);
    template <typename Predicate>
    void drop(const Predicate& is_old);
    void trim();

    std::vector<Entry> entries_;
    std::vector<u32> buckets_; // hash -> entry + 1, linear probing
    u64 frame_ = 0;
    u64 decoded_ = 0;
    u64 decoded_bytes_ = 0;
    u64 gets_ = 0;
    u64 bytes_ = 0; // of all texels
};

} // namespace pica::soft
