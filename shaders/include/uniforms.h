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
