// SPDX-License-Identifier: MIT
#include "shadergen/batch_rows.h"

#include "pica/shader/program.h"

#include <algorithm>
#include <span>

namespace shadergen
{

using pica::u32;

namespace
{

// How many constants a program may read, counted from c0.
u32 constants_of(const pica::ProgramUsage& usage)
{
    u32 count = static_cast<u32>(usage.constants.size());
    while (!usage.relative && count != 0 && !usage.constants[count - 1])
        --count;
    return count;
}

} // namespace

ConstantsRow BatchRows::add_constants(const pica::Draw& draw)
{
    const bool same = revision_ != 0 && revision_ == draw.uniforms_revision && program_ == draw.program->id();
    if (!same)
    {
        first_ = static_cast<u32>(constants_.size());
        const auto& values = draw.uniforms->f;
        constants_.insert(constants_.end(), values.begin(),
                          values.begin() + constants_of(draw.program->usage()));
        program_ = draw.program->id();
        revision_ = draw.uniforms_revision;
    }
    return {first_, 0, 0, 0};
}

u32 BatchRows::add(const BatchDraw& draw)
{
    draws_.push_back(draw);
    return static_cast<u32>(draws_.size() - 1);
}

void BatchRows::write(std::byte* to)
{
    const u32 rows = static_cast<u32>(draws_.size()) * BATCH_ROWS;
    for (BatchDraw& draw : draws_)
        draw.constants.first += rows;
    const auto drawn = std::as_bytes(std::span(draws_)), constants = std::as_bytes(std::span(constants_));
    to = std::copy(drawn.begin(), drawn.end(), to);
    std::copy(constants.begin(), constants.end(), to);
    clear();
}

void BatchRows::clear()
{
    draws_.clear();
    constants_.clear();
    revision_ = 0;
}

} // namespace shadergen
