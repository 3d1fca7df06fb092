// SPDX-License-Identifier: MIT
// Sizes and results of the start-up self-test. Compiles as C++ (renderer/self_test/self_test_layout.h) and as GLSL.
#ifndef PICAVK_SELF_TEST_LAYOUT_H
#define PICAVK_SELF_TEST_LAYOUT_H

// Pixels per side of the image of the vertex and fragment stages; each computes one arithmetic case.
#define ARITHMETIC_GRID 64u
#define ARITHMETIC_CASES 4096u
// All mantissas of the reciprocal, and how many of them an invocation of the compute stage tries.
#define MANTISSAS 0x800000u
#define MANTISSAS_PER_INVOCATION 512u
// How many a point of the vertex and fragment stages tries, and how far apart.
#define MANTISSAS_PER_POINT 32u
#define MANTISSA_STRIDE 61u
#define SELF_TEST_GROUP 64 // invocations in a workgroup

// What the compute stage writes.
struct SelfTestResults
{
    uint most_steps; // the most corrections that the reciprocal needed
    uint result[ARITHMETIC_CASES];
};

// What the vertex and fragment stages write for each case: the components of a pixel.
#define POINT_VERTEX_RESULT 0
#define POINT_FRAGMENT_RESULT 1
#define POINT_VERTEX_STEPS 2
#define POINT_FRAGMENT_STEPS 3

#endif
