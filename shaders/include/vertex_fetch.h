// SPDX-License-Identifier: MIT
// GLSL only: reads guest memory into the input registers of the vertex program, as VertexBlock says
// (pica/hardware/vertex-input.md). The C++ counterpart is pica/vertex/vertex_fetch.h. Conversions work on bits, because a
// load must not flush what T() has to see.

uint invocation_index()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}

// Word `index` of a region that has `end` bytes; bytes after them are 0.
uint mirror_word(uint region, uint index, uint end)
{
    uint at = index * 4u;
    if (at >= end)
        return 0u;
    uint word = region == 0u ? mirror_vram[index] : mirror_fcram[index];
    return end - at >= 4u ? word : word & ((1u << ((end - at) * 8u)) - 1u);
}

// `size` (1, 2 or 4) bytes at any address as a little-endian number, zero-extended.
uint mirror_bytes(uint region, uint address, uint size, uint end)
{
    uint shift = (address & 3u) * 8u;
    uint value = mirror_word(region, address >> 2, end) >> shift;
    if (shift + size * 8u > 32u)
        value |= mirror_word(region, (address >> 2) + 1u, end) << (32u - shift);
    return size == 4u ? value : value & ((1u << (size * 8u)) - 1u);
}

// Byte offset of element n. Larger offsets become 2^31, which is after the end of every region.
uint element_offset(uint n, uint stride)
{
    uint high;
    uint low;
    umulExtended(n, stride, high, low);
    return high != 0u ? 0x80000000u : min(low, 0x80000000u);
}

// types 0 s8, 1 u8, 2 s16, 3 f32
vec4 fetch_input(uint n, uint vertex)
{
    uint format = u.input_config[n].format;
    uint offset = u.input_config[n].offset;
    uint source = format & 3u;
    uint stride = format >> 8 & 255u;
    if (source == 3u)
    {
        uint word = (offset >> 2) + vertex * stride * 4u;
        return uintBitsToFloat(
            uvec4(mirror_vram[word], mirror_vram[word + 1u], mirror_vram[word + 2u], mirror_vram[word + 3u]));
    }
    if (source != 1u)
        return source == 2u ? u.input_fixed[n] : vec4(0.0);
    uint type = format >> 2 & 3u;
    uint components = format >> 4 & 15u;
    uint size = type == 3u ? 4u : type == 2u ? 2u : 1u;
    uint address = offset + element_offset(vertex, stride);
    vec4 value = vec4(0.0, 0.0, 0.0, 1.0);
    for (uint k = 0u; k < 4u; k++)
    {
        if (k >= components)
            break;
        uint bits = mirror_bytes(u.input_config[n].region, address, size, offset + u.input_config[n].available);
        if (type == 3u)
            value[k] = f24_round(uintBitsToFloat(bits));
        else if (type == 1u)
            value[k] = float(bits);
        else
            value[k] = float(int(bits << (32u - 8u * size)) >> (32u - 8u * size));
        address += size;
    }
    return value;
}

// The number of vertex i of the draw: first + i, or an index. A sum beyond 32 bits becomes the largest 32-bit number.
uint vertex_number(uint i)
{
    if (u.index.size == 0u)
        return u.draw.first > 0xFFFFFFFFu - i ? 0xFFFFFFFFu : u.draw.first + i;
    uint size = u.index.size;
    return mirror_bytes(u.index.region, u.index.offset + element_offset(i, size), size, u.index.offset + u.index.available);
}
