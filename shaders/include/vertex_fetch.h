// SPDX-License-Identifier: MIT
// GLSL only: reads guest memory into the input registers of the vertex program, as VertexBlock or BatchDraw says
// (pica/hardware/vertex-input.md). The C++ counterpart is pica/vertex/vertex_fetch.h. Conversions work on bits, because a
// load must not flush what T() has to see.

// The word of a region at a byte address, which is a multiple of 4 like `end`. 0 from `end` on.
uint mirror_word(uint region, uint at, uint end)
{
    if (at >= end)
        return 0u;
    return region == 0u ? mirror_vram[at >> 2] : mirror_fcram[at >> 2];
}

// Four words from a byte address on. Bytes from `end` on are 0. All words are read, whether the input has them or not: loads
// without branches between them go out together, and drivers compile them in half the time.
uvec4 input_words(uint region, uint address, uint end)
{
    uint at = address & ~3u;
    uint word = at >> 2;
    bvec4 inside = lessThan(uvec4(at, at + 4u, at + 8u, at + 12u), uvec4(end));
    bool last_inside = at + 16u < end;
    uvec4 index = mix(uvec4(0u), uvec4(word, word + 1u, word + 2u, word + 3u), inside);
    uint last_index = last_inside ? word + 4u : 0u;
    uvec4 words;
    uint last;
    if (region == 0u)
    {
        words = uvec4(mirror_vram[index.x], mirror_vram[index.y], mirror_vram[index.z], mirror_vram[index.w]);
        last = mirror_vram[last_index];
    }
    else
    {
        words = uvec4(mirror_fcram[index.x], mirror_fcram[index.y], mirror_fcram[index.z], mirror_fcram[index.w]);
        last = mirror_fcram[last_index];
    }
    words = mix(uvec4(0u), words, inside);
    last = last_inside ? last : 0u;
    uint shift = (address & 3u) * 8u;
    return words >> shift | (uvec4(words.yzw, last) << 1) << (31u - shift);
}

// types 0 s8, 1 u8, 2 s16, 3 f32
vec4 convert_input(uvec4 words, uint type)
{
    if (type == 3u)
        return vec4(fast_round(uintBitsToFloat(words.x)), fast_round(uintBitsToFloat(words.y)),
                    fast_round(uintBitsToFloat(words.z)), fast_round(uintBitsToFloat(words.w)));
    if (type == 2u)
        return vec4(ivec4(words.x << 16, words.x, words.y << 16, words.y) >> 16);
    uvec4 bytes = uvec4(words.x, words.x >> 8, words.x >> 16, words.x >> 24);
    return type == 1u ? vec4(bytes & 255u) : vec4(ivec4(bytes << 24) >> 24);
}

// n: an input register, or a number that stands for one (INPUT_CONFIG). The vertex number is below 2^23 (can_fetch_elements).
vec4 fetch_input(uint n, uint vertex)
{
    InputRow row = INPUT_CONFIG(n);
    uint source = row.format & 3u;
    uint stride = row.format >> 8 & 255u;
    if (source == 3u)
    {
        uint word = (row.offset >> 2) + vertex * stride * 4u;
        return uintBitsToFloat(
            uvec4(mirror_vram[word], mirror_vram[word + 1u], mirror_vram[word + 2u], mirror_vram[word + 3u]));
    }
    if (source != 1u)
        return source == 2u ? INPUT_FIXED(n) : vec4(0.0);
    uint type = row.format >> 2 & 3u;
    uint components = row.format >> 4 & 15u;
    uint address = row.offset + (vertex & 0xFFFFFFu) * stride;
    uint end = row.offset + row.available;
    uvec4 words = input_words(row.region, address, end);
    vec4 value = convert_input(words, type);
    return vec4(value.x, components > 1u ? value.y : 0.0, components > 2u ? value.z : 0.0,
                components > 3u ? value.w : 1.0);
}

// The number of vertex i of the draw: first + i, or an index.
uint vertex_number(uint i)
{
    if (u.index.size == 0u)
        return u.draw.first + i;
    uint address = u.index.offset + i * u.index.size;
    uint end = u.index.offset + u.index.available;
    uint shift = (address & 3u) * 8u;
    uint value = mirror_word(u.index.region, address & ~3u, end) >> shift;
    if (u.index.size == 1u)
        return value & 255u;
    if ((u.index.offset & 1u) != 0u && shift == 24u)
        value |= mirror_word(u.index.region, (address & ~3u) + 4u, end) << 8;
    return value & 0xFFFFu;
}
