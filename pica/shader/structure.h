// SPDX-License-Identifier: MIT
// The structured-form check of pica/hardware/shader-translation.md, "Structured programs": builds the tree
// that cfg.h describes, or says which rule the program breaks.
#pragma once

#include "pica/shader/cfg.h"

namespace pica
{

struct Structure
{
    std::string reason; // empty = structured
    std::vector<CfgNode> main;
    std::vector<Subroutine> subroutines;
    u64 max_instructions = 0;
    std::vector<bool> reached;
};

Structure find_structure(std::span<const Instruction> code, u16 entry, u16 limit);

} // namespace pica
