// SPDX-License-Identifier: MIT
#include "shadergen/module_size.h"

#include <spirv.hpp>

#include <algorithm>
#include <unordered_map>

namespace shadergen
{

namespace
{

using pica::u32;
using pica::u64;

struct Function
{
    u64 own = 0;
    std::vector<u32> calls; // ids of the called functions, one for each call
};

struct Functions
{
    std::unordered_map<u32, Function> by_id;
    std::vector<u32> entry_points;
    std::vector<u32> order; // ids in the order of the module
};

bool computes(u32 operation)
{
    switch (operation)
    {
    case spv::OpFunction:
    case spv::OpFunctionParameter:
    case spv::OpFunctionEnd:
    case spv::OpVariable:
    case spv::OpLabel:
    case spv::OpSelectionMerge:
    case spv::OpLoopMerge:
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpNop:
        return false;
    default:
        return true;
    }
}

Functions functions_of(const Spirv& module)
{
    constexpr std::size_t kHeaderWords = 5;
    Functions functions;
    Function* open = nullptr;
    for (std::size_t at = kHeaderWords; at < module.size();)
    {
        const u32 operation = module[at] & 0xFFFFu;
        const u32 words = module[at] >> 16;
        if (words == 0 || words > module.size() - at)
            return {};
        if (operation == spv::OpEntryPoint && words > 2)
            functions.entry_points.push_back(module[at + 2]);
        else if (operation == spv::OpFunction && words > 2)
        {
            open = &functions.by_id[module[at + 2]];
            functions.order.push_back(module[at + 2]);
        }
        else if (open && operation == spv::OpFunctionCall && words > 3)
            open->calls.push_back(module[at + 3]);
        if (open && computes(operation))
            open->own++;
        if (operation == spv::OpFunctionEnd)
            open = nullptr;
        at += words;
    }
    return functions;
}

} // namespace

u64 inlined_instructions(const Spirv& module)
{
    const Functions functions = functions_of(module);
    std::unordered_map<u32, u64> inlined;
    const auto sum = [&](const Function& function)
    {
        u64 instructions = function.own;
        for (const u32 callee : function.calls)
            if (const auto it = inlined.find(callee); it != inlined.end())
                instructions = std::min(instructions + it->second, kEndlessInstructions);
        return instructions;
    };
    // Functions are in any order, but never call themselves: a call depth of n takes n rounds.
    for (std::size_t round = 0; round < functions.order.size(); round++)
    {
        bool changed = false;
        for (const u32 id : functions.order)
        {
            u64& known = inlined[id];
            const u64 now = sum(functions.by_id.at(id));
            changed = changed || now != known;
            known = now;
        }
        if (!changed)
            break;
    }
    u64 result = 0;
    for (const u32 entry : functions.entry_points)
        if (const auto it = inlined.find(entry); it != inlined.end())
            result = std::min(result + it->second, kEndlessInstructions);
    return result;
}

} // namespace shadergen
