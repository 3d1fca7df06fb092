// SPDX-License-Identifier: MIT
// The words of SPIR-V modules as instructions, for passes that copy them.
#pragma once

#include "pica/base/types.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace shadergen
{

using Words = std::vector<pica::u32>;
using Instruction = std::span<const pica::u32>;

inline pica::u32 operation(Instruction instruction)
{
    return instruction[0] & 0xFFFF;
}

// words: whole instructions, without the header of a module.
template <typename Visit>
void for_each_instruction(std::span<const pica::u32> words, Visit visit)
{
    for (std::size_t at = 0; at < words.size();)
    {
        const std::size_t count = std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at);
        visit(words.subspan(at, count));
        at += count;
    }
}

void append(Words& words, pica::u32 op, std::initializer_list<pica::u32> operands);
void append(Words& words, Instruction instruction);

// May the instruction be copied into another function? Those may whose operands literals_of() and result_of() know.
bool is_copyable(pica::u32 op);
// The words of an instruction that are no ids: from the first to the last (exclusive). The cases of OpSwitch are not among
// them.
std::pair<std::size_t, std::size_t> literals_of(Instruction instruction);
// The id that an instruction defines. 0: none.
pica::u32 result_of(Instruction instruction);

} // namespace shadergen
