#version 450
// vertex program 2661414808294325118
// structured, at most 1042 instructions
// SPDX-License-Identifier: MIT
// Descriptor sets, bindings, locations and fixed limits of every shader. Compiles as C++ and as GLSL (macros only). A
// number that exists once cannot differ between C++ and shader text; shadergen/reflect.h checks the rest.
#ifndef PICAVK_LAYOUT_H
#define PICAVK_LAYOUT_H

// Graphics. Set 0: the draw. Set 1: textures. Set 2: the destination alone, bound only for pipelines that read it.
#define SET_DRAW 0
#define BINDING_FRAGMENT_BLOCK 0 // uniform buffer with dynamic offset: FragmentBlock of uniforms.h
#define BINDING_RECORD_TEXELS 1  // isamplerBuffer over the triangle records (record path TexelBuffer only)
#define BINDING_LUTS 2           // usamplerBuffer over decoded lookup tables, one texel an entry (pica/state/luts.h)
#define BINDING_LIGHTING_BLOCK 3 // uniform buffer with dynamic offset: LightingBlock of uniforms.h
#define SET_TEXTURES 1
#define BINDING_TEXTURE0 0 // usampler2D, R8G8B8A8_UINT, row 0 = t 0; units 1 and 2 follow. A cube map in unit 0 is a
                           // usampler2DArray of its faces
#define BINDING_GAS_DEPTH 3 // usampler2D: the depth buffer decoded as a texture, row 0 = last memory row (gas accumulation)
#define SET_DESTINATION 2
#define BINDING_DESTINATION 0 // input attachment, or storage image for fragment shader interlock

// Vertex attributes. The position is two s32 in 1/16 pixel (binding 1). In the flat record path, location LOCATION_RECORD
// + k holds words 4k..4k+3 of the triangle record (binding 0, stride record/3). No location between two used ones is
// free: llvmpipe compiles the formats of all locations into a vertex shader, and in a free one it takes what the
// pipeline bound before had there. So it would compile again whenever another pipeline came first.
#define VERTEX_BINDING_RECORD 0
#define VERTEX_BINDING_POSITION 1
#define LOCATION_POSITION 0 // where the shader tests coverage: the first of three
#define LOCATION_RECORD 1
#define MAX_FLAT_RECORD_WORDS 60
#define MAX_VARYING_WORDS 120 // with what the vertex shader makes of a record, where the device has them

// Push constants of the graphics pipelines: ivec2 origin (1/16 pixel), float scale, int first_record.
#define PUSH_GRAPHICS_BYTES 16

// Compute (vertex executor). Set 0. No stage uses more than four of the storage buffers, which is the limit that every
// device has:
//   vertex      mirrors, SHADED, STATUS (one draw)    vertex batch  mirrors, SHADED, VERTEX_BLOCKS
//   triangles   SHADED, SLOTS, RECORDS, POSITIONS (classify, emit, clip)
//   geometry    SHADED, STATUS, GEOMETRY_STATE, GEOMETRY_PRIMITIVES
#define SET_COMPUTE 0
#define BINDING_MIRROR_VRAM 0    // guest memory as words
#define BINDING_MIRROR_FCRAM 1
#define BINDING_VERTEX_BLOCK 2   // VertexBlock of uniforms.h, dynamic offset
#define BINDING_SHADED 3         // shaded vertices: 24 floats each
#define BINDING_SLOTS 4          // input triangles of the batch: SlotsHeader, draws and groups
#define BINDING_RECORDS 5        // words: triangle records, and behind them what SlotsHeader of uniforms.h says
#define BINDING_POSITIONS 6      // ivec2, three per triangle
#define BINDING_PROGRAM 10       // ProgramBlock of uniforms.h, dynamic offset (vertex_interpreter.comp only)
#define BINDING_STATUS 9         // one word for each draw of the batch: bits STATUS_*
#define BINDING_GEOMETRY_STATE 11      // the geometry shader unit's registers and fed constants, words STATE_*
#define BINDING_GEOMETRY_PRIMITIVES 12 // uvec2 for each invocation (variable mode)
#define BINDING_VERTEX_BLOCKS 13 // BatchDraw of uniforms.h for each draw of a batch; behind all of them what their programs read
#define BINDING_VERTEX_GROUPS 14 // VertexGroups of uniforms.h, dynamic offset
// Dispatches have COMPUTE_GROUP invocations in a group; groups after 65535 go to the y dimension. clip.comp has a group of
// CLIP_GROUP invocations for each triangle.
#define COMPUTE_GROUP 64
#define CLIP_GROUP 32
#define MAX_BATCH_DRAWS 4096
#define MAX_SLOT_GROUPS 1023 // of a draw batch: fewer slots than the 65535 groups that a dispatch may have in a dimension
#define MAX_VERTEX_GROUPS 1024 // of a dispatch for the draws of a batch
#define VERTEX_GROUP_SHIFT 16
// Rows of 16 bytes in BatchDraw.
#define BATCH_ROW_DRAW 0
#define BATCH_ROW_INDEX 1
#define BATCH_ROW_SHARED 2
#define BATCH_ROW_PLACES 3
#define BATCH_ROWS 4
#define BATCH_INPUT_ROWS 2 // in BatchInput

