// SPDX-License-Identifier: MIT
// The constants of the renderer's own compute shaders, one list for each shader or family of shaders. Compiles as C++ and
// as GLSL (macros only). A list names every constant once:
//   SPECIALISED(id, name)  selects code: it becomes part of the pipeline, except in the one form that does for all values,
//                          in which it travels in front of the others; ids count from 0
//   PUSHED(name)           travels in the push constants
// C++ makes a struct of each list, with these names as its members (renderer/pipelines/fixed_constants.h). GLSL declares
// the list of its shader with FIXED_CONSTANTS (guest_words.h), and reads each member as constant_NAME. All are 32-bit
// words.
#ifndef PICAVK_FIXED_CONSTANTS_H
#define PICAVK_FIXED_CONSTANTS_H

// Size of the push-constant range of these shaders.
#define PUSH_FIXED_BYTES 64

// Regions of guest memory.
#define REGION_VRAM 0u
#define REGION_FCRAM 1u

// Colour formats: the numbers of pica::ColorFormat. Texture formats go on from there, like pica::TextureFormat.
#define FORMAT_RGBA8 0u
#define FORMAT_RGB8 1u
#define FORMAT_RGB5A1 2u
#define FORMAT_RGB565 3u
#define FORMAT_RGBA4 4u
#define FORMAT_IA8 5u
#define FORMAT_HILO8 6u
#define FORMAT_I8 7u
#define FORMAT_A8 8u
#define FORMAT_IA4 9u
#define FORMAT_I4 10u
#define FORMAT_A4 11u

// Depth formats: the numbers of pica::DepthFormat.
#define DEPTH_D16 0u
#define DEPTH_D24 2u
#define DEPTH_D24S8 3u

// How the pixels of a transfer's input or output lie in memory.
#define LAYOUT_LINEAR 0u
#define LAYOUT_TILES 1u  // of 8x8
#define LAYOUT_BLOCKS 2u // of 32x32

// How a transfer makes its picture smaller: the numbers of pica::TransferScaling.
#define SCALING_NONE 0u
#define SCALING_HALVE_X 1u
#define SCALING_HALVE_XY 2u

// Of shaders that work on planes (guest_words.h).
#define PLANE_CONSTANTS(PUSHED)                                                                                      \
    PUSHED(first_plane)        /* of the workgroups whose z is 0; 0 is guest memory */                               \
    PUSHED(plane_word)         /* where that plane begins in the buffer that is bound */

// load_color, store_color, load_depth, store_depth: a surface and its guest bytes.
#define SURFACE_CONSTANTS(SPECIALISED, PUSHED)                                                                       \
    SPECIALISED(0, region)                                                                                           \
    SPECIALISED(1, format)     /* FORMAT_RGBA8 .. FORMAT_RGBA4, or DEPTH_* */                                        \
    SPECIALISED(2, flip)       /* 1: the first row in memory is the last row of the image */                         \
    SPECIALISED(3, scale)      /* image pixels per guest pixel, in x and in y */                                     \
    PUSHED(width)              /* in guest pixels */                                                                 \
    PUSHED(height)                                                                                                   \
    PUSHED(first_word)         /* where the surface begins in its region */                                          \
    PUSHED(groups)             /* of four pixels, in whole tiles or blocks */                                        \
    PUSHED(block32)            /* 1: the surface has blocks of 32x32 in place of tiles */                            \
    PUSHED(scratch_pitch)      /* depth only: pixels per row of the scratch buffer */                                \
    PUSHED(scratch_stencil)    /* depth only: the scratch buffer's first word of stencil bytes */                    \
    PLANE_CONSTANTS(PUSHED)

// decode_texture: a level of a texture.
#define TEXTURE_CONSTANTS(SPECIALISED, PUSHED)                                                                       \
    SPECIALISED(0, region)                                                                                           \
    SPECIALISED(1, format)     /* FORMAT_RGBA8 .. FORMAT_A4 */                                                       \
    SPECIALISED(2, scale)      /* image texels per guest texel, in x and in y */                                     \
    PUSHED(width)                                                                                                    \
    PUSHED(height)                                                                                                   \
    PUSHED(first_word)         /* where the level begins in its region */                                            \
    PUSHED(groups)             /* of four pixels */                                                                  \
    PLANE_CONSTANTS(PUSHED)

// display_transfer: what it writes.
#define TRANSFER_OUTPUT_CONSTANTS(SPECIALISED, PUSHED)                                                               \
    SPECIALISED(3, output_region)                                                                                    \
    SPECIALISED(4, output_format)                                                                                    \
    SPECIALISED(5, output_layout) /* LAYOUT_* */                                                                     \
    SPECIALISED(6, flip)       /* 1: turns the picture upside down */                                                \
    SPECIALISED(7, scaling)    /* SCALING_* */                                                                       \
    PUSHED(output_word)        /* where the output begins in its region */                                           \
    PUSHED(output_width)                                                                                             \
    PUSHED(output_height)                                                                                            \
    PUSHED(groups)             /* of four pixels that follow each other in output memory */

// display_transfer from guest bytes.
#define TRANSFER_CONSTANTS(SPECIALISED, PUSHED)                                                                      \
    SPECIALISED(0, input_region)                                                                                     \
    SPECIALISED(1, input_format)                                                                                     \
    SPECIALISED(2, input_layout) /* LAYOUT_* */                                                                      \
    PUSHED(input_byte)         /* where the input begins in its region */                                            \
    PUSHED(input_width)        /* pitch in pixels */                                                                 \
    TRANSFER_OUTPUT_CONSTANTS(SPECIALISED, PUSHED)

// display_transfer with FROM_SURFACE: from a colour image.
#define SURFACE_TRANSFER_CONSTANTS(SPECIALISED, PUSHED)                                                              \
    SPECIALISED(0, input_flip) /* 1: the first row in memory is the last row of the image */                         \
    SPECIALISED(1, input_format) /* of the surface; the shader does not read it, the image has 8 bits a channel */   \
    SPECIALISED(2, input_scale) /* image pixels per guest pixel, in x and in y */                                    \
    PUSHED(input_height)       /* of the surface, in guest pixels */                                                 \
    PLANE_CONSTANTS(PUSHED)                                                                                          \
    TRANSFER_OUTPUT_CONSTANTS(SPECIALISED, PUSHED)

// fill: words with a pattern that repeats after three of them.
#define FILL_CONSTANTS(SPECIALISED, PUSHED)                                                                          \
    SPECIALISED(0, region)                                                                                           \
    PUSHED(first_word)                                                                                               \
    PUSHED(words)              /* how many */                                                                        \
    PUSHED(pattern0)                                                                                                 \
    PUSHED(pattern1)                                                                                                 \
    PUSHED(pattern2)

// scan_out: a screen's picture.
#define SCREEN_CONSTANTS(SPECIALISED, PUSHED)                                                                        \
    SPECIALISED(0, region)                                                                                           \
    SPECIALISED(1, format)                                                                                           \
    SPECIALISED(2, scale)      /* picture pixels per guest pixel, in x and in y */                                   \
    PUSHED(first_byte)         /* where the first column begins in its region */                                     \
    PUSHED(stride)             /* bytes from column to column, two's complement */                                   \
    PUSHED(width)                                                                                                    \
    PUSHED(height)                                                                                                   \
    PLANE_CONSTANTS(PUSHED)

#endif
