// SPDX-License-Identifier: MIT
// Uniform blocks in std140 layout. Compiles as C++ (structs of 16-byte rows) and as GLSL. In C++ it is included by
// shadergen/uniforms.h, which defines vec4/ivec4/uvec4 rows and checks sizes.

struct FragmentBlock
{
    vec4 texenv_color[6]; // 0..255, r g b a
    vec4 texenv_buffer_color;
    vec4 border_color[3];
    vec4 blend_color;
    ivec4 texture_size[3]; // x width, y height of level 0; z LOD bias, w lowest | highest LOD << 16, in 1/256 level
    ivec4 scissor;         // scaled pixels x1, y1, x2, y2 inclusive, y up; mode exclude only
    vec4 proctex_noise;    // phase u, v, frequency u, v (times 9)
    vec4 proctex_scale;    // x, y amplitude of the noise, z |width * bias|; w constant of shadow maps
    ivec4 proctex_level;   // x first entries of levels 0..3, y width; z, w lowest and highest level of detail in 1/256
    vec4 gas_planar;       // minimum, maximum, attenuation; w normalisation
    vec4 gas_view;         // minimum, maximum, attenuation; w attenuation of alpha
    // x line of sight, y scale of depth differences, z height of the depth texture, w z minus the target's height
    vec4 gas_misc;
    vec4 fog_color;        // 0..255; w linear coefficient of shadow maps
    ivec4 lut_base[8];     // first entry of LutTable n in the LUT buffer at [n/4][n%4]; 0 if the draw does not read it
    vec4 misc;             // x depth scale, y depth offset, z alpha reference (0..255), w shadow bias (24 bits)
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
    vec4 global_ambient;
    uvec4 state[4];      // the bytes of LightingKey, for the ubershader only
};

// Vertex executor, one for each draw.
struct VertexBlock
{
    vec4 constants[96];  // c0..c95
    ivec4 integers[4];   // i0..i3: count-1, start, step
    uvec4 input_config[16]; // per v register: x source (0 zero, 1 memory, 2 fixed, 3 floats as they are) | type << 2 | components << 4 | stride << 8,
                            // y byte offset in its region, z region (0 VRAM, 1 FCRAM), w bytes available from y on;
                            // bytes after them read as 0; source 3: stride in rows of four floats, region 0
    vec4 input_fixed[16];
    vec4 clip_plane;
    vec4 viewport;       // half width, half height, x, y
    vec4 screen;         // x 16*scale, y 65536*scale
    ivec4 snap_bounds;   // x, y lowest, z, w highest snapped coordinates (pica/state/triangle_record.h)
    uvec4 draw;          // x vertex count, y first vertex, z first shaded vertex, w bool uniforms
    uvec4 index;         // x mode (0 none, 1 u8, 2 u16), y byte offset, z region, w bytes available
    uvec4 assembly;      // x topology (0 list, 1 strip, 2 fan) | 256 if the first triangle of a continued strip is odd,
                         // y triangles, z first slot of counts, w cull mode
    uvec4 record;        // x words, then offsets of 8 bits each: y wide, depth, colour, texcoord0.w, z texcoords 0..2, quaternion,
                         // w flags (1 clip plane, 2 flat colour), view
    uvec4 output_target; // x index of the indirect command, y first triangle record of its region, z how many it has,
                         // w pending vertices of earlier draws before the first shaded vertex (0..2)
    // Geometry programs. For them, z of `draw` is the first emitted vertex, and `constants`, `integers` are the unit's own.
    uvec4 geometry;       // x first float of the fed vertices in SHADED, y first invocation of the dispatch, z how many,
                          // w GEOMETRY_*
    uvec4 geometry_range; // invocations in parallel: x the first of the draw, y the first of the current part, z primitives
                          // reserved for each, w slot of the first primitive
    uvec4 shared_range; // indexed draws whose vertices are shaded once: x first shaded vertex, y its number, z how many (0: every
                        // element is shaded), w first float in SHADED of what shared_rows.comp writes, one per element
    uvec4 limits;       // a program is stopped after x instructions or, a geometry program, y backward moves
};

// A vertex program for vertex_interpreter.comp. layout.h describes the rows of `code`.
struct ProgramBlock
{
    uvec4 info;          // x entry, y address that acts as END, z input registers read (bit mask),
                         // w in front of a geometry program: floats that it is fed per vertex
    uvec4 output_map[2]; // VertexKey::source or, with w, FeedKey::source; four bytes per word
    uvec4 code[PROGRAM_WORDS];
};

// One row of the scan for each draw, in submission order. A draw's triangle records begin at the first record of its
// region, or after those of the previous row if the two share a region (equal record size).
struct ScanDraw
{
    uvec4 slots;  // x first slot of counts, y slots, z index of the indirect command, w 1: after the previous row's records
    uvec4 region; // x first triangle record, y how many
};
