// SPDX-License-Identifier: MIT
// Reading and writing little-endian words in byte buffers.
#pragma once

#include "pica/base/types.h"

#include <span>
#include <vector>

namespace pica
{

inline u32 load_word(const u8* at)
{
    return u32{at[0]} | u32{at[1]} << 8 | u32{at[2]} << 16 | u32{at[3]} << 24;
}

inline void store_word(u8* at, u32 word)
{
    for (u32 i = 0; i < 4; ++i)
        at[i] = static_cast<u8>(word >> (8 * i));
}

inline void append_word(std::vector<u8>& bytes, u32 word)
{
    bytes.resize(bytes.size() + 4);
    store_word(bytes.data() + bytes.size() - 4, word);
}

inline void append_bytes(std::vector<u8>& bytes, std::span<const u8> more)
{
    bytes.insert(bytes.end(), more.begin(), more.end());
}

} // namespace pica