// The word of a slot: the number of its first record, counted from the first slot of its group of COMPUTE_GROUP slots. The
// flags: the input triangle is inside of all planes and has one record; it is clipped and has CLIPPED_RECORDS, of which the
// last ones may be empty. Without a flag it has none.
#define SLOT_WHOLE 0x80000000u
#define SLOT_CLIPPED 0x40000000u
#define SLOT_NUMBER 0xFFFFu

#define STATUS_BUDGET 1u        // an invocation ran out of instructions (kBudgetExhausted of pica/shader/flow.h)
#define STATUS_BREAK 2u         // BREAK outside a LOOP (kBreakOutsideLoop)
#define STATUS_PRIMITIVES_LOST 8u // kPrimitivesLost
#define STATUS_BAD_SLOT 16u     // kBadVertexSlot
#define STATUS_UNFINISHED 32u   // the planned dispatches were not enough

// ProgramBlock::code, one row per word of a vertex program:
//   x opcode (pica/shader/isa.h) | destination << 8 | write mask << 13 | compare x << 17, y << 20 | index register << 23 |
//     source with relative addressing << 25
//   y source codes, 7 bits each | negations << 21 | condition << 24: bit cmp.x + 2 * cmp.y of a truth table | PROGRAM_BOOL_*
//   z selectors, 8 bits per source, x lowest
//   w target | count << 12 | bool or int register << 20 | PROGRAM_FLOW | PROGRAM_MAY_END
#define PROGRAM_WORDS 512
#define PROGRAM_BOOL_CONDITION 0x10000000u // the condition is a bool register ...
#define PROGRAM_BOOL_EXPECTED 0x20000000u  // ... that is set (else: clear)
#define PROGRAM_FLOW 0x1000000u            // changes the program counter
#define PROGRAM_MAY_END 0x2000000u         // a body may end after the word

// The most vertices of a clipped polygon: three, and one for each plane. More can only come from rounding and are dropped
// (kMaxClippedVertices of pica/vertex/clip.h).
#define MAX_POLYGON 11
#define CLIPPED_RECORDS 9 // a fan over such a polygon

// The floats of a shaded vertex, which are the semantics of the output map (pica/hardware/vertex-output.md).
#define SHADED_FLOATS 24
#define SEMANTIC_POSITION 0
#define SEMANTIC_QUATERNION 4
#define SEMANTIC_COLOR 8
#define SEMANTIC_TEXCOORD0 12 // texcoord 1 follows
#define SEMANTIC_TEXCOORD0_W 16
#define SEMANTIC_VIEW 18
#define SEMANTIC_TEXCOORD2 22

