// SPDX-License-Identifier: MIT
// GLSL only: the geometry shader unit around a program that is compiled (shadergen/geometry.cpp) or interpreted
// (shaders/geometry_interpreter.comp): fed inputs, constants, and what persists. FEED_* are literals or variables. The C++
// counterpart is pica/vertex/geometry_shader_unit.h.

layout(local_size_x = COMPUTE_GROUP) in;
layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCK, std140) uniform VertexUniforms { VertexBlock u; };
#define INTEGER_ROW(n) u.integers[n]
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) buffer Shaded { float shaded[]; };
layout(set = SET_COMPUTE, binding = BINDING_STATUS, std430) buffer Status { uint status[]; };
layout(set = SET_COMPUTE, binding = BINDING_GEOMETRY_STATE, std430) buffer GeometryState { uint state[]; };
// Variable mode: for each invocation the index of its first vertex, and its number of vertices.
layout(set = SET_COMPUTE, binding = BINDING_GEOMETRY_PRIMITIVES, std430) readonly buffer Primitives { uvec2 primitive_of[]; };

bool sequential; // all invocations of the program run in this invocation of the shader, one after the other
uint invocation; // number of the program's invocation in the draw
uint bools;
uint events = 0u;
uint latch;      // vertex | primitive flag << 2 | winding flag << 3
uint bank;       // the output bank that is written now
uint first_primitive;
uint primitives;
uint drawn = 0u; // sequential: primitives of the draw so far
uint covered;    // sequential: how many c registers, from the first fed one on, hold fed values in `state`

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

// Attribute n of a vertex of the draw that is fed to the program.
vec4 vertex_attribute_of(uint vertex, uint n)
{
    uint at = u.geometry.fed + (vertex * uint(FEED_ATTRIBUTES) + n) * 4u;
    return vec4(shaded[at], shaded[at + 1u], shaded[at + 2u], shaded[at + 3u]);
}

// How many c registers the invocation is fed, from FEED_FIRST on. Registers after c95 do not exist.
uint fed_count()
{
    if (FEED_MODE == 0)
        return 0u;
    uint count = uint(FEED_VERTICES * FEED_ATTRIBUTES);
    if (FEED_MODE == 1)
    {
        uint vertices = primitive_of[invocation].y;
        uint full = min(vertices, uint(FEED_VERTICES));
        count = 1u + full * uint(FEED_ATTRIBUTES) + (vertices - full);
    }
    return min(count, uint(max(96 - FEED_FIRST, 0)));
}

vec4 fed_value(uint k)
{
    if (FEED_MODE != 1)
        return vertex_attribute_of(invocation * uint(FEED_VERTICES) + k / uint(FEED_ATTRIBUTES), k % uint(FEED_ATTRIBUTES));
    uvec2 primitive = primitive_of[invocation];
    if (k == 0u)
        return vec4(float(primitive.y));
    k--;
    uint full = min(primitive.y, uint(FEED_VERTICES));
    if (k >= full * uint(FEED_ATTRIBUTES)) // only positions
        return vertex_attribute_of(primitive.x + full + (k - full * uint(FEED_ATTRIBUTES)), 0u);
    return vertex_attribute_of(primitive.x + k / uint(FEED_ATTRIBUTES), k % uint(FEED_ATTRIBUTES));
}

// A c register. The constants of the block contain what earlier draws fed.
vec4 constant_at(int n)
{
    if (n >= 96)
        return vec4(1.0); // [HW]
    if (FEED_MODE != 0)
    {
        uint k = uint(n - FEED_FIRST);
        if (n >= FEED_FIRST && k < fed_count())
            return fed_value(k);
        if (FEED_MODE == 1 && sequential && k < covered) // an earlier primitive was longer
            return state_vector(uint(STATE_CONSTANTS + 4 * n));
    }
    return u.constants[n];
}

// Keeps a fed value as a constant for later draws.
void keep_fed_value(uint k)
{
    keep_vector(uint(STATE_CONSTANTS) + 4u * (uint(FEED_FIRST) + k), fed_value(k));
}

void keep_fed()
{
    uint count = fed_count();
    for (uint k = 0u; k < count; k++)
        keep_fed_value(k);
    covered = max(covered, count);
}

// Likewise for what the vertices after the last complete invocation feed.
void keep_left()
{
    if (FEED_MODE != 2)
        return;
    uint count = min(u.draw.first * uint(FEED_ATTRIBUTES), uint(max(96 - FEED_FIRST, 0)));
    for (uint k = 0u; k < count; k++)
        keep_vector(uint(STATE_CONSTANTS) + 4u * (uint(FEED_FIRST) + k),
                    vertex_attribute_of(u.draw.count * uint(FEED_VERTICES) + k / uint(FEED_ATTRIBUTES), k % uint(FEED_ATTRIBUTES)));
}

void set_emit(uint value) { latch = value; }

#if FEED_ASSEMBLES
// Primitive assembly, the counterpart of pica/vertex/primitive.h, for everything except lists of whole triangles. The rows
// before the draw's triangles hold two slots, then what the current invocation emitted, three vertices for each primitive.
#define ROW_WINDING 17u // in the row of a primitive's first vertex; not used by any semantic

