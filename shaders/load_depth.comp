// SPDX-License-Identifier: MIT
// Loads guest bytes of a depth buffer into the scratch buffer, as linear floats k * 2^-24 (D16: k * 2^-16) and stencil
// bytes in the rows of the image. A copy then writes them into the image. Each invocation handles four neighbours of a row.
layout(std430, set = 1, binding = 0) writeonly buffer Scratch { uint scratch[]; };

void main()
{
    uint quads = SCRATCH_PITCH / 4u;
    uint n = group_number();
    uint y = n / quads;
    if (y >= SURFACE_HEIGHT * SURFACE_SCALE)
        return;
    uint bytes = SURFACE_FORMAT == 0u ? 2u : SURFACE_FORMAT == 2u ? 3u : 4u;
    uint stencil = 0u;
    for (uint i = 0u; i < 4u; i++)
    {
        uint x = (n % quads) * 4u + i;
        uint column = min(x / SURFACE_SCALE, SURFACE_WIDTH - 1u);
        uint row = surface_row(y / SURFACE_SCALE);
        uint index = SURFACE_BLOCK32 != 0u ? block32_index(column, row, SURFACE_WIDTH)
                                           : tiled_index(column, row, SURFACE_WIDTH);
        uint raw = load_bytes(SURFACE_REGION, SURFACE_WORD * 4u + index * bytes, bytes);
        float unit = SURFACE_FORMAT == 0u ? 1.0 / 65536.0 : 1.0 / 16777216.0;
        scratch[y * SCRATCH_PITCH + x] = floatBitsToUint(float(raw & 0xFFFFFFu) * unit); // exact
        stencil |= (raw >> 24) << (8u * i);
    }
    scratch[SCRATCH_STENCIL + n] = stencil;
}
