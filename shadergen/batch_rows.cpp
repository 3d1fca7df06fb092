// SPDX-License-Identifier: MIT
#include "shadergen/batch_rows.h"

#include "pica/shader/program.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace shadergen
{

using pica::u32;
using pica::u64;

namespace
{

constexpr u32 kIntegerRows = 4;

} // namespace

u32 constant_row(const pica::ProgramUsage& usage, u32 n)
{
    const u32 integers = usage.ints != 0 ? kIntegerRows : 0;
    if (usage.relative)
        return integers + n;
    const std::size_t others = usage.constants.size() - n; // from c<n> on
    return integers + static_cast<u32>((usage.constants << others).count());
}

// Adds the constants that a program reads, in the order of constant_row.
void BatchRows::append_constants(const pica::ProgramUsage& usage, const pica::ShaderUniforms& uniforms)
{
    if (usage.ints != 0)
        for (const auto& i : uniforms.i)
            constants_.push_back({i[0], i[1], i[2], i[3]});
    const auto append = [&](const vec4& value) { constants_.push_back(std::bit_cast<uvec4>(value)); };
    if (usage.relative)
        std::ranges::for_each(uniforms.f, append);
    else
        pica::for_each_constant(usage, [&](u32 n) { append(uniforms.f[n]); });
}

u32 BatchRows::add_constants(const pica::Draw& draw)
{
    const bool same = revision_ != 0 && revision_ == draw.uniforms_revision && program_ == draw.program->id();
    if (same)
        return first_;
    const bool may_share = revision_ != 0 && program_ == draw.program->id();
    const u32 before = first_;
    first_ = static_cast<u32>(constants_.size());
    append_constants(draw.program->usage(), *draw.uniforms);
    // Uniforms that changed may be others than the program's.
    const uvec4* const all = constants_.data();
    if (may_share && first_ != before &&
        std::memcmp(all + before, all + first_, (first_ - before) * sizeof(uvec4)) == 0)
    {
        constants_.resize(first_);
        first_ = before;
    }
    program_ = draw.program->id();
    revision_ = draw.uniforms_revision;
    return first_;
}

u32 BatchRows::add_inputs(std::span<const BatchInput> inputs)
{
    inputs_revision_ = 0;
    const auto last = std::as_bytes(std::span(inputs_).subspan(first_input_));
    if (!std::ranges::equal(last, std::as_bytes(inputs)))
    {
        first_input_ = inputs_.size();
        inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    }
    return static_cast<u32>(first_input_) * BATCH_INPUT_ROWS;
}

// The inputs of a draw, which are looked at only if they may be others than the last draw's.
u32 BatchRows::inputs_of(const pica::Draw& draw, const VertexPlacement& placement)
{
    const u64 program = draw.program->id();
    const bool elsewhere = draw.source.inline_attributes != 0; // values of immediate mode
    if (!elsewhere && inputs_revision_ != 0 && inputs_revision_ == draw.inputs_revision &&
        inputs_program_ == program)
        return static_cast<u32>(first_input_) * BATCH_INPUT_ROWS;
    packed_.clear();
    append_inputs(draw, placement, packed_);
    const u32 row = add_inputs(packed_);
    inputs_program_ = program;
    inputs_revision_ = elsewhere ? 0 : draw.inputs_revision;
    return row;
}

BatchDraw BatchRows::describe(const pica::Draw& draw, const VertexPlacement& placement)
{
    return batch_draw(draw, placement, {add_constants(draw), inputs_of(draw, placement), 0, 0});
}

u32 BatchRows::add(const BatchDraw& draw)
{
    draws_.push_back(draw);
    return static_cast<u32>(draws_.size() - 1);
}

std::size_t BatchRows::bytes() const
{
    return draws_.size() * sizeof(BatchDraw) + inputs_.size() * sizeof(BatchInput) +
           constants_.size() * sizeof(uvec4);
}

void BatchRows::write(std::byte* to)
{
    const u32 inputs = static_cast<u32>(draws_.size()) * BATCH_ROWS;
    const u32 constants = inputs + static_cast<u32>(inputs_.size()) * BATCH_INPUT_ROWS;
    for (BatchDraw& draw : draws_)
    {
        draw.places.inputs += inputs;
        draw.places.constants += constants;
    }
    const auto append = [&](std::span<const std::byte> rows) { to = std::ranges::copy(rows, to).out; };
    append(std::as_bytes(std::span(draws_)));
    append(std::as_bytes(std::span(inputs_)));
    append(std::as_bytes(std::span(constants_)));
    clear();
}

void BatchRows::clear()
{
    draws_.clear();
    constants_.clear();
    inputs_.clear();
    first_input_ = 0;
    revision_ = inputs_revision_ = 0;
}

} // namespace shadergen
