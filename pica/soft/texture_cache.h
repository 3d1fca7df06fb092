// SPDX-License-Identifier: MIT
// Decoded textures (RGBA8 words, rows t upwards), keyed by address, format and size. An entry is valid as
// long as the page generations of its bytes do not change, or only those of pages of which it has a part, and no byte of
// its own has changed there: what lies beside it, such as a render target, may change in every draw. A decoded texture is a copy, so a draw that
// renders into its own texture samples memory as it was before the draw. Tests: texture_cache_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"

#include <vector>

namespace pica
{
class WorkSharer;
}

namespace pica::soft
{

class TextureCache
{
public:
    // The words of all levels, one level after the other, and one spare word. Valid until end_frame, a begin_draw() of
    // a full cache, or the next decoding of the same binding. sharer: divides levels among threads, and wakes them for large
    // ones; null: this thread decodes all.
    const u32* get(const TextureBinding& binding, const GuestMemory& memory, WorkSharer* sharer = nullptr);
    // Is there more than the cache keeps? One draw can go beyond that.
    bool is_full() const;
    // Call it before the get() of each draw. If the cache is full, drops all textures but those used last.
    void begin_draw();
    // Drops entries that were not used for a while.
    void end_frame();

    u64 decoded() const { return decoded_; }
    u64 decoded_bytes() const { return decoded_bytes_; } // guest bytes that were decoded
    u64 bytes() const { return bytes_; }

private:
    struct Entry
    {
        TextureBinding binding;
        u64 generation = 0;
        u64 last_use = 0; // number of the frame
        u64 last_get = 0; // number of the call
        bool used = false;
        std::vector<u32> texels;
        std::vector<u8> edges; // its bytes in pages of which it has a part, when it was decoded

        // None while it is being decoded, if that fails.
        u64 bytes() const { return used ? texels.size() * 4 + edges.size() : 0; }
    };
    static bool only_others_changed(const Entry& entry, u32 size, const GuestMemory& memory);
    Entry& entry_for(const TextureBinding& binding);
    template <typename Predicate>
    void drop(const Predicate& is_old);

    std::vector<Entry> entries_;
    std::vector<u32> buckets_; // maps a hash to an entry + 1; linear probing
    u64 frame_ = 0;
    u64 decoded_ = 0;
    u64 decoded_bytes_ = 0;
    u64 gets_ = 0;
    u64 bytes_ = 0; // of all texels and edges
};

} // namespace pica::soft
