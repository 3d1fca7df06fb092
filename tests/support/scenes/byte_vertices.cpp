// SPDX-License-Identifier: MIT
#include "tests/support/scenes/byte_vertices.h"

#include "tests/support/programs/program_builder.h"

namespace tests
{

void use_byte_vertices(CommandListBuilder& list)
{
    ProgramBuilder b;
    b.mov(o(0)["w"], c(1)["w"]);
    b.mul(o(0)["xy"], c(0), v(0));
    b.mul(r(0), c(0), v(0));
    b.add(o(0)["z"], c(1), r(0));
    b.mul(o(1), c(2), v(1));
    b.mul(o(2), c(3), v(1));
    b.end();
    list.upload_vertex_program(b.words(), b.descriptors(), 0);
    list.float_uniform(0, {1.1f / 128.0f, 1.1f / 128.0f, 0.5f / 128.0f, 1.0f});
    list.float_uniform(1, {0.0f, 0.0f, -0.5f, 1.0f});
    list.float_uniform(2, {1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f});
    list.float_uniform(3, {1.0f / 64.0f, 1.0f / 64.0f, 0.0f, 0.0f});
    list.write(reg::SH_OUTMAP_O::ids[1], 0x0B0A0908u);
    list.write(reg::SH_OUTMAP_O::ids[2], 0x1F1F0D0Cu);
    list.set(reg::SH_OUTMAP_TOTAL::count, 3);
    list.set(reg::VSH_OUTMAP_MASK::mask, 7);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 2);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 2);
    // Attribute 0: 4 x s8, attribute 1: 4 x u8, from one loader.
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xDC);
    list.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, 1);
    list.write(reg::ATTRIBBUFFER_CONFIG1::id, 0x10);
    list.set(reg::ATTRIBBUFFER_CONFIG2::stride, kByteVertexBytes);
    list.set(reg::ATTRIBBUFFER_CONFIG2::count, 2);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
}

} // namespace tests
