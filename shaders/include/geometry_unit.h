// SPDX-License-Identifier: MIT
// GLSL only: the geometry unit around a generated program (shadergen/geometry.cpp): fed inputs, constants, what persists.
// The twin in C++ is pica/soft/geometry_stage.h.

layout(local_size_x = COMPUTE_GROUP) in;
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCK, std140) uniform VertexUniforms { VertexBlock u; };
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) buffer Shaded { float shaded[]; };
layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };
layout(set = SET_COMPUTE, binding = BINDING_GEOMETRY_STATE, std430) buffer GeometryState { uint state[]; };
// Variable mode: per invocation the element of its first vertex, and how many it has.
layout(set = SET_COMPUTE, binding = BINDING_GEOMETRY_PRIMITIVES, std430) readonly buffer Primitives { uvec2 primitive_of[]; };

bool sequential; // all invocations in this one, in place
uint invocation; // number in the draw
uint bools;
uint events = 0u;
uint latch;      // vertex | primitive flag << 2 | winding flag << 3
uint bank;       // which of the two is written now
uint first_primitive;
uint primitives;
uint drawn = 0u; // sequential: primitives of the draw
uint covered;    // sequential: c registers from the first fed one on that hold fed values in `state`

vec4 state_vector(uint word)
{
    return uintBitsToFloat(uvec4(state[word], state[word + 1u], state[word + 2u], state[word + 3u]));
}

void keep_vector(uint word, vec4 value)
{
    uvec4 bits = floatBitsToUint(value);
    state[word] = bits.x;
    state[word + 1u] = bits.y;
    state[word + 2u] = bits.z;
    state[word + 3u] = bits.w;
}

// Attribute n of a fed vertex of the draw.
vec4 vertex_attribute_of(uint vertex, uint n)
{
    uint at = u.geometry.x + (vertex * uint(FEED_ATTRIBUTES) + n) * 4u;
    return vec4(shaded[at], shaded[at + 1u], shaded[at + 2u], shaded[at + 3u]);
}

// Constants of the block hold what earlier draws fed, too.
#if FEED_MODE == 0
vec4 constant_at(int n)
{
    return n < 96 ? u.constants[n] : vec4(1.0); // [HW]
}
#else
// c registers that the invocation is fed with, from FEED_FIRST on; those past c95 do not exist.
uint fed_count()
{
#if FEED_MODE == 1
    uint vertices = primitive_of[invocation].y;
    uint full = min(vertices, uint(FEED_VERTICES));
    uint count = 1u + full * uint(FEED_ATTRIBUTES) + (vertices - full);
#else
    uint count = uint(FEED_VERTICES * FEED_ATTRIBUTES);
#endif
    return min(count, uint(max(96 - FEED_FIRST, 0)));
}

vec4 fed_value(uint k)
{
#if FEED_MODE == 1
    uvec2 primitive = primitive_of[invocation];
    if (k == 0u)
        return vec4(float(primitive.y));
    k--;
    uint full = min(primitive.y, uint(FEED_VERTICES));
    if (k >= full * uint(FEED_ATTRIBUTES)) // positions alone
        return vertex_attribute_of(primitive.x + full + (k - full * uint(FEED_ATTRIBUTES)), 0u);
    return vertex_attribute_of(primitive.x + k / uint(FEED_ATTRIBUTES), k % uint(FEED_ATTRIBUTES));
#else
    return vertex_attribute_of(invocation * uint(FEED_VERTICES) + k / uint(FEED_ATTRIBUTES), k % uint(FEED_ATTRIBUTES));
#endif
}

vec4 constant_at(int n)
{
    if (n >= 96)
        return vec4(1.0); // [HW]
    uint k = uint(n - FEED_FIRST);
    if (n >= FEED_FIRST && k < fed_count())
        return fed_value(k);
#if FEED_MODE == 1
    if (sequential && k < covered) // an earlier primitive was longer
        return state_vector(uint(STATE_CONSTANTS + 4 * n));
#endif
    return u.constants[n];
}
#endif

// Fed values become constants that live on.
void keep_fed()
{
#if FEED_MODE != 0
    uint count = fed_count();
    for (uint k = 0u; k < count; k++)
        keep_vector(uint(STATE_CONSTANTS) + 4u * (uint(FEED_FIRST) + k), fed_value(k));
    covered = max(covered, count);
#endif
}

void set_emit(uint value) { latch = value; }
