// SPDX-License-Identifier: MIT
// Loads guest bytes of a depth buffer into the scratch buffer, as linear floats k * 2^-24 (D16: k * 2^-16) and stencil
// bytes in the rows of the image. A copy then writes them into the image. Each invocation handles four neighbours of a row.
layout(std430, set = 1, binding = 0) writeonly buffer Scratch { uint scratch[]; };

void main()
{
    uint quads = constant_scratch_pitch / 4u;
    uint n = group_number();
    uint y = n / quads;
    if (y >= constant_height * constant_scale)
        return;
    uint bytes = constant_format == DEPTH_D16 ? 2u : constant_format == DEPTH_D24 ? 3u : 4u;
    uint stencil = 0u;
    for (uint i = 0u; i < 4u; i++)
    {
        uint x = (n % quads) * 4u + i;
        uint column = min(x / constant_scale, constant_width - 1u);
        uint row = surface_row(y / constant_scale);
        uint index = constant_block32 != 0u ? block32_index(column, row, constant_width)
                                            : tiled_index(column, row, constant_width);
        uint raw = load_bytes(constant_region, constant_first_word * 4u + index * bytes, bytes);
        float unit = constant_format == DEPTH_D16 ? 1.0 / 65536.0 : 1.0 / 16777216.0;
        scratch[y * constant_scratch_pitch + x] = floatBitsToUint(float(raw & 0xFFFFFFu) * unit); // exact
        stencil |= (raw >> 24) << (8u * i);
    }
    scratch[constant_scratch_stencil + n] = stencil;
}
