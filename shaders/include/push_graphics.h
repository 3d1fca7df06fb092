// SPDX-License-Identifier: MIT
// The push constants of the graphics pipelines, for the vertex stage. Compiles as C++ and as GLSL (macros only). MEMBER is
// given the type and the name of each. shadergen/uniforms.h makes a struct of the list, and the text of generated shaders.
#ifndef PICAVK_PUSH_GRAPHICS_H
#define PICAVK_PUSH_GRAPHICS_H

// clip = (position - origin) * scale - 1. origin: in 1/16 pixel. first_record: number of the first triangle's record.
#define PUSH_GRAPHICS(MEMBER) MEMBER(ivec2, origin) MEMBER(float, scale) MEMBER(int, first_record)

#endif
