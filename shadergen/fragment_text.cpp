// SPDX-License-Identifier: MIT
#include "shadergen/fragment_text.h"

#include "shadergen/raster_vertex.h"

#include <algorithm>

namespace shadergen
{

using pica::OutputClass;
using pica::u32;

FragmentText::FragmentText(const pica::FragmentKey& k, const pica::RecordLayout& l, const Target& t)
    : key(k), layout(l), target(t),
      interlock(k.output == OutputClass::Fetch && k.depth == pica::DepthMode::None &&
                t.fetch_path == FetchPath::Interlock),
      cube(k.texture[0].samples() && k.texture[0].is_cube()), real_edges(has_real_edges(l, t)),
      votes(t.votes && real_edges)
{
}

void FragmentText::define(std::string_view name, std::string_view definition)
{
    if (std::find(emitted.begin(), emitted.end(), name) != emitted.end())
        return;
    emitted.push_back(name);
    functions.raw(definition);
}

std::string FragmentText::word(u32 index)
{
    record_quads |= 1u << (index / 4);
    return "q" + number(index / 4) + "." + "xyzw"[index % 4];
}

std::string FragmentText::real_word(u32 index)
{
    return "intBitsToFloat(" + word(index) + ")";
}

std::string FragmentText::draw(std::string_view member)
{
    draw_block = true;
    return "draw." + std::string(member);
}

std::string FragmentText::lut_base(pica::LutTable table)
{
    luts = true;
    const u32 n = static_cast<u32>(table);
    return draw("lut_base[" + number(n / 4) + "].") + "xyzw"[n % 4];
}

std::string FragmentText::lut(pica::LutTable table, std::string_view index)
{
    return "texelFetch(luts, " + lut_base(table) + " + " + std::string(index) + ").xy";
}

std::string FragmentText::vote(std::string_view condition)
{
    if (!votes)
        return std::string(condition);
    voted = true;
    return "subgroupAny(" + std::string(condition) + ")";
}

void FragmentText::drop_if(std::string_view condition)
{
    if (interlock)
        body.line("alive = alive && !(", condition, ");");
    else
        body.line("if (", condition, ") discard;");
}

} // namespace shadergen
