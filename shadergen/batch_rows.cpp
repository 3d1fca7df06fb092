// SPDX-License-Identifier: MIT
#include "shadergen/batch_rows.h"

#include "pica/shader/program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace shadergen
{

using pica::u32;
using pica::u64;

u32 constant_row(const pica::ProgramUsage& usage, u32 n)
{
    if (usage.relative)
        return n;
    const std::size_t others = usage.constants.size() - n; // from c<n> on
    return static_cast<u32>((usage.constants << others).count());
}

// Adds the constants that a program reads, in the order of constant_row.
void BatchRows::append_constants(const pica::ProgramUsage& usage, const std::array<vec4, 96>& values)
{
    if (usage.relative)
    {
        constants_.insert(constants_.end(), values.begin(), values.end());
        return;
    }
    const std::bitset<96> low_half(~u64{0});
    for (u64 bits = (usage.constants & low_half).to_ullong(); bits != 0; bits &= bits - 1)
        constants_.push_back(values[static_cast<u32>(std::countr_zero(bits))]);
    for (u64 bits = (usage.constants >> 64).to_ullong(); bits != 0; bits &= bits - 1)
        constants_.push_back(values[64 + static_cast<u32>(std::countr_zero(bits))]);
}

ConstantsRow BatchRows::add_constants(const pica::Draw& draw)
{
    const bool same = revision_ != 0 && revision_ == draw.uniforms_revision && program_ == draw.program->id();
    if (same)
        return {first_, 0, 0, 0};
    const bool may_share = revision_ != 0 && program_ == draw.program->id();
    const u32 before = first_;
    first_ = static_cast<u32>(constants_.size());
    append_constants(draw.program->usage(), draw.uniforms->f);
    // Uniforms that changed may be others than the program's.
    const vec4* const all = constants_.data();
    if (may_share && first_ != before &&
        std::memcmp(all + before, all + first_, (first_ - before) * sizeof(vec4)) == 0)
    {
        constants_.resize(first_);
        first_ = before;
    }
    program_ = draw.program->id();
    revision_ = draw.uniforms_revision;
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
