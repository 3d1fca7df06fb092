// SPDX-License-Identifier: MIT
#include "tests/support/scenes/command_list_builder.h"

#include "pica/base/float24.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tests
{

namespace
{

constexpr u32 kConsecutive = 1u << 31;
constexpr std::size_t kMaxValues = 128; // per command; the header has 8 bits for the values after the first

} // namespace

CommandListBuilder& CommandListBuilder::command(u32 id, std::span<const u32> values, u32 byte_mask,
                                                u32 consecutive_bit)
{
    for (u32 i = 0; i < values.size(); ++i)
        registers_.write(consecutive_bit != 0 ? id + i : id, values[i], byte_mask);
    last_single_ = values.size() == 1 && byte_mask == 0xF ? id : kNone;
    words_.push_back(values.front());
    words_.push_back(id | byte_mask << 16 | u32(values.size() - 1) << 20 | consecutive_bit);
    words_.insert(words_.end(), values.begin() + 1, values.end());
    if (words_.size() % 2 != 0)
        words_.push_back(0);
    return *this;
}

CommandListBuilder& CommandListBuilder::write(u32 id, u32 value, u32 byte_mask)
{
    if (id == last_single_ && byte_mask == 0xF)
    {
        registers_.write(id, value);
        words_[words_.size() - 2] = value;
        return *this;
    }
    return command(id, std::span(&value, 1), byte_mask, 0);
}

CommandListBuilder& CommandListBuilder::write_consecutive(u32 id, std::span<const u32> values, u32 byte_mask)
{
    for (; !values.empty(); values = values.subspan(std::min(values.size(), kMaxValues)))
    {
        const auto part = values.first(std::min(values.size(), kMaxValues));
        command(id, part, byte_mask, kConsecutive);
        id += u32(part.size());
    }
    last_single_ = kNone;
    return *this;
}

CommandListBuilder& CommandListBuilder::write_repeated(u32 id, std::span<const u32> values, u32 byte_mask)
{
    for (; !values.empty(); values = values.subspan(std::min(values.size(), kMaxValues)))
        command(id, values.first(std::min(values.size(), kMaxValues)), byte_mask, 0);
    last_single_ = kNone;
    return *this;
}

CommandListBuilder& CommandListBuilder::upload_vertex_program(std::span<const u32> code,
                                                              std::span<const u32> descriptors,
                                                              u32 entry_point)
{
    return upload_program(0, code, descriptors, entry_point);
}

CommandListBuilder& CommandListBuilder::upload_geometry_program(std::span<const u32> code,
                                                                std::span<const u32> descriptors,
                                                                u32 entry_point)
{
    return upload_program(kGeometryBank - kVertexBank, code, descriptors, entry_point);
}

// offset: from the vertex bank's ids.
CommandListBuilder& CommandListBuilder::upload_program(u32 offset, std::span<const u32> code,
                                                       std::span<const u32> descriptors, u32 entry_point)
{
    command(reg::VSH_CODETRANSFER_INDEX::id + offset, std::array{0u}, 0xF, 0);
    write_repeated(reg::VSH_CODETRANSFER_DATA::id + offset, code);
    command(reg::VSH_CODETRANSFER_END::id + offset, std::array{1u}, 0xF, 0);
    command(reg::VSH_OPDESCS_INDEX::id + offset, std::array{0u}, 0xF, 0);
    write_repeated(reg::VSH_OPDESCS_DATA::id + offset, descriptors);
    // The upper half is written as citro3d does.
    command(reg::VSH_ENTRYPOINT::id + offset, std::array{0x7FFF0000u | entry_point}, 0xF, 0);
    last_single_ = kNone;
    return *this;
}

namespace
{

std::array<u32, 5> uniform_words(u32 index, const std::array<f32, 4>& value)
{
    return {kConsecutive | index, std::bit_cast<u32>(value[3]), std::bit_cast<u32>(value[2]),
            std::bit_cast<u32>(value[1]), std::bit_cast<u32>(value[0])};
}

} // namespace

CommandListBuilder& CommandListBuilder::float_uniform(u32 index, const std::array<f32, 4>& value)
{
    return write_consecutive(reg::VSH_FLOATUNIFORM_INDEX::id, uniform_words(index, value));
}

CommandListBuilder& CommandListBuilder::geometry_float_uniform(u32 index, const std::array<f32, 4>& value)
{
    return write_consecutive(reg::GSH_FLOATUNIFORM_INDEX::id, uniform_words(index, value));
}

CommandListBuilder& CommandListBuilder::fixed_attribute(u32 index, const std::array<f32, 4>& value)
{
    const u32 x = f32_to_float24(value[0]), y = f32_to_float24(value[1]), z = f32_to_float24(value[2]),
              w = f32_to_float24(value[3]);
    const std::array words = {index, w << 8 | z >> 16, z << 16 | y >> 8, y << 24 | x};
    return write_consecutive(reg::FIXEDATTRIB_INDEX::id, words);
}

CommandListBuilder& CommandListBuilder::draw_arrays(Topology topology, u32 first, u32 count)
{
    set(reg::PRIMITIVE_CONFIG::topology, topology);
    write(reg::RESTART_PRIMITIVE::id, 1);
    write(reg::INDEXBUFFER_CONFIG::id, 0x80000000u);
    set(reg::NUMVERTICES::count, count);
    set(reg::VERTEX_OFFSET::first, first);
    set(reg::GEOSTAGE_CONFIG2::array_draw, true);
    set(reg::START_DRAW_FUNC0::configuring, false);
    write(reg::DRAWARRAYS::id, 1);
    set(reg::START_DRAW_FUNC0::configuring, true);
    set(reg::GEOSTAGE_CONFIG2::array_draw, false);
    write(reg::VTX_FUNC::id, 1);
    last_single_ = kNone;
    return *this;
}

CommandListBuilder& CommandListBuilder::draw_elements(Topology topology, u32 offset, IndexType type,
                                                      u32 count)
{
    const bool list = topology == Topology::TriangleList;
    set(reg::PRIMITIVE_CONFIG::topology, topology);
    write(reg::RESTART_PRIMITIVE::id, 1);
    set(reg::INDEXBUFFER_CONFIG::offset, offset);
    set(reg::INDEXBUFFER_CONFIG::type, type);
    set(reg::NUMVERTICES::count, count);
    set(reg::VERTEX_OFFSET::first, 0);
    set(reg::GEOSTAGE_CONFIG::indexed_list, list);
    set(reg::GEOSTAGE_CONFIG2::indexed_list, list);
    set(reg::START_DRAW_FUNC0::configuring, false);
    write(reg::DRAWELEMENTS::id, 1);
    set(reg::START_DRAW_FUNC0::configuring, true);
    set(reg::GEOSTAGE_CONFIG::indexed_list, false);
    set(reg::GEOSTAGE_CONFIG2::indexed_list, false);
    write(reg::VTX_FUNC::id, 1);
    last_single_ = kNone;
    return *this;
}

std::vector<u32> CommandListBuilder::finish()
{
    if (words_.size() % 4 == 0) // FINALIZE is the last command of a multiple of 16 bytes
    {
        words_.push_back(0);
        words_.push_back(reg::IRQ_ACK::id); // no byte enabled: does nothing
    }
    words_.push_back(0x12345678);
    words_.push_back(reg::FINALIZE::id | 0xFu << 16);
    last_single_ = kNone;
    return std::exchange(words_, {});
}

} // namespace tests
