// SPDX-License-Identifier: MIT
// Prelude of the renderer's own compute shaders (GLSL only): guest memory as words, groups of pixels, pixel formats. Set 0
// is guest memory, set 1 the image or scratch buffer that is read or written. fixed_constants.h comes before this text.
// framebuffer.md and engines.md.
layout(local_size_x = 64) in;
#ifdef GUEST_READ_ONLY
#define GUEST_ACCESS readonly
#else
#define GUEST_ACCESS
#endif
layout(std430, set = 0, binding = 0) GUEST_ACCESS buffer Vram
{
    uint vram[];
};
layout(std430, set = 0, binding = 1) GUEST_ACCESS buffer Fcram
{
    uint fcram[];
};
#ifdef PLANES
// The planes of guest memory (design.md, "N times the resolution") but the one in the middle, which is guest memory
// itself. Each has the same slots of 4 KiB.
layout(std430, set = 2, binding = 0) GUEST_ACCESS buffer Planes
{
    uint planes[];
};
// First: the number of the first page in its region, how many pages follow, and the words of a plane. Then for each page:
// its slot + 1, or 0; and its lines of 64 bytes that are in the slot, in two words. All other bytes are the guest's.
layout(std430, set = 2, binding = 1) readonly buffer PlaneTable
{
    uvec4 plane_table[];
};
// The plane that an invocation works on: 0 is guest memory, the others follow in their order. And where it begins.
uint own_plane;
uint own_plane_word;
#endif
// FIXED_CONSTANTS(LIST) declares the constants of a shader, as fixed_constants.h describes.
#define SPECIALISED_CONSTANT(id, name) layout(constant_id = id) const uint constant_##name = 0u;
#define PUSHED_CONSTANT(name) uint constant_##name;
#define NOT_SPECIALISED(id, name)
#define NOT_PUSHED(name)
#define SPECIALISED_AS_PUSHED(id, name) uint constant_##name;
// Before a loop whose body is long in the one form, which has the code of all formats: unrolled, it would be compiled four
// times.
#ifdef ONE_FORM
#define NOT_UNROLLED [[dont_unroll]]
#else
#define NOT_UNROLLED
#endif
#ifdef ONE_FORM
#define FIXED_CONSTANTS(LIST)                      \
    layout(push_constant, std430) uniform Pushed   \
    {                                              \
        LIST(SPECIALISED_AS_PUSHED, NOT_PUSHED)    \
        LIST(NOT_SPECIALISED, PUSHED_CONSTANT)     \
    };
#else
#define FIXED_CONSTANTS(LIST)              \
    LIST(SPECIALISED_CONSTANT, NOT_PUSHED) \
    layout(push_constant, std430) uniform Pushed { LIST(NOT_SPECIALISED, PUSHED_CONSTANT) };
#endif

#ifdef PLANES
// Each workgroup works on the plane that its z says. To be called first, with the constants of these names.
void choose_plane(uint first_plane, uint plane_word)
{
    own_plane = first_plane + gl_WorkGroupID.z;
    own_plane_word = plane_word + gl_WorkGroupID.z * plane_table[0].z;
}
#define CHOOSE_PLANE() choose_plane(constant_first_plane, constant_plane_word)
#else
#define CHOOSE_PLANE()
#endif
// Which of the scale x scale pixels of a guest pixel belongs to the plane: its column, and its row as rows lie in memory.
// Without planes, to guest memory.
uvec2 place_in_pixel(uint scale)
{
#ifdef PLANES
    if (own_plane != 0u)
    {
        uint middle = scale / 2u * (scale + 1u);
        uint plane = own_plane > middle ? own_plane : own_plane - 1u;
        return uvec2(plane % scale, plane / scale);
    }
#endif
    return uvec2(scale / 2u);
}

uint region_words(uint region)
{
    return region == REGION_VRAM ? uint(vram.length()) : uint(fcram.length());
}
#ifdef PLANES
// Where a word of the guest is in the plane, which is not guest memory. False: nowhere.
bool find_in_plane(uint index, out uint place)
{
    uint page = (index >> 10) - plane_table[0].x;
    place = 0u;
    if (page >= plane_table[0].y)
        return false;
    uvec4 entry = plane_table[page + 1u];
    uint line = index >> 4 & 63u;
    if (entry.x == 0u || (entry[1u + (line >> 5)] >> (line & 31u) & 1u) == 0u)
        return false;
    place = own_plane_word + (entry.x - 1u) * 1024u + (index & 1023u);
    return true;
}
#endif
// 0 outside the region.
uint load_word(uint region, uint index)
{
#ifdef PLANES
    uint place;
    if (own_plane != 0u && find_in_plane(index, place))
        return planes[place];
#ifndef GUEST_READ_ONLY
    if (own_plane != 0u)
        return 0u; // other invocations write guest memory, and what is not in the plane is not stored
#endif
#endif
    if (index >= region_words(region))
        return 0u;
    return region == REGION_VRAM ? vram[index] : fcram[index];
}
#ifndef GUEST_READ_ONLY
void store_word(uint region, uint index, uint value)
{
#ifdef PLANES
    if (own_plane != 0u)
    {
        uint place;
        if (find_in_plane(index, place))
            planes[place] = value;
        return;
    }
#endif
    if (index >= region_words(region))
        return;
    if (region == REGION_VRAM)
        vram[index] = value;
    else
        fcram[index] = value;
}
#endif
// 2 to 4 bytes at any byte offset, little-endian.
uint load_bytes(uint region, uint offset, uint count)
{
    uint shift = (offset & 3u) * 8u;
    uint low = load_word(region, offset >> 2) >> shift;
    if (shift + count * 8u > 32u)
        low |= load_word(region, (offset >> 2) + 1u) << (32u - shift);
    return count == 4u ? low : low & ((1u << (count * 8u)) - 1u);
}