// GeometryRow::flags
#define GEOMETRY_SEQUENTIAL 1u // one invocation of the shader runs all of the program in turn, from and to the state
#define GEOMETRY_SILENT 2u     // nothing is emitted
#define GEOMETRY_NEW_DRAW 4u   // the first dispatch of a draw
#define GEOMETRY_NEW_PART 8u   // the first dispatch of a part of a draw, whose vertex slots are empty
#define GEOMETRY_ODD 16u       // every invocation has an odd number of EMITs
#define GEOMETRY_RESUMES 64u // continues the invocation that the dispatch before left incomplete (interpreter, sequential)
#define GEOMETRY_LAST 128u     // this dispatch completes the last invocation (interpreter)
#define GEOMETRY_RESTARTS 32u      // restarts the assembler (programs with FEED_ASSEMBLES, sequential)
#define GEOMETRY_TOPOLOGY_SHIFT 8u // topology of that assembler: 0 lists, 1 strips, 2 fans

// State of the geometry shader unit: v0..v15, r0..r15, both banks of o0..o15, three vertex slots of seven vectors, then
// single words, then those of c0..c95 that were fed. Vectors are four words.
#define STATE_INPUTS 0
#define STATE_TEMPORARIES 64
#define STATE_BANKS 128
#define STATE_SLOTS 256
#define STATE_A0X 340
#define STATE_A0Y 341
#define STATE_AL 342
#define STATE_FLAGS 343   // bit 0 cmp.x, 1 cmp.y
#define STATE_LATCH 344   // SETEMIT: vertex | primitive flag << 2 | winding flag << 3
#define STATE_BANK 345    // the bank that is written now
#define STATE_COVERED 346 // in the current draw: c registers that were fed
#define STATE_PLACED 347  // in the current part: primitives in its slots
#define STATE_DRAWN 348   // in the current draw: primitives so far
#define STATE_CONSTANTS 352
// The assembler: next slot | filled slots << 2 | ready << 4 | invert << 5; triangles of the current part; vertices.
#define STATE_ASSEMBLER 736
#define STATE_ASSEMBLED 737
#define STATE_ASSEMBLER_SLOTS 738
#define STATE_WORDS 786 // the CPU has a copy of these words
// An interpreted program: where the last dispatch stopped.
#define STATE_PC 788
#define STATE_EXECUTED 789
#define STATE_MOVES 790
#define STATE_PRIMITIVES 791 // of the current invocation
#define STATE_DONE 792       // complete invocations of the part
#define STATE_PHASE 793      // of the current invocation
#define STATE_STEP 794
#define STATE_BEFORE 795     // STATE_DRAWN at its start
#define STATE_CALLS 796      // the stacks of shadergen/flow_stacks.h
#define STATE_IFS 800
#define STATE_LOOPS 808 // addresses, counts, aL
// ... and the program itself (shadergen/geometry_interpreter.h)
#define STATE_PROGRAM 820
#define PROGRAM_INFO_ENTRY 0
#define PROGRAM_INFO_LIMIT 1      // acts as END
#define PROGRAM_INFO_MODE 2       // FEED_*
#define PROGRAM_INFO_ATTRIBUTES 3
#define PROGRAM_INFO_VERTICES 4
#define PROGRAM_INFO_FIRST 5
#define PROGRAM_INFO_OUTPUTS 6    // mask | winding obeyed << 16 | assembles << 17
#define PROGRAM_INFO_INPUTS 7     // point mode: attributes that are fed
#define PROGRAM_INFO_TARGETS 8    // ... and their v registers, four per word
#define PROGRAM_INFO_MAP 12       // GeometryKey::source, four per word
#define PROGRAM_INFO_WORDS 20
#define STATE_ROWS 840 // like ProgramBlock::code; in rows of SETEMIT y is what it latches
#define STATE_BUFFER_WORDS (STATE_ROWS + 4 * 4096)

#endif
// SPDX-License-Identifier: MIT
// Uniform blocks in std140 layout. Compiles as C++ (structs of 16-byte rows) and as GLSL. In C++ it is included by
// shadergen/uniforms.h, which defines uint and the vec4/ivec4/uvec4 rows and checks sizes.

