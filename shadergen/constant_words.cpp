// SPDX-License-Identifier: MIT
// Source of truth: shaders/include/uniforms.h, whose text tells names, types and places of the rows. Tests: fragment_test.cpp
#include "shadergen/constant_words.h"

#include "shadergen/glsl_writer.h"
#include "shadergen/uniform_blocks.h"
#include "shadergen/uniforms.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace shadergen
{

namespace
{

using pica::u32;
using pica::u64;

static_assert(sizeof(FragmentBlock) / 4 <= 64 * std::tuple_size_v<decltype(ConstantWords::bits)>);
constexpr u32 kWords = 64 * static_cast<u32>(std::tuple_size_v<decltype(ConstantWords::bits)>);
constexpr std::string_view kComponents = "xyzw", kColors = "rgba";

struct Row
{
    std::string_view type;
    std::string place; // as the text names it: "draw.texture_size[0]"
};

bool is_name(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The word at the text's start, which is taken off it with the spaces behind it.
std::string_view take_name(std::string_view& text)
{
    std::size_t end = 0;
    while (end < text.size() && is_name(text[end]))
        end++;
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
    return name;
}

// Appends the rows of a member, "vec4 name" or "vec4 name[count]".
void add_rows(std::string_view member, std::vector<Row>& rows)
{
    const std::string_view type = take_name(member);
    const std::string place = "draw." + std::string(take_name(member));
    if (member.empty() || member.front() != '[')
    {
        rows.push_back({type, place});
        return;
    }
    const u32 count = static_cast<u32>(std::stoul(std::string(member.substr(1))));
    for (u32 i = 0; i < count; i++)
        rows.push_back({type, place + "[" + number(i) + "]"});
}

std::vector<Row> make_rows()
{
    std::vector<Row> rows;
    std::string_view text = fragment_block_text();
    text.remove_prefix(std::min(text.size(), text.find('{') + 1));
    while (!text.empty() && text.front() != '}')
    {
        if (text.front() == ' ' || text.front() == '\n')
            text.remove_prefix(1);
        else if (text.starts_with("//"))
            text.remove_prefix(std::min(text.size(), text.find('\n')));
        else
        {
            add_rows(text.substr(0, text.find(';')), rows);
            text.remove_prefix(text.find(';') + 1);
        }
    }
    return rows;
}

// In the order of the block.
const std::vector<Row>& all_rows()
{
    static const std::vector<Row> kRows = make_rows();
    return kRows;
}

// A place of the text that reads words of a row.
struct Read
{
    std::size_t begin = 0, end = 0;
    u32 row = 0;
    std::string components; // of xyzw
};

// The component that "[2]" at the start of the text chooses, or an empty text.
std::string_view indexed_component(std::string_view text)
{
    if (text.size() < 3 || text[0] != '[' || text[1] < '0' || text[1] > '3' || text[2] != ']')
        return {};
    return kComponents.substr(static_cast<std::size_t>(text[1] - '0'), 1);
}

// The row at the start of the text, or all_rows().size(). Not the beginning of a longer name, nor a row or an array with a
// computed index.
u32 row_at(std::string_view text)
{
    const auto begins = [&](const Row& row)
    {
        if (!text.starts_with(row.place))
            return false;
        const std::string_view rest = text.substr(row.place.size());
        return rest.empty() || !(rest[0] == '[' ? indexed_component(rest).empty() : is_name(rest[0]));
    };
    return static_cast<u32>(std::find_if(all_rows().begin(), all_rows().end(), begins) - all_rows().begin());
}

std::vector<Read> reads_of(std::string_view glsl)
{
    std::vector<Read> reads;
    for (std::size_t at = glsl.find("draw."); at != glsl.npos; at = glsl.find("draw.", at + 1))
    {
        const u32 row = row_at(glsl.substr(at));
        if ((at != 0 && (is_name(glsl[at - 1]) || glsl[at - 1] == '.')) || row == all_rows().size())
            continue;
        Read read{at, at + all_rows()[row].place.size(), row, std::string(kComponents)};
        if (const std::string_view component = indexed_component(glsl.substr(read.end)); !component.empty())
        {
            read.components = component;
            read.end += 3;
        }
        else if (glsl[read.end] == '.')
        {
            read.components.clear();
            for (read.end++; is_name(glsl[read.end]); read.end++)
            {
                const std::size_t color = kColors.find(glsl[read.end]);
                read.components += color != kColors.npos ? kComponents[color] : glsl[read.end];
            }
        }
        reads.push_back(read);
    }
    return reads;
}

u32 word_of(const Read& read, char component)
{
    return read.row * 4 + static_cast<u32>(kComponents.find(component));
}

// The component of a varying that has the word.
std::string varying(const ConstantWords& words, u32 word)
{
    u32 place = 0;
    for (u32 i = 0; i < word; i++)
        place += words.has(i) ? 1 : 0;
    return "constants" + number(place / 4) + "." + kComponents[place % 4];
}

// The value that is read, from varyings.
std::string value(const ConstantWords& words, const Read& read)
{
    std::string bits;
    for (const char component : read.components)
        bits += (bits.empty() ? "" : ", ") + varying(words, word_of(read, component));
    const std::string count = number(static_cast<u32>(read.components.size()));
    if (read.components.size() != 1)
        bits = "ivec" + count + "(" + bits + ")";
    const std::string_view type = all_rows()[read.row].type;
    if (type == "vec4")
        return "intBitsToFloat(" + bits + ")";
    if (type == "uvec4")
        return (read.components.size() != 1 ? "uvec" + count : "uint") + "(" + bits + ")";
    return bits;
}

// The bits of a word of the block.
std::string bits_of(u32 word)
{
    const Row& row = all_rows()[word / 4];
    const std::string place = row.place + "." + kComponents[word % 4];
    return row.type == "vec4"    ? "floatBitsToInt(" + place + ")"
           : row.type == "uvec4" ? "int(" + place + ")"
                                 : place;
}

std::vector<u32> list(const ConstantWords& words)
{
    std::vector<u32> all;
    for (u32 word = 0; word < kWords; word++)
        if (words.has(word))
            all.push_back(word);
    return all;
}

} // namespace

ConstantWords constant_words(std::string_view glsl, u32 most)
{
    ConstantWords words;
    for (const Read& read : reads_of(glsl))
        for (const char component : read.components)
            if (const u32 word = word_of(read, component); !words.has(word) && most != 0)
            {
                words.bits[word / 64] |= u64{1} << (word % 64);
                most--;
            }
    return words;
}

std::string with_constant_words(std::string_view glsl, const ConstantWords& words)
{
    std::string text;
    std::size_t done = 0;
    for (const Read& read : reads_of(glsl))
    {
        if (!std::all_of(read.components.begin(), read.components.end(),
                         [&](char component) { return words.has(word_of(read, component)); }))
            continue;
        text.append(glsl.substr(done, read.begin - done)).append(value(words, read));
        done = read.end;
    }
    return text.append(glsl.substr(done));
}

void declare_constant_words(const ConstantWords& words, u32 location, std::string_view storage,
                            GlslWriter& out)
{
    const std::size_t count = list(words).size();
    for (u32 i = 0; i * 4 < count; i++)
        out.line("layout(location = ", number(location + i), ") flat ", storage, " ivec4 constants",
                 number(i), ";");
}

void write_constant_words(const ConstantWords& words, GlslWriter& out)
{
    const std::vector<u32> all = list(words);
    for (u32 i = 0; i < all.size(); i += 4)
    {
        std::string four;
        for (u32 k = i; k < i + 4; k++)
            four += (k != i ? ", " : "") + (k < all.size() ? bits_of(all[k]) : "0");
        out.line("    constants", number(i / 4), " = ivec4(", four, ");");
    }
}

} // namespace shadergen
