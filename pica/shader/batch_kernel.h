// SPDX-License-Identifier: MIT
// The inside of the batched interpreter: its data and the two compilations of its loops. batch_kernel.inc is
// compiled once for the baseline of the target and once for AVX2.
#pragma once

#include "pica/shader/flow.h"

namespace pica::batch
{

constexpr u32 kLanes = 32; // vertices of a vertex batch
constexpr u32 kBlocks = kLanes / 8;

// Indices of 8-lane vectors in State::vectors. v, r and o have kBlocks vectors for each component; constants
// have one.
constexpr u32 kRegisterStride = 4 * kBlocks;
constexpr u32 kInputs = 0;
constexpr u32 kTemporaries = 16 * kRegisterStride;
constexpr u32 kOutputs = 32 * kRegisterStride;
constexpr u32 kConstants = 48 * kRegisterStride;
constexpr u32 kGathered = kConstants + 97 * 4; // 97: after c95, the (1,1,1,1) of relative addressing
constexpr u32 kVectorCount = kGathered + kRegisterStride;

// Lanes that took another branch and wait for their turn.
struct Group
{
    FlowState flow;
    u32 lanes;
    bool a0_uniform[2];
    s32 a0_value[2];
};

struct State
{
    alignas(64) f32 vectors[kVectorCount][8];
    alignas(64) s32 a0[2][kLanes];
    alignas(64) s32 lane_mask[kBlocks][8]; // for the lanes that run now: all ones or zeros
    f32 constants[97][4];
    u32 blocks;    // how many of the kBlocks hold vertices
    u32 all_lanes; // one bit for each vertex of the vertex batch
    u32 lanes;     // the lanes that run now
    u32 cmp_x;     // one bit for each vertex
    u32 cmp_y;
    s32 al;
    bool a0_uniform[2]; // all running lanes have the same value
    s32 a0_value[2];    // that value
    u32 entry;
    u32 limit;
    FlowState flow; // of the running lanes; reset at the start of a vertex batch
    Group waiting[kLanes];
    bool exact; // some operand may be subnormal: every operation uses the full form of numeric.h
};

// One instruction, with its operands resolved to indices of vectors.
struct Op
{
    using Function = void (*)(State&, const Op&);
    Function fast = nullptr;   // all lanes run, no operand is subnormal
    Function masked = nullptr; // some lanes keep their values
    Function exact = nullptr;  // operands may be subnormal; also respects the mask

    // Lane-wise instructions: entry i belongs to the i-th written component. Other instructions: entry i is
    // component i of the swizzled operand.
    u16 src[3][4] = {};
    u8 step[3] = {};      // vectors between blocks: 0 for constants, 1 for registers
    u32 negate[3] = {};   // 0 or the sign bit
    u16 dst[4] = {};      // of the i-th written component
    u8 written = 0;       // number of written components
    u8 mask = 0;          // bit i = component i is written
    bool flow = false;    // executed by flow_step
    bool nothing = false; // NOP and other instructions without effect
    bool negated = false; // some source is negated
    Opcode op = Opcode::Nop;
    CompareOp compare_x = CompareOp::Equal;
    CompareOp compare_y = CompareOp::Equal;
    Condition condition;
    // Relative addressing, which applies to source `relative`.
    IndexRegister index = IndexRegister::None;
    u8 relative = 0;
    u8 constant = 0;
    u8 components[4] = {}; // of src[relative][i]
};

struct Kernel
{
    void (*link)(Op&);                                                    // sets the three functions
    u32 (*run)(State&, const Program&, const ShaderUniforms&, const Op*); // returns the events
    // Is any of the `count` vectors from `first` on subnormal in some lane?
    bool (*has_subnormals)(const State&, u32 first, u32 count);
};

const Kernel& generic_kernel();
const Kernel& avx2_kernel(); // on x86-64 only

} // namespace pica::batch