struct FragmentBlock
{
    vec4 texenv_color[6]; // 0..255, r g b a
    vec4 texenv_buffer_color;
    uvec4 border_color;  // RGBA8 words of units 0..2, red in the low byte
    vec4 blend_color;
    ivec4 texture_size[3]; // x width, y height of level 0; z LOD bias, w lowest | highest LOD << 16, in 1/256 level
    vec4 texture_scale[3]; // x width, y height of level 0; z width - 1, w height - 1
    ivec4 scissor;         // scaled pixels x1, y1, x2, y2 inclusive, y up; mode exclude only
    vec4 misc;             // x depth scale, y depth offset, z alpha reference (0..255), w shadow bias (24 bits)
    // The rows from here on are for fragment keys of which reads_common_rows_only (shadergen/uniforms.h) is false.
    vec4 proctex_noise;    // phase u, v, frequency u, v (times 9)
    vec4 proctex_scale;    // x, y amplitude of the noise, z |width * bias|; w constant of shadow maps
    ivec4 proctex_level;   // x first entries of levels 0..3, y width; z, w lowest and highest level of detail in 1/256
    vec4 gas_planar;       // minimum, maximum, attenuation; w normalisation
    vec4 gas_view;         // minimum, maximum, attenuation; w attenuation of alpha
    // x line of sight, y scale of depth differences, z height of the depth texture, w z minus the target's height
    vec4 gas_misc;
    vec4 fog_color;        // 0..255; w linear coefficient of shadow maps
    ivec4 lut_base[8];     // first entry of LutTable n in the LUT buffer at [n/4][n%4]; 0 if the draw does not read it
    uvec4 state[10];       // the bytes of the fragment key, for the ubershader only; order in shadergen/ubershader.cpp
};

// Fragment lighting, one for each lit draw. Lights are in the order of the permutation register. Colours: 255 in the
// register is 1.0.
struct LightingBlock
{
    vec4 specular0[8];
    vec4 specular1[8];
    vec4 diffuse[8];
    vec4 ambient[8];
    vec4 position[8];    // or direction; w distance attenuation scale
    vec4 spot[8];        // spot direction; w distance attenuation bias
    vec4 direction[8];   // of a directional light: unit vector to the light; w length of the position
    vec4 global_ambient;
    uvec4 state[4];      // the bytes of LightingKey, for the ubershader only
};

// The rows of VertexBlock that are not vectors. Each has 16 bytes.

// Where the values of an input register come from.
struct InputRow
{
    uint format;    // source (0 zero, 1 memory, 2 fixed, 3 floats as they are) | type << 2 | components << 4 | stride << 8;
                    // source 3: stride in rows of four floats, region 0
    uint offset;    // in bytes, in its region
    uint region;    // 0 VRAM, 1 FCRAM
    uint available; // bytes from the offset on; bytes after them read as 0
};

struct DrawRow
{
    uint count;        // vertices. Geometry programs: invocations of the draw
    uint first;        // first vertex. Geometry programs: vertices that are left when the last invocation is complete
    uint first_shaded; // first shaded vertex. Geometry programs: the first emitted vertex
    uint bools;        // bool uniforms
};

struct IndexRow
{
    uint size; // bytes of an index, 1 or 2; 0: the draw has no indices
    uint offset;
    uint region;
    uint available;
};

struct AssemblyRow
{
    uint topology; // 0 list, 1 strip, 2 fan; | 256 if the first triangle of a continued strip is odd
    uint triangles;
    uint first_slot; // of counts
    uint cull;
};

struct OutputRow
{
    uint command; // index of the status word
    uint unused0;
    uint unused1;
    uint unused2;
};

// Geometry programs.
struct GeometryRow
{
    uint fed;   // first float of the fed vertices in SHADED
    uint first; // first invocation of the dispatch
    uint count; // how many
    uint flags; // GEOMETRY_*
};

// Invocations of geometry programs in parallel.
struct GeometryRangeRow
{
    uint first_of_draw;
    uint first_of_part; // of the current part of the draw
    uint primitives;    // reserved for each
    uint first_slot;    // slot of the first primitive
};

