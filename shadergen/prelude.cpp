// SPDX-License-Identifier: MIT
// GLSL compilation of the shared arithmetic. Source of truth for the list of definitions: head of
// shaders/include/numeric.h. Tests: prelude_test.cpp
#include "shadergen/prelude.h"

#include "shaders/shader_texts.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace shadergen
{

namespace
{

constexpr std::string_view kSelect = R"(#define SEL(mask, a, b) mix(b, a, mask)
#define AND(a, b) mix(false, b, a)
#define OR(a, b) mix(b, true, a)
)";
// glslang makes branches of these operators, so that the right side is not evaluated for nothing.
constexpr std::string_view kBranch = R"(#define SEL(mask, a, b) ((mask) ? (a) : (b))
#define AND(a, b) ((a) && (b))
#define OR(a, b) ((a) || (b))
)";

constexpr std::string_view kDefinitions = R"(#define PICA_GLSL
#define Real float
#define Bits uint
#define Int int
#define Mask bool
#define NUM_FN
#define NOT(a) (!(a))
#define REAL(x) (x)
#define BITS(x) (x)
#define INT(x) (x)
#define FLOOR(x) floor(x)
#define MUL_WIDE(a, b, high, low) umulExtended(a, b, high, low)
#define as_bits(x) floatBitsToUint(x)
#define as_real(x) uintBitsToFloat(x)
#define as_unsigned(x) uint(x)
#define as_signed(x) int(x)
#define to_int(x) int(x)
#define to_real(x) float(x)
)";

std::string definitions(const Target& target)
{
    std::string text(kDefinitions);
    text += target.choice == Choice::Branch ? kBranch : kSelect;
    text += "#define RCP_STEPS " + std::to_string(target.reciprocal_steps) + "\n";
    return text;
}

bool is_identifier(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view without_comment(std::string_view line)
{
    line = line.substr(0, line.find("//"));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

struct Function
{
    std::string_view name;
    std::string text;
    bool used = false;
};

// Splits a text of shaders/include into its functions. The texts keep to a form that makes this simple: a
// function starts at column 0 and ends with the first line that closes it, at column 0 or on its first line.
// Conditional sections test PICA_GLSL or PICA_LANES and contain whole functions.
void split_functions(std::string_view text, std::vector<Function>& functions)
{
    std::vector<bool> taken; // one entry for each open conditional
    bool inside = false;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_comment(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty())
            continue;
        if (line.front() == '#')
        {
            if (line.starts_with("#ifdef"))
                taken.push_back(line.find("PICA_GLSL") != line.npos);
            else if (line.starts_with("#ifndef"))
                taken.push_back(line.find("PICA_GLSL") == line.npos);
            else if (line.starts_with("#else") && !taken.empty())
                taken.back() = !taken.back();
            else if (line.starts_with("#endif") && !taken.empty())
                taken.pop_back();
            continue;
        }
        if (std::find(taken.begin(), taken.end(), false) != taken.end())
            continue;
        if (!inside)
        {
            const std::size_t open = line.find('(');
            if (open == line.npos)
                continue;
            std::size_t begin = open;
            while (begin > 0 && is_identifier(line[begin - 1]))
                begin--;
            functions.push_back({line.substr(begin, open - begin), {}, false});
        }
        functions.back().text.append(line).push_back('\n');
        inside = line.back() != '}' || line.front() == ' ';
    }
}

template <typename Visit>
void for_each_identifier(std::string_view text, Visit visit)
{
    for (std::size_t i = 0; i < text.size();)
    {
        std::size_t end = i;
        while (end < text.size() && is_identifier(text[end]))
            end++;
        if (end > i)
            visit(text.substr(i, end - i));
        i = end + 1;
    }
}

} // namespace

std::string prelude(const Target& target, std::span<const std::string_view> texts)
{
    std::string result = definitions(target);
    for (const std::string_view name : texts)
        result.append(shaders::text(name));
    return result;
}

std::string prelude(const Target& target, std::span<const std::string_view> texts,
                    std::span<const std::string_view> functions)
{
    std::vector<Function> library;
    for (const std::string_view name : texts)
        split_functions(shaders::text(name), library);
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < library.size(); i++)
        index.emplace(library[i].name, i);
    const auto use = [&](std::string_view name)
    {
        if (const auto found = index.find(name); found != index.end())
            library[found->second].used = true;
    };
    for (const std::string_view name : functions)
        use(name);
    // Functions are declared before use: they call earlier ones only, so one pass from the end finds all that
    // are needed.
    for (std::size_t i = library.size(); i-- > 0;)
        if (library[i].used)
            for_each_identifier(library[i].text, use);

    std::string result = definitions(target);
    for (const Function& function : library)
        if (function.used)
            result += function.text;
    return result;
}

} // namespace shadergen
