// SPDX-License-Identifier: MIT
// Reads shader binaries (.shbin): DVLB with one DVLP and any number of DVLEs. Source:
// pica/hardware/shader-binaries.md. Tests: shbin_test.cpp
#pragma once

#include "pica/base/result.h"
#include "pica/shader/program.h"

#include <span>
#include <string>
#include <vector>

namespace pica
{

struct ShbinConstant
{
    enum class Type : u8
    {
        Bool,
        Int,
        Float,
    };
    Type type{};
    u16 reg = 0;
    bool boolean = false;
    std::array<u8, 4> integer{}; // x, y, z, w
    std::array<f32, 4> real{};   // float24 values as binary32
};

struct ShbinLabel
{
    std::string name;
    u32 address = 0; // words
};

// Type 0 position, 1 quaternion, 2 colour, 3 texcoord0, 4 texcoord0 w, 5 texcoord1, 6 texcoord2, 8 view, 9
// generic.
struct ShbinOutput
{
    u16 type = 0;
    u16 reg = 0;
    u8 mask = 0; // bit 0 = x
};

struct ShbinUniform
{
    std::string name;
    u16 first = 0; // 00-0F v, 10-6F c, 70-73 i, 78-87 b
    u16 last = 0;  // inclusive
};

struct ShbinEntryPoint
{
    ShaderStage stage{};
    bool merge_outputs = false;
    u32 entry = 0; // words
    u32 end = 0;
    u16 inputs = 0;
    u16 outputs = 0;
    u8 geometry_mode = 0; // 0 point, 1 variable, 2 fixed
    u8 fixed_first_uniform = 0;
    u8 variable_full_vertices = 0;
    u8 fixed_vertices = 0;
    std::vector<ShbinConstant> constants;
    std::vector<ShbinLabel> labels;
    std::vector<ShbinOutput> output_table;
    std::vector<ShbinUniform> uniforms;
};

struct Shbin
{
    std::vector<u32> code;
    std::vector<u32> descriptors;
    std::vector<ShbinEntryPoint> entry_points;

    // The code as it is uploaded to a shader unit of that stage. Words beyond the unit's memory are dropped.
    ShaderCode shader_code(ShaderStage stage) const;
};

// Checks every offset and count. An error names the table that does not fit.
Result<Shbin> read_shbin(std::span<const u8> bytes);

} // namespace pica
