// SPDX-License-Identifier: MIT
// The six combiner stages of a draw as a program for the kernels. Source: pica/hardware/combiners.md. Tests:
// soft_texenv_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/soft/channel_select.h"

#include <algorithm>
#include <array>

namespace pica
{
struct FragmentConstants;
struct FragmentKey;
} // namespace pica

namespace pica::soft
{

// Colour registers of a block batch: 0 primary colour, 1-4 texture units, then temporaries and stage results.
// Numbers from kFirstConstant on are constants of the plan.
enum TexEnvRegister : u8
{
    kPrimaryRegister = 0,
    kTextureRegister = 1,
    kTemporaryRegister = 5,   // 3 of them
    kStageColorRegister = 8,  // 6 of them
    kStageAlphaRegister = 14, // 6 of them
    kFinalRegister = 20,
    kFragmentPrimaryRegister = 21,
    kFragmentSecondaryRegister = 22,
    kRegisterCount = 23,
    kFirstConstant = 23,
};

struct TexEnvInstruction
{
    enum class Kind : u8
    {
        Select,  // d = select(a) ^ invert
        Select2, // d = (select(a) | select2(b)) ^ invert
        Combine, // d = op(a, b, c)
        Scale,   // d = min(a * scale, 255)
    };
    Kind kind{};
    CombinerOp op{};
    u8 d = 0, a = 0, b = 0, c = 0;
    std::array<u16, 4> factor{}; // for each channel: invert (0 or 255), or scale
    ChannelSelect select{};
    ChannelSelect select2{};
};

// The six combiner stages as straight code: pass-through stages are left out, constants are folded, and each
// instruction works on all four channels.
struct TexEnvProgram
{
    static constexpr u32 kMaxInstructions = 6 * (3 + 3 + 4) + 1;
    static constexpr u32 kMaxConstants = 48;

    std::array<TexEnvInstruction, kMaxInstructions> instruction;
    std::array<u32, kMaxConstants> constant{};
    u32 instruction_count = 0;
    u32 constant_count = 0;
    u8 result = kPrimaryRegister; // register or constant with the final colour

    TexEnvProgram() = default;
    TexEnvProgram(const TexEnvProgram& other) { *this = other; }
    // Draws in flight have copies. Most of a program has no instructions.
    TexEnvProgram& operator=(const TexEnvProgram& other)
    {
        std::copy_n(other.instruction.begin(), other.instruction_count, instruction.begin());
        std::copy_n(other.constant.begin(), other.constant_count, constant.begin());
        instruction_count = other.instruction_count;
        constant_count = other.constant_count;
        result = other.result;
        return *this;
    }
};

void make_texenv_program(const FragmentKey& key, const FragmentConstants& constants, TexEnvProgram& program);

} // namespace pica::soft
