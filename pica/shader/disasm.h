// SPDX-License-Identifier: MIT
// Programs as text, for `picavk shader` and for reports: the usual mnemonics in lower case, one word
// of code a line. Source: pica/hardware/shader-unit.md. Tests: tests/pica/disasm_test.cpp.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/shbin.h"

#include <span>
#include <string>

namespace pica
{

// For example "mad r1.xyz, v0.xyzw, c8[a0.x].xxxx, -r2.wwww". The descriptor is the one that the instruction
// names. A register that `names` covers is written name[n], or name if it stands for one register only.
std::string disassemble(const Instruction& instruction, const OperandDescriptor& descriptor,
                        std::span<const ShbinUniform> names = {}, std::span<const ShbinLabel> labels = {});
// The reachable words, each with its address; gaps are marked. A label line stands before every address that
// a flow instruction names or ends at: with the names that `labels` has for it, or with its number.
std::string disassemble(const Program& program, std::span<const ShbinUniform> names = {},
                        std::span<const ShbinLabel> labels = {});

} // namespace pica
