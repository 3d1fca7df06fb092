// SPDX-License-Identifier: MIT
// GLSL only: the resources of vertex shaders that run for one draw at a time (layout.h).

layout(local_size_x = COMPUTE_GROUP) in;
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_VRAM, std430) readonly buffer MirrorVram { uint mirror_vram[]; };
layout(set = SET_COMPUTE, binding = BINDING_MIRROR_FCRAM, std430) readonly buffer MirrorFcram { uint mirror_fcram[]; };
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCK, std140) uniform VertexUniforms { VertexBlock u; };
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) buffer Shaded { float shaded[]; };

#define CONSTANT_ROW(n, row) u.constants[n]
#define INTEGER_ROW(n) u.integers[n]
#define INPUT_CONFIG(n) u.input_config[n]
#define INPUT_FIXED(n) u.input_fixed[n]

uint invocation_index()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}
