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