uint assembler_next;
uint assembler_filled;
bool assembler_ready;
bool assembler_invert;
uint assembled; // triangles of the current part of the draw

uint slot_row(uint slot) { return (u.draw.first_shaded - 3u * u.geometry_range.primitives - 2u + slot) * uint(SHADED_FLOATS); }
uint emitted_row(uint vertex) { return slot_row(2u + vertex); }

void load_assembler()
{
    bool restarts = (u.geometry.flags & GEOMETRY_RESTARTS) != 0u;
    uint word = restarts ? 0u : state[STATE_ASSEMBLER];
    assembler_next = word & 3u;
    assembler_filled = word >> 2 & 3u;
    assembler_ready = (word & 16u) != 0u;
    assembler_invert = (word & 32u) != 0u;
    assembled = (u.geometry.flags & GEOMETRY_NEW_PART) != 0u ? 0u : state[STATE_ASSEMBLED];
    for (uint i = 0u; i < uint(2 * SHADED_FLOATS); i++)
        shaded[slot_row(0u) + i] = uintBitsToFloat(state[uint(STATE_ASSEMBLER_SLOTS) + i]);
}

void keep_assembler()
{
    state[STATE_ASSEMBLER] =
        assembler_next | assembler_filled << 2 | (assembler_ready ? 16u : 0u) | (assembler_invert ? 32u : 0u);
    state[STATE_ASSEMBLED] = assembled;
    for (uint i = 0u; i < uint(2 * SHADED_FLOATS); i++)
        state[uint(STATE_ASSEMBLER_SLOTS) + i] = floatBitsToUint(shaded[slot_row(0u) + i]);
}

// Not a loop, because drivers limit the rounds of all loops together, and this runs for every vertex.
void copy_row(uint to, uint from)
{
    shaded[to + 0u] = shaded[from + 0u];
    shaded[to + 1u] = shaded[from + 1u];
    shaded[to + 2u] = shaded[from + 2u];
    shaded[to + 3u] = shaded[from + 3u];
    shaded[to + 4u] = shaded[from + 4u];
    shaded[to + 5u] = shaded[from + 5u];
    shaded[to + 6u] = shaded[from + 6u];
    shaded[to + 7u] = shaded[from + 7u];
    shaded[to + 8u] = shaded[from + 8u];
    shaded[to + 9u] = shaded[from + 9u];
    shaded[to + 10u] = shaded[from + 10u];
    shaded[to + 11u] = shaded[from + 11u];
    shaded[to + 12u] = shaded[from + 12u];
    shaded[to + 13u] = shaded[from + 13u];
    shaded[to + 14u] = shaded[from + 14u];
    shaded[to + 15u] = shaded[from + 15u];
    shaded[to + 16u] = shaded[from + 16u];
    shaded[to + 17u] = shaded[from + 17u];
    shaded[to + 18u] = shaded[from + 18u];
    shaded[to + 19u] = shaded[from + 19u];
    shaded[to + 20u] = shaded[from + 20u];
    shaded[to + 21u] = shaded[from + 21u];
    shaded[to + 22u] = shaded[from + 22u];
    shaded[to + 23u] = shaded[from + 23u];
}

// Takes the vertex of a row as the next one of the topology.
void assemble(uint row)
{
    uint topology = u.geometry.flags >> GEOMETRY_TOPOLOGY_SHIFT & 3u;
    bool emits = topology != 0u ? assembler_ready : assembler_next == 2u;
    if (emits)
    {
        uint first = topology == 0u && assembler_invert ? 1u : 0u;
        uint to = (u.draw.first_shaded + 3u * assembled) * uint(SHADED_FLOATS);
        if (assembled < u.assembly.triangles)
        {
            copy_row(to, slot_row(first));
            copy_row(to + uint(SHADED_FLOATS), slot_row(1u - first));
            copy_row(to + uint(2 * SHADED_FLOATS), row);
        }
        assembled++;
    }
    if (topology == 0u && emits)
    {
        assembler_next = 0u;
        assembler_filled = 0u;
        assembler_invert = false;
        return;
    }
    assembler_next = topology != 0u && assembler_next > 1u ? 0u : assembler_next;
    copy_row(slot_row(assembler_next), row);
    if (topology == 0u)
    {
        assembler_next++;
        assembler_filled = assembler_next;
        return;
    }
    assembler_filled = max(assembler_filled, assembler_next + 1u);
    assembler_ready = assembler_ready || assembler_next == 1u;
    assembler_next = topology == 1u ? 1u - assembler_next : 1u;
}

// Assembles the vertices that an invocation emitted.
void assemble_row(uint n)
{
    uint row = emitted_row(n);
    if (n % 3u == 0u)
        assembler_invert = assembler_invert || shaded[row + ROW_WINDING] == 2.0;
    assemble(row);
}

void assemble_emitted(uint count)
{
    for (uint n = 0u; n < 3u * count; n++)
        assemble_row(n);
}
#endif
