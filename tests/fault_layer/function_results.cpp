// SPDX-License-Identifier: MIT
#include "tests/fault_layer/function_results.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace
{

using Words = std::span<const uint32_t>;

// From the specification of SPIR-V.
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kBound = 3; // word of the header
enum Op : uint32_t
{
    OpName = 5,
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeVector = 23,
    OpConstant = 43,
    OpFunction = 54,
    OpFunctionEnd = 56,
    OpIAdd = 128,
    OpFMul = 133,
    OpVectorTimesScalar = 142,
    OpReturnValue = 254,
};
constexpr uint32_t kHalf = 0x3F000000; // 0.5

// Calls visit(opcode, instruction) for each instruction.
template <typename Visit>
void for_each_instruction(Words module, Visit visit)
{
    for (std::size_t at = kHeaderWords; at < module.size();)
    {
        const std::size_t words = std::max(module[at] >> 16, 1u);
        if (at + words > module.size())
            return;
        visit(module[at] & 0xFFFF, module.subspan(at, words));
        at += words;
    }
}

// Names of functions are followed by the types of their parameters: "name(f1;".
bool is_name_of(Words name, std::string_view function)
{
    const char* text = reinterpret_cast<const char*>(name.data() + 2);
    const std::string_view whole(text, strnlen(text, (name.size() - 2) * 4));
    return whole.size() > function.size() && whole.starts_with(function) && whole[function.size()] == '(';
}

std::set<uint32_t> ids_of(Words module, std::span<const std::string_view> functions)
{
    std::set<uint32_t> ids;
    for_each_instruction(module,
                         [&](uint32_t op, Words words)
                         {
                             if (op == OpName && std::any_of(functions.begin(), functions.end(),
                                                             [&](std::string_view function)
                                                             { return is_name_of(words, function); }))
                                 ids.insert(words[1]);
                         });
    return ids;
}

class Rewriter
{
public:
    Rewriter(Words module, std::set<uint32_t> functions)
        : functions_(std::move(functions)), out_(module.begin(), module.begin() + kHeaderWords)
    {
        for_each_instruction(module, [&](uint32_t op, Words words) { read(op, words); });
        for_each_instruction(module, [&](uint32_t op, Words words) { write(op, words); });
    }
    std::vector<uint32_t> take() { return std::move(out_); }

private:
    void read(uint32_t op, Words words)
    {
        if (op == OpTypeFloat && words[2] == 32)
            real_ = words[1];
        else if (op == OpTypeInt && words[2] == 32)
            one_[words[1]] = 0;
        else if (op == OpTypeVector && words[2] == real_)
            vectors_.insert(words[1]);
    }

    void write(uint32_t op, Words words)
    {
        if (op == OpFunction)
        {
            if (half_ == 0)
                write_constants();
            type_ = functions_.count(words[2]) != 0 ? words[1] : 0;
        }
        if (op == OpReturnValue && type_ != 0)
            if (const uint32_t other = other_value(words[1]); other != 0)
            {
                put({OpReturnValue, other});
                return;
            }
        out_.insert(out_.end(), words.begin(), words.end());
        if (op == OpFunctionEnd)
            type_ = 0;
    }

    // Behind all types.
    void write_constants()
    {
        half_ = out_[kBound]++;
        if (real_ != 0)
            put({OpConstant, real_, half_, kHalf});
        for (auto& [type, id] : one_)
        {
            id = out_[kBound]++;
            put({OpConstant, type, id, 1});
        }
    }

    // The id of the changed value, or 0: its type has none.
    uint32_t other_value(uint32_t value)
    {
        const uint32_t result = out_[kBound];
        if (type_ == real_)
            put({OpFMul, type_, result, value, half_});
        else if (vectors_.count(type_) != 0)
            put({OpVectorTimesScalar, type_, result, value, half_});
        else if (one_.count(type_) != 0)
            put({OpIAdd, type_, result, value, one_.at(type_)});
        else
            return 0;
        ++out_[kBound];
        return result;
    }

    void put(std::initializer_list<uint32_t> words)
    {
        out_.insert(out_.end(), words.begin(), words.end());
        out_[out_.size() - words.size()] |= static_cast<uint32_t>(words.size()) << 16;
    }

    const std::set<uint32_t> functions_;
    std::vector<uint32_t> out_;
    uint32_t real_ = 0; // the type float
    std::set<uint32_t> vectors_;
    uint32_t half_ = 0;
    std::map<uint32_t, uint32_t> one_; // of each integer type
    uint32_t type_ = 0;                // result of the function at hand, if it is to be changed
};

} // namespace

bool has_function(std::span<const uint32_t> module, std::string_view name)
{
    return !ids_of(module, {&name, 1}).empty();
}

std::vector<uint32_t> with_other_results(std::span<const uint32_t> module,
                                         std::span<const std::string_view> names)
{
    std::set<uint32_t> functions = ids_of(module, names);
    if (functions.empty())
        return {};
    return Rewriter(module, std::move(functions)).take();
}