// Indexed draws whose vertices are shaded once.
struct SharedRow
{
    uint first_shaded;
    uint first_number; // number of the first of these vertices
    uint count;        // 0: every element is shaded
    uint rows;         // first float in SHADED of what shared_rows.comp writes, one per element
};

// When a program is stopped.
struct LimitRow
{
    uint instructions;
    uint moves; // backward moves of a geometry program
    uint unused0;
    uint unused1;
};

// Vertex executor, one for each draw whose programs run alone.
struct VertexBlock
{
    vec4 constants[96];        // c0..c95; for geometry programs these and `integers` are the geometry unit's
    ivec4 integers[4];         // i0..i3: count-1, start, step
    InputRow input_config[16]; // per v register
    vec4 input_fixed[16];
    DrawRow draw;
    IndexRow index;
    AssemblyRow assembly;
    OutputRow output_target;
    GeometryRow geometry;
    GeometryRangeRow geometry_range;
    LimitRow limits;
};

// Where the program's data lies, in rows of VERTEX_BLOCKS (shadergen/batch_rows.h).
struct PlacesRow
{
    uint constants; // the first integer register if the program reads any, and float constants
    uint inputs;    // the first BatchInput
    uint unused0;
    uint unused1;
};

// An input register that the program of a draw reads.
struct BatchInput
{
    InputRow config;
    vec4 fixed_value;
};

// Vertex executor, one for each draw whose program runs in a dispatch with others. Shaders read it by rows (layout.h).
struct BatchDraw
{
    DrawRow draw;
    IndexRow index;
    SharedRow shared_range;
    PlacesRow places;
};

// Which draw each group of a dispatch belongs to: number of its BatchDraw | group of the draw << VERTEX_GROUP_SHIFT.
struct VertexGroups
{
    uvec4 groups[MAX_VERTEX_GROUPS / 4];
};

struct ProgramRow
{
    uint entry;
    uint limit;  // the address that acts as END
    uint inputs; // input registers that are read (bit mask)
    uint fed;    // in front of a geometry program: floats that it is fed per vertex
};

// A vertex program for vertex_interpreter.comp. layout.h describes the rows of `code`.
struct ProgramBlock
{
    ProgramRow info;
    uvec4 output_map[2]; // VertexKey::source or, with w, FeedKey::source; four bytes per word
    uvec4 code[PROGRAM_WORDS];
};

// The rows of TriangleDraw.

// The layout of a triangle record. Offsets are words of the record, 8 bits each; 0: the record does not have it.
struct RecordRow
{
    uint words;
    uint scalars;   // wide, offsets of depth, colour, texcoord0.w
    uint texcoords; // offsets of texcoords 0..2, quaternion
    uint flags;     // 1 clip plane, 2 flat colour; from bit 8 on the offset of the view, from bit 16 on the words in use
};

// Which shaded vertices a draw assembles.
struct AssembledRow
{
    uint first;        // row of vertex 0. Rows are counted in shaded vertices
    uint sharing_from; // vertices from this one on share rows: one from `first_shared` on. 0xFFFFFFFF: none
    uint first_shared;
    uint sharing_rows; // first float in SHADED of what shared_rows.comp writes
};

struct RegionRow
{
    uint command;      // index of the indirect command
    uint first_record; // first triangle record of the draw's region
    uint records;      // how many the region has
    uint unused0;
};

// What the stages after the vertex programs read of a draw.
struct TriangleDraw
{
    vec4 clip_plane;
    vec4 viewport;     // half width, half height, x, y
    vec4 screen;       // x 16*scale, y 65536*scale
    ivec4 snap_bounds; // x, y lowest, z, w highest snapped coordinates (pica/state/triangle_record.h)
    AssemblyRow assembly;
    RecordRow record;
    AssembledRow vertices;
    RegionRow region;
};

