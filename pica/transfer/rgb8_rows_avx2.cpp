// SPDX-License-Identifier: MIT
// Called only after a run-time check of the processor.
#include "pica/transfer/rgb8_rows.h"

#include "pica/texture/morton.h"

#include <immintrin.h>

namespace pica
{

namespace
{

// Where the right half of a tile's rows begins. A constant, because code that reads the table needs a copy of it in this
// object, which other objects must not see.
constexpr u32 kRightHalf = kMortonX[4] * 4;

// Four pixels of row y in the lower half, four of row y + 1 in the upper half.
__m256i load_both_rows(const u8* pixels)
{
    return _mm256_permute4x64_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(pixels)), 0b11011000);
}

} // namespace

u32 copy_rgb8_row_pair_avx2(const Rgb8RowPair& rows)
{
    // In memory RGB8 is RGBA8 without the first byte. Of eight pixels, 16 bytes are stored first: twelve of the first
    // four and four of the others, which leave their other eight bytes at the beginning.
    const __m256i first =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1));
    const __m256i second =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1, 1, 2, 3, 5));
    u8* to0 = rows.to[0];
    u8* to1 = rows.to[1];
    u32 x = 0;
    for (; x + 8 <= rows.width; x += 8, to0 += 24, to1 += 24)
    {
        const u64 index = rows.block32 ? block32_index(x, rows.y, rows.from_pitch)
                                       : tiled_index(x, rows.y, rows.from_pitch);
        const u8* run = rows.from + index * 4;
        const __m256i left = _mm256_shuffle_epi8(load_both_rows(run), first);
        const __m256i right = _mm256_shuffle_epi8(load_both_rows(run + kRightHalf), second);
        const __m256i head = _mm256_blend_epi32(left, right, 0x88);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to0), _mm256_castsi256_si128(head));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to0 + 16), _mm256_castsi256_si128(right));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to1), _mm256_extracti128_si256(head, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to1 + 16), _mm256_extracti128_si256(right, 1));
    }
    return x;
}

u32 pack_rgb8_row_avx2(const u32* pixels, u8* to, u32 count)
{
    // In memory RGB8 begins with blue.
    const __m256i bytes =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    const __m256i words = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    u32 x = 0;
    for (; x + 8 <= count; x += 8, to += 24)
    {
        const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pixels + x));
        const __m256i packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(eight, bytes), words);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 16), _mm256_extracti128_si256(packed, 1));
    }
    return x;
}

} // namespace pica
