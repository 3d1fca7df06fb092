// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_fetch.h"

#include "pica/base/float24.h"
#include "pica/base/numeric.h"
#include "pica/state/vertex_memory.h"

#include <algorithm>

namespace pica
{

namespace
{

u32 load_word(const u8* p)
{
    return p[0] | static_cast<u32>(p[1]) << 8 | static_cast<u32>(p[2]) << 16 | static_cast<u32>(p[3]) << 24;
}

template <AttributeType type>
f32 load(const u8* p)
{
    if constexpr (type == AttributeType::S8)
        return static_cast<f32>(static_cast<s8>(*p));
    else if constexpr (type == AttributeType::U8)
        return static_cast<f32>(*p);
    else if constexpr (type == AttributeType::S16)
        return static_cast<f32>(static_cast<s16>(static_cast<u16>(p[0] | p[1] << 8)));
    else
        return num::f24_round(num::as_real(load_word(p))); // [ASSUMED: truncate]
}

f32 load_any(AttributeType type, const u8* p)
{
    switch (type)
    {
    case AttributeType::S8:
        return load<AttributeType::S8>(p);
    case AttributeType::U8:
        return load<AttributeType::U8>(p);
    case AttributeType::S16:
        return load<AttributeType::S16>(p);
    case AttributeType::F32:
        break;
    }
    return load<AttributeType::F32>(p);
}

// row: what lane 0 has of component 0; component c is c * row_step behind it. There are row_lanes lanes.
template <AttributeType type>
void load_rows(const u8* data, u64 first, u32 stride, u32 components, std::span<const u64> numbers, f32* row,
               u32 row_step, u32 /*row_lanes*/)
{
    constexpr u32 kBytes = type == AttributeType::F32 ? 4 : type == AttributeType::S16 ? 2 : 1;
    for (u32 lane = 0; lane < numbers.size(); ++lane)
    {
        const u8* p = data + (numbers[lane] - first) * stride;
        for (u32 c = 0; c < components; ++c)
            row[c * row_step + lane] = load<type>(p + c * kBytes);
    }
}

// The same for floats: first as they are, then rounded, which the compiler does for several lanes at once. So whole
// groups of lanes are rounded, of which the last ones may have no vertex: nothing reads these.
template <>
void load_rows<AttributeType::F32>(const u8* data, u64 first, u32 stride, u32 components,
                                   std::span<const u64> numbers, f32* row, u32 row_step, u32 row_lanes)
{
    constexpr u32 kGroup = 8;
    const u32 lanes = static_cast<u32>(numbers.size());
    for (u32 lane = 0; lane < lanes; ++lane)
    {
        const u8* p = data + (numbers[lane] - first) * stride;
        for (u32 c = 0; c < components; ++c)
            row[c * row_step + lane] = num::as_real(load_word(p + c * 4));
    }
    const auto round = [](f32* from, u32 count)
    {
        for (u32 i = 0; i < count; ++i)
            from[i] = num::f24_round(from[i]);
    };
    const u32 grouped = std::min((lanes + kGroup - 1) / kGroup, row_lanes / kGroup) * kGroup;
    for (u32 c = 0; c < components; ++c)
    {
        for (u32 lane = 0; lane < grouped; lane += kGroup)
            round(row + c * row_step + lane, kGroup);
        if (grouped < lanes)
            round(row + c * row_step + grouped, lanes - grouped);
    }
}

} // namespace

InputRows input_rows(BatchInterpreter& batch)
{
    f32* const first = batch.input(0, 0);
    return {first, static_cast<u32>(batch.input(1, 0) - first), static_cast<u32>(batch.input(0, 1) - first),
            BatchInterpreter::kLanes};
}

void VertexFetch::begin(const Draw& draw, u64 first, u64 last, const GuestMemory& memory,
                        const InputRows& inputs, Report& report)
{
    fill_constants(draw, inputs);
    begin_again(draw, first, last, memory, report);
}

// Finds the rows that depend on the vertex, and fills the others.
void VertexFetch::fill_constants(const Draw& draw, const InputRows& inputs)
{
    const ProgramUsage& usage = draw.program->usage();
    inline_attributes_ = draw.source.inline_attributes;
    row_count_ = 0;
    for (u8 reg = 0; reg < 16; ++reg)
    {
        if (!(usage.inputs >> reg & 1))
            continue;
        const FetchInput& input = draw.source.input[reg];
        Vec4 constant{};
        u32 loaded = 0;
        if (input.source == FetchInput::Source::Memory)
        {
            constant = {0.0f, 0.0f, 0.0f, 1.0f}; // missing components [HW]
            loaded = std::min<u32>(input.components, 4);
        }
        else if (input.source == FetchInput::Source::Fixed)
            constant = input.fixed;
        else if (input.source == FetchInput::Source::Inline)
            loaded = 4;
        for (u32 c = loaded; c < 4; ++c)
            std::fill_n(inputs.row(reg, c), inputs.lanes, constant[c]);
        if (loaded == 0)
            continue;
        Row& row = rows_[row_count_++];
        row = {};
        row.reg = reg;
        row.components = static_cast<u8>(loaded);
        row.type = input.type;
        row.address = input.address;
        row.stride = input.stride;
        row.attribute = input.attribute;
        row.is_inline = input.source == FetchInput::Source::Inline;
    }
}

void VertexFetch::begin_again(const Draw& draw, u64 first, u64 last, const GuestMemory& memory,
                              Report& report)
{
    memory_ = &memory;
    first_ = first;
    inline_values_ = draw.source.inline_values;
    for (u32 i = 0; i < row_count_; ++i)
    {
        Row& row = rows_[i];
        if (row.is_inline)
            continue;
        const u64 begin = row.address + first * row.stride;
        const u64 end = row.address + last * row.stride + row.components * element_bytes(row.type);
        const std::span<const u8> bytes = end <= u64{1} << 32
                                              ? memory.span(static_cast<PhysAddr>(begin), end - begin)
                                              : std::span<const u8>{};
        row.data = bytes.empty() ? nullptr : bytes.data();
        if (!row.data)
            report.report(ReportKind::Guest, "vertex data outside memory", "reads as 0");
    }
}

void VertexFetch::fetch_row(const Row& row, std::span<const u64> numbers, const InputRows& inputs) const
{
    f32* out = inputs.row(row.reg, 0);
    const u32 step = inputs.component_step;
    if (row.is_inline)
    {
        for (u32 lane = 0; lane < numbers.size(); ++lane)
        {
            const u64 index = numbers[lane] * inline_attributes_ + row.attribute;
            const Vec4 value = index < inline_values_.size() ? inline_values_[index] : Vec4{};
            for (u32 c = 0; c < 4; ++c)
                out[c * step + lane] = value[c];
        }
        return;
    }
    if (!row.data)
    {
        const u32 bytes = element_bytes(row.type);
        for (u32 lane = 0; lane < numbers.size(); ++lane)
        {
            for (u32 c = 0; c < row.components; ++c)
            {
                const u64 address = row.address + numbers[lane] * row.stride + c * bytes;
                u8 element[4] = {};
                for (u32 i = 0; i < bytes; ++i)
                    if (address + i <= 0xFFFFFFFFu)
                        element[i] = memory_->read8(static_cast<PhysAddr>(address + i));
                out[c * step + lane] = load_any(row.type, element);
            }
        }
        return;
    }
    switch (row.type)
    {
    case AttributeType::S8:
        return load_rows<AttributeType::S8>(row.data, first_, row.stride, row.components, numbers, out, step,
                                            inputs.lanes);
    case AttributeType::U8:
        return load_rows<AttributeType::U8>(row.data, first_, row.stride, row.components, numbers, out, step,
                                            inputs.lanes);
    case AttributeType::S16:
        return load_rows<AttributeType::S16>(row.data, first_, row.stride, row.components, numbers, out, step,
                                             inputs.lanes);
    case AttributeType::F32:
        return load_rows<AttributeType::F32>(row.data, first_, row.stride, row.components, numbers, out, step,
                                             inputs.lanes);
    }
}

void VertexFetch::fetch(std::span<const u64> numbers, const InputRows& inputs) const
{
    for (u32 i = 0; i < row_count_; ++i)
        fetch_row(rows_[i], numbers, inputs);
}

} // namespace pica