// Four pixels that follow each other in memory. word: index of the word where the first one starts.
uvec4 load_group(uint region, uint word, uint bytes)
{
    uint a = load_word(region, word);
    uint b = load_word(region, word + 1u);
    if (bytes == 2u)
        return uvec4(a & 0xFFFFu, a >> 16, b & 0xFFFFu, b >> 16);
    uint c = load_word(region, word + 2u);
    if (bytes == 3u)
        return uvec4(a & 0xFFFFFFu, a >> 24 | (b & 0xFFFFu) << 8, b >> 16 | (c & 0xFFu) << 16, c >> 8);
    return uvec4(a, b, c, load_word(region, word + 3u));
}
#ifndef GUEST_READ_ONLY
void store_group(uint region, uint word, uint bytes, uvec4 p)
{
    if (bytes == 2u)
    {
        store_word(region, word, p.x | p.y << 16);
        store_word(region, word + 1u, p.z | p.w << 16);
        return;
    }
    if (bytes == 3u)
    {
        store_word(region, word, p.x | p.y << 24);
        store_word(region, word + 1u, p.y >> 8 | p.z << 16);
        store_word(region, word + 2u, p.z >> 16 | p.w << 8);
        return;
    }
    store_word(region, word, p.x);
    store_word(region, word + 1u, p.y);
    store_word(region, word + 2u, p.z);
    store_word(region, word + 3u, p.w);
}
#endif

uint gather_bits(uint v)
{
    return (v & 1u) | (v >> 1 & 2u) | (v >> 2 & 4u) | (v >> 3 & 8u) | (v >> 4 & 16u);
}
uint spread_bits(uint v)
{
    return (v & 1u) | (v & 2u) << 1 | (v & 4u) << 2 | (v & 8u) << 3 | (v & 16u) << 4;
}
uint tiled_index(uint x, uint y, uint width)
{
    return (y & ~7u) * width + ((x & ~7u) << 3) + (spread_bits(x & 7u) | spread_bits(y & 7u) << 1);
}
uint block32_index(uint x, uint y, uint width)
{
    return (y & ~31u) * width + ((x & ~31u) << 5) + (spread_bits(x & 31u) | spread_bits(y & 31u) << 1);
}

// Group g of a tiled picture: the pixel index of its first pixel, and that pixel's position (x, memory row). The group is
// the 2x2 block that extends to the right and downwards from there.
void tiled_group(uint g, uint width, out uint index, out uvec2 place)
{
    uint columns = (width + 7u) >> 3;
    uvec2 tile = uvec2((g >> 4) % columns, (g >> 4) / columns);
    uint inside = (g & 15u) << 2;
    index = tile.y * 8u * width + tile.x * 64u + inside;
    place = tile * 8u + uvec2(gather_bits(inside), gather_bits(inside >> 1));
}

uint format_bytes(uint format)
{
    return format == FORMAT_RGBA8 ? 4u : format == FORMAT_RGB8 ? 3u : 2u;
}
uvec3 expand5(uvec3 v)
{
    return v << 3u | v >> 2u;
}
uvec4 decode_color(uint format, uint v)
{
    if (format == FORMAT_RGBA8)
        return uvec4(v >> 24, v >> 16 & 255u, v >> 8 & 255u, v & 255u);
    if (format == FORMAT_RGB8)
        return uvec4(v >> 16 & 255u, v >> 8 & 255u, v & 255u, 255u);
    if (format == FORMAT_RGB5A1)
        return uvec4(expand5(uvec3(v >> 11 & 31u, v >> 6 & 31u, v >> 1 & 31u)), (v & 1u) * 255u);
    if (format == FORMAT_RGB565)
    {
        uint g = v >> 5 & 63u;
        uvec3 rb = expand5(uvec3(v >> 11 & 31u, 0u, v & 31u));
        return uvec4(rb.x, g << 2 | g >> 4, rb.z, 255u);
    }
    return uvec4(v >> 12 & 15u, v >> 8 & 15u, v >> 4 & 15u, v & 15u) * 17u;
}
uint encode_color(uint format, uvec4 c)
{
    if (format == FORMAT_RGBA8)
        return c.r << 24 | c.g << 16 | c.b << 8 | c.a;
    if (format == FORMAT_RGB8)
        return c.r << 16 | c.g << 8 | c.b;
    if (format == FORMAT_RGB5A1)
        return (c.r >> 3) << 11 | (c.g >> 3) << 6 | (c.b >> 3) << 1 | c.a >> 7;
    if (format == FORMAT_RGB565)
        return (c.r >> 3) << 11 | (c.g >> 2) << 5 | c.b >> 3;
    return (c.r >> 4) << 12 | (c.g >> 4) << 8 | (c.b >> 4) << 4 | c.a >> 4;
}

uint group_number()
{
    return gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
}
