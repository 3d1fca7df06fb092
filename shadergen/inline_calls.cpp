// SPDX-License-Identifier: MIT
// A function that returns in one place, at its end, takes the place of the call as it is. Another one becomes the only case
// of a switch, and its returns break out of it.
#include "shadergen/inline_calls.h"

#include "shadergen/spirv_instructions.h"

#include <spirv.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace shadergen
{

namespace
{

using pica::u32;

constexpr u32 kHeaderWords = 5;
constexpr u32 kBound = 3; // the word of the header

bool is_return(u32 op)
{
    return op == spv::OpReturn || op == spv::OpReturnValue;
}

// What is known of a function before its calls are replaced.
struct Function
{
    Words words;                 // from OpFunction to OpFunctionEnd; later with functions in place of calls
    std::vector<u32> parameters; // ids
    u32 type = 0;                // of its result
    bool copies = true;          // it can take the place of a call
    bool one_block = false;      // it has no branch
    bool returns_last = false;   // its only return is its last instruction, outside of all selections
    bool expanded = false;
};

class Inliner
{
public:
    explicit Inliner(const Spirv& module);
    Spirv run();

private:
    using Ids = std::unordered_map<u32, u32>;
    // A function whose calls are being replaced.
    struct Caller
    {
        Words variables, code;
        u32 block = 0;                    // the label of the block that code ends in
        u32 first_block = 0;              // the label that this block had before calls were replaced
        Ids ends;                         // of blocks: the label of the block that they end in now
        std::vector<std::size_t> choices; // where code has phis of the function itself
    };
    void look_at(Function& function);
    void expand(Function& function);
    bool takes(const Function& caller, u32 block, const Function& callee) const;
    void copy(Caller& caller, Instruction call, const Function& callee);
    void copy_instruction(Caller& caller, Instruction instruction, const Ids& ids);
    Ids fresh_ids(Instruction call, const Function& callee);
    void mend_choices(Caller& caller) const;
    u32 fresh() { return bound_++; }
    u32 zero();
    u32 pointer_to(u32 type);
    Spirv assemble() const;

    Words header_, preamble_, declarations_;
    u32 bound_ = 0, int_type_ = 0, zero_ = 0;
    std::vector<u32> order_; // of functions
    std::map<u32, Function> functions_;
    std::unordered_set<u32> whole_blocks_;                    // labels
    std::unordered_map<u32, std::vector<Words>> decorations_; // of ids
    Words new_decorations_;
    std::map<u32, u32> pointers_; // to function variables, by type
};

Inliner::Inliner(const Spirv& module)
    : header_(module.begin(), module.begin() + kHeaderWords), bound_(header_[kBound])
{
    Function* open = nullptr;
    for_each_instruction(std::span(module).subspan(kHeaderWords),
                         [&](Instruction instruction)
                         {
                             const u32 op = operation(instruction);
                             if (op == spv::OpFunction)
                             {
                                 order_.push_back(instruction[2]);
                                 open = &functions_[instruction[2]];
                                 open->type = instruction[1];
                             }
                             if (open != nullptr)
                                 return append(open->words, instruction);
                             append(preamble_, instruction);
                             if (op == spv::OpDecorate)
                                 decorations_[instruction[1]].emplace_back(instruction.begin(),
                                                                           instruction.end());
                             if (op == spv::OpTypeInt && instruction[2] == 32)
                                 int_type_ = instruction[1];
                             if (op == spv::OpTypePointer && instruction[2] == spv::StorageClassFunction)
                                 pointers_.emplace(instruction[3], instruction[1]);
                         });
    for (auto& [id, function] : functions_)
        look_at(function);
}

void Inliner::look_at(Function& function)
{
    struct Construct
    {
        u32 merge = 0;
        bool is_selection = true;
        u32 going_on = 0;     // of a loop: the label of the part that goes back to its beginning
        bool goes_on = false; // this part has been reached
    };
    std::vector<Construct> constructs; // that are open
    u32 block = 0, merge = 0, blocks = 0, returns = 0;
    for_each_instruction(function.words,
                         [&](Instruction instruction)
                         {
                             const u32 op = operation(instruction);
                             if (op == spv::OpFunction || op == spv::OpFunctionEnd)
                                 return;
                             if (op == spv::OpFunctionParameter)
                                 return function.parameters.push_back(instruction[2]);
                             function.copies = function.copies && is_copyable(op);
                             function.returns_last = is_return(op) && constructs.empty();
                             if (op == spv::OpLabel)
                             {
                                 block = instruction[1];
                                 ++blocks;
                                 while (!constructs.empty() && constructs.back().merge == block)
                                     constructs.pop_back();
                                 for (Construct& construct : constructs)
                                 {
                                     construct.goes_on |= construct.going_on == block;
                                     if (construct.goes_on)
                                         whole_blocks_.insert(block);
                                 }
                             }
                             if (op == spv::OpLoopMerge)
                             {
                                 whole_blocks_.insert(block);
                                 constructs.push_back({instruction[1], false, instruction[2]});
                             }
                             if (op == spv::OpSelectionMerge)
                                 merge = instruction[1];
                             if (op == spv::OpBranchConditional && merge != 0)
                                 constructs.push_back({std::exchange(merge, 0), true});
                             if (op == spv::OpSwitch)
                                 constructs.push_back({std::exchange(merge, 0), false});
                             if (!is_return(op))
                                 return;
                             ++returns;
                             function.copies = function.copies &&
                                               std::all_of(constructs.begin(), constructs.end(),
                                                           [](const Construct& c) { return c.is_selection; });
                         });
    function.one_block = blocks == 1;
    function.returns_last = function.returns_last && returns == 1;
}

u32 Inliner::zero()
{
    if (int_type_ == 0)
        append(declarations_, spv::OpTypeInt, {int_type_ = fresh(), 32, 0});
    if (zero_ == 0)
    {
        zero_ = fresh();
        append(declarations_, spv::OpConstant, {int_type_, zero_, 0});
    }
    return zero_;
}

u32 Inliner::pointer_to(u32 type)
{
    u32& pointer = pointers_[type];
    if (pointer == 0)
        append(declarations_, spv::OpTypePointer, {pointer = fresh(), spv::StorageClassFunction, type});
    return pointer;
}

// A block that begins a loop must stay one block, because the loop goes back to its label. So must those that go back, whose
// order has rules of its own.
bool Inliner::takes(const Function& caller, u32 block, const Function& callee) const
{
    return &caller != &callee && callee.copies &&
           ((callee.one_block && callee.returns_last) || !whole_blocks_.contains(block));
}

// Gives what the callee defines new ids, and what it is called with in place of its parameters.
Inliner::Ids Inliner::fresh_ids(Instruction call, const Function& callee)
{
    Ids ids;
    for (std::size_t i = 0; i < callee.parameters.size(); ++i)
        ids[callee.parameters[i]] = call[4 + i];
    for_each_instruction(callee.words,
                         [&](Instruction instruction)
                         {
                             const u32 op = operation(instruction);
                             if (op == spv::OpFunction || op == spv::OpFunctionParameter)
                                 return;
                             const u32 id = result_of(instruction);
                             if (id == 0)
                                 return;
                             const u32 own = ids[id] = fresh();
                             if (const auto it = decorations_.find(id); it != decorations_.end())
                             {
                                 const std::vector<Words> copies = it->second;
                                 for (Words decoration : copies)
                                 {
                                     decoration[1] = own;
                                     append(new_decorations_, decoration);
                                     decorations_[own].push_back(decoration);
                                 }
                             }
                         });
    return ids;
}

void Inliner::copy_instruction(Caller& caller, Instruction instruction, const Ids& ids)
{
    const u32 op = operation(instruction);
    const auto [first, last] = literals_of(instruction);
    const auto own = [&](u32 id)
    {
        const auto it = ids.find(id);
        return it != ids.end() ? it->second : id;
    };
    Words copied(instruction.begin(), instruction.end());
    for (std::size_t i = 1; i < copied.size(); ++i)
    {
        const bool literal = op == spv::OpSwitch ? i >= 3 && i % 2 == 1 : i >= first && i < last;
        copied[i] = literal ? copied[i] : own(copied[i]);
    }
    if (op == spv::OpLabel)
        caller.block = copied[1];
    if (op != spv::OpVariable)
        return append(caller.code, copied);
    // The call may run again, in a loop, so a value to begin with is stored.
    append(caller.variables, spv::OpVariable, {copied[1], copied[2], copied[3]});
    if (copied.size() > 4)
        append(caller.code, spv::OpStore, {copied[2], copied[4]});
}

void Inliner::copy(Caller& caller, Instruction call, const Function& callee)
{
    Ids ids = fresh_ids(call, callee);
    const u32 end = callee.returns_last ? 0 : fresh();
    u32 result = 0; // a variable
    if (end != 0)
    {
        const u32 begin = fresh();
        append(caller.code, spv::OpSelectionMerge, {end, spv::SelectionControlMaskNone});
        append(caller.code, spv::OpSwitch, {zero(), begin});
        append(caller.code, spv::OpLabel, {begin});
        caller.block = begin;
    }
    bool in_front = true; // of the label of the first block
    for_each_instruction(
        callee.words,
        [&](Instruction instruction)
        {
            const u32 op = operation(instruction);
            if (op == spv::OpFunction || op == spv::OpFunctionParameter || op == spv::OpFunctionEnd)
                return;
            if (op == spv::OpLabel && std::exchange(in_front, false))
            {
                ids[instruction[1]] = caller.block;
                return;
            }
            if (!is_return(op))
                return copy_instruction(caller, instruction, ids);
            if (op == spv::OpReturnValue)
            {
                const auto it = ids.find(instruction[1]);
                const u32 value = it != ids.end() ? it->second : instruction[1];
                if (end == 0)
                    return append(caller.code, spv::OpCopyObject, {call[1], call[2], value});
                if (result == 0)
                    append(caller.variables, spv::OpVariable,
                           {pointer_to(call[1]), result = fresh(), spv::StorageClassFunction});
                append(caller.code, spv::OpStore, {result, value});
            }
            if (end != 0)
                append(caller.code, spv::OpBranch, {end});
        });
    if (end == 0)
        return;
    append(caller.code, spv::OpLabel, {end});
    caller.block = end;
    if (result != 0)
        append(caller.code, spv::OpLoad, {call[1], call[2], result});
}

// A phi names the blocks that control comes from. Where calls were replaced, a block ends under another label.
void Inliner::mend_choices(Caller& caller) const
{
    for (const std::size_t at : caller.choices)
        for (std::size_t i = 4; i < caller.code[at] >> 16; i += 2)
            if (const auto it = caller.ends.find(caller.code[at + i]); it != caller.ends.end())
                caller.code[at + i] = it->second;
}

void Inliner::expand(Function& function)
{
    if (std::exchange(function.expanded, true))
        return;
    Caller caller;
    Words front; // up to the label of the first block
    for_each_instruction(function.words,
                         [&](Instruction instruction)
                         {
                             const u32 op = operation(instruction);
                             if (op == spv::OpFunction || op == spv::OpFunctionParameter)
                                 return append(front, instruction);
                             if (op == spv::OpLabel)
                             {
                                 const bool is_first = caller.first_block == 0;
                                 caller.block = caller.first_block = instruction[1];
                                 return append(is_first ? front : caller.code, instruction);
                             }
                             if (op == spv::OpVariable)
                                 return append(caller.variables, instruction);
                             if (op == spv::OpPhi)
                                 caller.choices.push_back(caller.code.size());
                             const auto callee = op == spv::OpFunctionCall ? functions_.find(instruction[3])
                                                                           : functions_.end();
                             if (callee == functions_.end())
                                 return append(caller.code, instruction);
                             expand(callee->second);
                             if (!takes(function, caller.first_block, callee->second))
                                 return append(caller.code, instruction);
                             copy(caller, instruction, callee->second);
                             caller.ends[caller.first_block] = caller.block;
                         });
    mend_choices(caller);
    function.words = std::move(front);
    append(function.words, caller.variables);
    append(function.words, caller.code);
    const auto count = [&](u32 wanted)
    {
        std::size_t found = 0;
        for_each_instruction(function.words, [&](Instruction i) { found += operation(i) == wanted ? 1 : 0; });
        return found;
    };
    function.one_block = count(spv::OpLabel) == 1;
}

// The module without functions that nobody calls any more.
Spirv Inliner::assemble() const
{
    std::unordered_set<u32> called, defined;
    for_each_instruction(preamble_,
                         [&](Instruction instruction)
                         {
                             if (operation(instruction) == spv::OpEntryPoint)
                                 called.insert(instruction[2]);
                         });
    for (std::size_t before = 0; before != called.size();) // what called functions call
    {
        before = called.size();
        for (const auto& [id, function] : functions_)
            if (called.contains(id))
                for_each_instruction(function.words,
                                     [&](Instruction instruction)
                                     {
                                         if (operation(instruction) == spv::OpFunctionCall)
                                             called.insert(instruction[3]);
                                     });
    }
    std::unordered_set<u32> gone; // ids that only dropped functions have
    Spirv module(header_.begin(), header_.end());
    Words code;
    for (const u32 id : order_)
    {
        const Words& words = functions_.at(id).words;
        if (called.contains(id))
            append(code, words);
        else
            for_each_instruction(words,
                                 [&](Instruction instruction)
                                 {
                                     if (const u32 result = result_of(instruction); result != 0)
                                         gone.insert(result);
                                 });
    }
    module[kBound] = bound_;
    bool decorated = false; // the new decorations were appended
    for_each_instruction(preamble_,
                         [&](Instruction instruction)
                         {
                             const u32 op = operation(instruction);
                             if ((op == spv::OpName || op == spv::OpDecorate) &&
                                 gone.contains(instruction[1]))
                                 return;
                             const bool is_type = op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer;
                             if (is_type && !std::exchange(decorated, true))
                                 for_each_instruction(new_decorations_,
                                                      [&](Instruction decoration)
                                                      {
                                                          if (!gone.contains(decoration[1]))
                                                              append(module, decoration);
                                                      });
                             append(module, instruction);
                         });
    append(module, declarations_);
    append(module, code);
    return module;
}

Spirv Inliner::run()
{
    for (auto& [id, function] : functions_)
        expand(function);
    return assemble();
}

} // namespace

Spirv inline_calls(const Spirv& module)
{
    return module.size() > kHeaderWords ? Inliner(module).run() : module;
}

} // namespace shadergen
