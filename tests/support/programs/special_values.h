// SPDX-License-Identifier: MIT
// The rules for special values of pica/hardware/shader-unit.md as a table of float24 words, for every
// executor of vertex programs. Each rule has a program. Its operands are in all four components of c0, c1,
// c2, and its result is component `lane` of o0.
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

// The uniforms of a row.
pica::ShaderUniforms special_uniforms(const SpecialValue& row);

// Runs one vertex and returns o0 (x, y, z, w).
using ValueExecutor =
    std::function<std::array<pica::f32, 4>(const pica::Program&, const pica::ShaderUniforms&)>;
// Checks all rows, bit for bit.
void check_special_values(const ValueExecutor& execute);

} // namespace tests
