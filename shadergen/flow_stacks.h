// SPDX-License-Identifier: MIT
// GLSL text of the CALL, IF and LOOP stacks: pica/shader/flow.h as vectors that shift. The text that includes
// it declares EMPTY (uint, all ones) and, for LOOP, aL (int); it calls end_* in the order CALL, IF, LOOP with
// the sequential next address p. Used by the universal form and by the interpreter.
#pragma once

namespace shadergen
{

// A push onto a full stack drops the oldest entry, which shifting does by itself. Addresses have 13 bits; no
// address equals the end address of EMPTY.
inline constexpr const char* kCallStack = R"(
uvec4 calls = uvec4(EMPTY); // end | return << 16
void push_call(uint end, uint ret) { calls = uvec4(end | ret << 16, calls.xyz); }
uint pop_call()
{
    uint ret = calls.x >> 16;
    calls = uvec4(calls.yzw, EMPTY);
    return ret;
}
// Several bodies may end at once; the fourth pop of a step does not change the address. [HW]
void end_calls(uint p, inout uint pc)
{
    if ((calls.x & 0xFFFFu) != p)
        return;
    pc = pop_call();
    if ((calls.x & 0xFFFFu) != pc)
        return;
    pc = pop_call();
    if ((calls.x & 0xFFFFu) != pc)
        return;
    pc = pop_call();
    if ((calls.x & 0xFFFFu) == pc)
        pop_call();
}
)";

inline constexpr const char* kIfStack = R"(
uvec4 ifs = uvec4(EMPTY); // else | end << 16, eight deep
uvec4 older_ifs = uvec4(EMPTY);
void push_if(uint otherwise, uint end)
{
    older_ifs = uvec4(ifs.w, older_ifs.xyz);
    ifs = uvec4(otherwise | end << 16, ifs.xyz);
}
void end_if(uint p, inout uint pc)
{
    if ((ifs.x & 0xFFFFu) != p)
        return;
    pc = ifs.x >> 16;
    ifs = uvec4(ifs.yzw, older_ifs.x);
    older_ifs = uvec4(older_ifs.yzw, EMPTY);
}
)";

inline constexpr const char* kLoopStack = R"(
uvec4 loops = uvec4(EMPTY); // end | start << 16
uvec4 loop_counts;          // rounds left | step << 8
ivec4 loop_outer_aL;
void push_loop(uint start, uint end, ivec4 ints)
{
    loops = uvec4(end | start << 16, loops.xyz);
    loop_counts = uvec4(uint(ints.x | ints.z << 8), loop_counts.xyz);
    loop_outer_aL = ivec4(aL, loop_outer_aL.xyz);
    aL = ints.y;
}
// BREAK adds no step.
void end_loop(uint p, bool breaking, inout uint pc)
{
    if (!breaking && (loops.x & 0xFFFFu) != p)
        return;
    if (!breaking)
    {
        aL += int(loop_counts.x >> 8);
        if ((loop_counts.x & 255u) != 0u)
        {
            loop_counts.x--;
            pc = loops.x >> 16;
            return;
        }
    }
    pc = loops.x & 0xFFFFu;
    int outer = loop_outer_aL.x;
    loops = uvec4(loops.yzw, EMPTY);
    loop_counts = uvec4(loop_counts.yzw, 0u);
    loop_outer_aL = ivec4(loop_outer_aL.yzw, 0);
    if (loops.x != EMPTY)
        aL = outer;
}
)";

} // namespace shadergen