// The slots of a draw batch. In SLOTS lie this header, the draw of the first slot of each group of COMPUTE_GROUP slots (and
// the last draw), and the draws. In RECORDS, at the words that the header says: an indirect draw command for each draw; the
// number of records of each group of slots; a word for each slot (SLOT_*); the list of the slots whose triangles need
// clipping, in any order. Each draw has one slot at least.
struct SlotsHeader
{
    uint clipped; // slots on the list; with the next two a VkDispatchIndirectCommand
    uint clipped_y;
    uint clipped_z;
    uint slots;
    uint first_command;
    uint first_total;
    uint first_word;
    uint first_listed;
};
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
#define PICA_GLSL
#define Real float
#define Bits uint
#define Int int
#define Mask bool
#define NUM_FN
#define NOT(a) (!(a))
#define REAL(x) (x)
#define BITS(x) (x)
#define INT(x) (x)
#define FLOOR(x) floor(x)
#define MUL_WIDE(a, b, high, low) umulExtended(a, b, high, low)
#define as_bits(x) floatBitsToUint(x)
#define as_real(x) uintBitsToFloat(x)
#define as_unsigned(x) uint(x)
#define as_signed(x) int(x)
#define to_int(x) int(x)
#define to_real(x) float(x)
#define SEL(mask, a, b) mix(b, a, mask)
#define AND(a, b) mix(false, b, a)
#define OR(a, b) mix(b, true, a)
#define RCP_STEPS 3
NUM_FN Bits magnitude_bits(Real x) { return as_bits(x) & BITS(0x7FFFFFFFu); }
NUM_FN Real f24_round(Real x)
{
    Bits u = as_bits(x);
    Bits a = u & BITS(0x7FFFFFFFu);
    Bits t = u & BITS(0xFFFFFF80u);
    t = SEL(a < BITS(0x20800000u), BITS(0u), t);
    t = SEL(a >= BITS(0x5F800000u), (u & BITS(0x80000000u)) | BITS(0x7F800000u), t);
    t = SEL(a > BITS(0x7F800000u), BITS(0x7FC00000u), t);
    return as_real(t);
}
NUM_FN Real f24_in(Real x) { return as_real(SEL(magnitude_bits(x) < BITS(0x20800000u), BITS(0u), as_bits(x))); }
NUM_FN Real f24_add(Real a, Real b)
{
    Real s = f24_in(a) + f24_in(b);
    return f24_round(s);
}
NUM_FN Mask f24_ordered(Real a, Real b)
{
    return AND(magnitude_bits(a) <= BITS(0x7F800000u), magnitude_bits(b) <= BITS(0x7F800000u));
}
NUM_FN Mask f24_greater(Real a, Real b) { return AND(a > b, f24_ordered(a, b)); }
NUM_FN Mask f24_less(Real a, Real b) { return AND(a < b, f24_ordered(a, b)); }
NUM_FN Mask f24_equal(Real a, Real b) { return AND(a == b, f24_ordered(a, b)); }
NUM_FN Mask f24_not_equal(Real a, Real b) { return NOT(f24_equal(a, b)); }
NUM_FN Int relative_constant(Int n, Int offset)
{
    Mask outside = OR(offset < INT(-128), offset > INT(127));
    return (n + SEL(outside, INT(0), offset)) & INT(0x7F);
}
NUM_FN Real vertex_attribute(Real x)
{
    Bits u = as_bits(x);
    Bits a = u & BITS(0x7FFFFFFFu);
    Bits v = SEL(a < BITS(0x2B800000u), BITS(0u), u);
    v = SEL(a > BITS(0x53800000u), (u & BITS(0x80000000u)) | BITS(0x53800000u), v);
    v = SEL(a > BITS(0x7F800000u), BITS(0u), v);
    return as_real(v);
}
NUM_FN Real vertex_color(Real c)
{
    Bits a = magnitude_bits(c);
    return vertex_attribute(as_real(SEL(a < BITS(0x3F800000u), a, BITS(0x3F800000u))));
}
float fast_add(float a, float b) { return f24_add(a, b); }
float fast_round(float x) { return f24_round(x); }
bool fast_greater(float a, float b) { return f24_greater(a, b); }
bool fast_less(float a, float b) { return f24_less(a, b); }
bool fast_not_equal(float a, float b) { return f24_not_equal(a, b); }
float fast_position(float x) { return x; }
float fast_attribute(float x) { return vertex_attribute(x); }
float fast_color(float c) { return vertex_color(c); }
#define u batch_block
// SPDX-License-Identifier: MIT
// GLSL only: reads guest memory into the input registers of the vertex program, as VertexBlock or BatchDraw says
// (pica/hardware/vertex-input.md). The C++ counterpart is pica/vertex/vertex_fetch.h. Conversions work on bits, because a
// load must not flush what T() has to see.

