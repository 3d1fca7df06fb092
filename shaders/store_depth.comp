// SPDX-License-Identifier: MIT
// Stores linear depth floats and stencil bytes (copied out of the image) as guest bytes.
layout(std430, set = 1, binding = 0) readonly buffer Scratch { uint scratch[]; };

void main()
{
    uint g = group_number();
    if (g >= SURFACE_GROUPS)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    if (place.x >= SURFACE_WIDTH || place.y >= SURFACE_HEIGHT)
        return;
    uint bytes = SURFACE_FORMAT == 0u ? 2u : SURFACE_FORMAT == 2u ? 3u : 4u;
    uint word = SURFACE_WORD + index / 4u * bytes;
    uvec4 raw = uvec4(0u);
    if (place.x + 1u >= SURFACE_WIDTH || place.y + 1u >= SURFACE_HEIGHT)
        raw = load_group(SURFACE_REGION, word, bytes);
    float unit = SURFACE_FORMAT == 0u ? 65536.0 : 16777216.0;
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= SURFACE_WIDTH || p.y >= SURFACE_HEIGHT)
            continue;
        uvec2 at = uvec2(p.x, surface_row(p.y)) * SURFACE_SCALE + SURFACE_SCALE / 2u;
        uint linear = at.y * SCRATCH_PITCH + at.x;
        uint value = uint(int(uintBitsToFloat(scratch[linear]) * unit)); // a code times 2^-24 or 2^-16: exact
        if (SURFACE_FORMAT == 3u)
            value |= (scratch[SCRATCH_STENCIL + linear / 4u] >> (8u * (linear & 3u)) & 255u) << 24;
        raw[i] = value;
    }
    store_group(SURFACE_REGION, word, bytes, raw);
}
