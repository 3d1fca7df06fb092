// SPDX-License-Identifier: MIT
// GLSL only: the resources of vertex shaders that run for many draws at once (layout.h). `u` has the rows of the group's draw
// that are not arrays; the generator defines it after the arithmetic, which has variables of that name.

layout(local_size_x = COMPUTE_GROUP) in;
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_VRAM, std430) restrict readonly buffer MirrorVram { uint mirror_vram[]; };
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_FCRAM, std430) restrict readonly buffer MirrorFcram { uint mirror_fcram[]; };
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCKS, std430) restrict readonly buffer VertexRows { uvec4 vertex_rows[]; };
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_GROUPS, std140) uniform Groups { VertexGroups vertex_groups; };
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) restrict writeonly buffer Shaded { float shaded[]; };

struct BatchBlock
{
    DrawRow draw;
    IndexRow index;
    SharedRow shared_range;
};
BatchBlock batch_block;
uint first_constant; // rows
uint first_input;

// Rows are read as integers: loads of floats need not keep the bits of what is none. row: shadergen::constant_row of n.
// Inputs are those that the program reads, counted from 0.
#define CONSTANT_ROW(n, row) uintBitsToFloat(vertex_rows[first_constant + uint(row)])
#define INTEGER_ROW(n) ivec4(vertex_rows[first_constant + uint(n)])
#define INPUT_CONFIG(n) input_config(n)
#define INPUT_FIXED(n) uintBitsToFloat(vertex_rows[first_input + uint(BATCH_INPUT_ROWS) * n + 1u])

InputRow input_config(uint n)
{
    uvec4 row = vertex_rows[first_input + uint(BATCH_INPUT_ROWS) * n];
    return InputRow(row.x, row.y, row.z, row.w);
}

// Finds the group's draw, and gives the number of the invocation in it.
uint batch_invocation()
{
    uint group = vertex_groups.groups[gl_WorkGroupID.x >> 2][gl_WorkGroupID.x & 3u];
    uint first_row = (group & ((1u << VERTEX_GROUP_SHIFT) - 1u)) * uint(BATCH_ROWS);
    uvec4 places = vertex_rows[first_row + uint(BATCH_ROW_PLACES)];
    first_constant = places.x;
    first_input = places.y;
    uvec4 draw = vertex_rows[first_row + uint(BATCH_ROW_DRAW)];
    uvec4 index = vertex_rows[first_row + uint(BATCH_ROW_INDEX)];
    uvec4 shared_range = vertex_rows[first_row + uint(BATCH_ROW_SHARED)];
    batch_block.draw = DrawRow(draw.x, draw.y, draw.z, draw.w);
    batch_block.index = IndexRow(index.x, index.y, index.z, index.w);
    batch_block.shared_range = SharedRow(shared_range.x, shared_range.y, shared_range.z, shared_range.w);
    return (group >> VERTEX_GROUP_SHIFT) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}