// The word of a region at a byte address, which is a multiple of 4 like `end`. 0 from `end` on.
uint mirror_word(uint region, uint at, uint end)
{
    if (at >= end)
        return 0u;
    return region == 0u ? mirror_vram[at >> 2] : mirror_fcram[at >> 2];
}

// Four words from a byte address on. Bytes from `end` on are 0. All words are read, whether the input has them or not: loads
// without branches between them go out together, and drivers compile them in half the time.
uvec4 input_words(uint region, uint address, uint end)
{
    uint at = address & ~3u;
    uint word = at >> 2;
    bvec4 inside = lessThan(uvec4(at, at + 4u, at + 8u, at + 12u), uvec4(end));
    bool last_inside = at + 16u < end;
    uvec4 index = mix(uvec4(0u), uvec4(word, word + 1u, word + 2u, word + 3u), inside);
    uint last_index = last_inside ? word + 4u : 0u;
    uvec4 words;
    uint last;
    if (region == 0u)
    {
        words = uvec4(mirror_vram[index.x], mirror_vram[index.y], mirror_vram[index.z], mirror_vram[index.w]);
        last = mirror_vram[last_index];
    }
    else
    {
        words = uvec4(mirror_fcram[index.x], mirror_fcram[index.y], mirror_fcram[index.z], mirror_fcram[index.w]);
        last = mirror_fcram[last_index];
    }
    words = mix(uvec4(0u), words, inside);
    last = last_inside ? last : 0u;
    uint shift = (address & 3u) * 8u;
    return words >> shift | (uvec4(words.yzw, last) << 1) << (31u - shift);
}

// types 0 s8, 1 u8, 2 s16, 3 f32
vec4 convert_input(uvec4 words, uint type)
{
    if (type == 3u)
        return vec4(fast_round(uintBitsToFloat(words.x)), fast_round(uintBitsToFloat(words.y)),
                    fast_round(uintBitsToFloat(words.z)), fast_round(uintBitsToFloat(words.w)));
    if (type == 2u)
        return vec4(ivec4(words.x << 16, words.x, words.y << 16, words.y) >> 16);
    uvec4 bytes = uvec4(words.x, words.x >> 8, words.x >> 16, words.x >> 24);
    return type == 1u ? vec4(bytes & 255u) : vec4(ivec4(bytes << 24) >> 24);
}

// n: an input register, or a number that stands for one (INPUT_CONFIG). The vertex number is below 2^23 (can_fetch_elements).
vec4 fetch_input(uint n, uint vertex)
{
    InputRow row = INPUT_CONFIG(n);
    uint source = row.format & 3u;
    uint stride = row.format >> 8 & 255u;
    if (source == 3u)
    {
        uint word = (row.offset >> 2) + vertex * stride * 4u;
        return uintBitsToFloat(
            uvec4(mirror_vram[word], mirror_vram[word + 1u], mirror_vram[word + 2u], mirror_vram[word + 3u]));
    }
    if (source != 1u)
        return source == 2u ? INPUT_FIXED(n) : vec4(0.0);
    uint type = row.format >> 2 & 3u;
    uint components = row.format >> 4 & 15u;
    uint address = row.offset + (vertex & 0xFFFFFFu) * stride;
    uint end = row.offset + row.available;
    uvec4 words = input_words(row.region, address, end);
    vec4 value = convert_input(words, type);
    return vec4(value.x, components > 1u ? value.y : 0.0, components > 2u ? value.z : 0.0,
                components > 3u ? value.w : 1.0);
}

