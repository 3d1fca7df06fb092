// SPDX-License-Identifier: MIT
// GLSL only: the resources of vertex shaders that run for many draws at once (layout.h). `u` is the block of the group's draw;
// the generator defines it after the arithmetic, which has variables of that name.

layout(local_size_x = COMPUTE_GROUP) in;
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_VRAM, std430) restrict readonly buffer MirrorVram { uint mirror_vram[]; };
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_FCRAM, std430) restrict readonly buffer MirrorFcram { uint mirror_fcram[]; };
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCKS, std430) restrict readonly buffer VertexBlocks
{
    VertexBlock vertex_blocks[];
};
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_GROUPS, std140) uniform Groups { VertexGroups vertex_groups; };
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) restrict writeonly buffer Shaded { float shaded[]; };

uint block_number;

// Finds the group's draw, and gives the number of the invocation in it.
uint batch_invocation()
{
    uint group = vertex_groups.groups[gl_WorkGroupID.x >> 2][gl_WorkGroupID.x & 3u];
    block_number = group & ((1u << VERTEX_GROUP_SHIFT) - 1u);
    return (group >> VERTEX_GROUP_SHIFT) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}
