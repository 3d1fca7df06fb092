// SPDX-License-Identifier: MIT
// The rules for special values of pica/hardware/shader-unit.md as a table of float24 words, for every
// executor of vertex programs. A rule belongs to a program: its operands arrive in all four components of c0,
// c1, c2, its result leaves in o0, where component `lane` is looked at.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

#include <functional>
#include <vector>

namespace tests
{

struct SpecialValue
{
    const char* rule;
    pica::u32 operands[3];
    pica::u32 lane; // 0..3
    pica::u32 expected;
};

struct SpecialValues
{
    const char* program_name;
    pica::Program program;
    std::vector<SpecialValue> rows;
};

std::vector<SpecialValues> special_values();

// Uniforms of a row.
pica::ShaderUniforms special_uniforms(const SpecialValue& row);

// Runs one vertex, gives o0 (x, y, z, w).
using ValueExecutor =
    std::function<std::array<pica::f32, 4>(const pica::Program&, const pica::ShaderUniforms&)>;
// Checks all rows, bit for bit.
void check_special_values(const ValueExecutor& execute);

} // namespace tests