// The number of vertex i of the draw: first + i, or an index.
uint vertex_number(uint i)
{
    if (u.index.size == 0u)
        return u.draw.first + i;
    uint address = u.index.offset + i * u.index.size;
    uint end = u.index.offset + u.index.available;
    uint shift = (address & 3u) * 8u;
    uint value = mirror_word(u.index.region, address & ~3u, end) >> shift;
    if (u.index.size == 1u)
        return value & 255u;
    if ((u.index.offset & 1u) != 0u && shift == 24u)
        value |= mirror_word(u.index.region, (address & ~3u) + 4u, end) << 8;
    return value & 0xFFFFu;
}
vec4 v0 = vec4(0.0);
vec4 v1 = vec4(0.0);
vec4 r0 = vec4(0.0);
vec4 o0 = vec4(0.0);
vec4 o1 = vec4(0.0);
int a0x = 0;
int a0y = 0;
int aL = 0;
bool cmp_x = false;
bool cmp_y = false;
vec4 constant_at(int n)
{
    return n < 96 ? CONSTANT_ROW(n, 4 + n) : vec4(1.0);
}

bool sub0()
{
    o1.xyzw = CONSTANT_ROW(2, 6).xyzw;
    if ((u.draw.bools & 1u) != 0u)
    {
        return true;
    }
    return false;
}
void run_program()
{
    cmp_x = fast_less(CONSTANT_ROW(0, 4).x, v0.x); cmp_y = true;
    if (cmp_x && !cmp_y)
    {
        o0.xyzw = CONSTANT_ROW(1, 5).xyzw;
    }
    else
    {
        if ((u.draw.bools & 8u) != 0u)
        {
            if (sub0()) return;
        }
    }
    {
        int outer_aL = aL;
        aL = INTEGER_ROW(1).y;
        for (int left = INTEGER_ROW(1).x;; left--)
        {
            {
                vec4 k = constant_at(relative_constant(8, aL));
                r0.xyzw = vec4(fast_add(f24_in(k.x), r0.x), fast_add(f24_in(k.y), r0.y), fast_add(f24_in(k.z), r0.z), fast_add(f24_in(k.w), r0.w));
            }
            cmp_x = fast_greater(r0.x, v1.x); cmp_y = fast_not_equal(r0.y, v1.y);
            if (cmp_x) break;
            aL += INTEGER_ROW(1).z;
            if (left == 0) break;
        }
    }
    if (((u.draw.bools & 32768u) != 0u) && sub0()) return;
    o1.xyzw = r0.xyzw;
    return;
}

void main()
{
    uint i = batch_invocation();
    if (i >= u.draw.count)
        return;
    uint vertex = vertex_number(i);
    v0 = fetch_input(0u, vertex);
    v1 = fetch_input(1u, vertex);
    run_program();
    uint base = (u.draw.first_shaded + i) * uint(SHADED_FLOATS);
    shaded[base + 0u] = fast_position(o0.x);
    shaded[base + 1u] = fast_position(o0.y);
    shaded[base + 2u] = fast_position(o0.z);
    shaded[base + 3u] = fast_position(o0.w);
    shaded[base + 4u] = 1.0;
    shaded[base + 5u] = 1.0;
    shaded[base + 6u] = 1.0;
    shaded[base + 7u] = 1.0;
    shaded[base + 8u] = fast_color(o1.x);
    shaded[base + 9u] = fast_color(o1.y);
    shaded[base + 10u] = fast_color(o1.z);
    shaded[base + 11u] = fast_color(o1.w);
    shaded[base + 12u] = fast_attribute(0.0);
    shaded[base + 13u] = fast_attribute(0.0);
    shaded[base + 14u] = 1.0;
    shaded[base + 15u] = 1.0;
    shaded[base + 16u] = 1.0;
    shaded[base + 17u] = 1.0;
    shaded[base + 18u] = 1.0;
    shaded[base + 19u] = 1.0;
    shaded[base + 20u] = 1.0;
    shaded[base + 21u] = 1.0;
    shaded[base + 22u] = 1.0;
    shaded[base + 23u] = 1.0;
}
