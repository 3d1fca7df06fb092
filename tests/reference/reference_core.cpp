// SPDX-License-Identifier: MIT
#include "tests/reference/reference_core.h"

#include "pica/base/float24.h"
#include "pica/state/triangle_record.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_program.h"
#include "tests/support/scenes/draw_scene.h"

#include <bit>
#include <stdexcept>

namespace tests
{

using namespace pica;

namespace
{

constexpr u32 kRegisters = 16;

class NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

f32 element(AttributeType type, PhysAddr address, const GuestMemory& memory)
{
    const u32 word = memory.read32(address & ~3u) >> (8 * (address & 3));
    switch (type)
    {
    case AttributeType::S8:
        return static_cast<f32>(static_cast<s8>(word));
    case AttributeType::U8:
        return static_cast<f32>(static_cast<u8>(word));
    case AttributeType::S16:
        return static_cast<f32>(static_cast<s16>(word));
    default:
        return reference_float24(std::bit_cast<f32>(memory.read32(address)));
    }
}

ReferenceVector attribute(const FetchInput& input, u64 vertex, const GuestMemory& memory)
{
    if (input.source == FetchInput::Source::Fixed)
        return input.fixed;
    if (input.source != FetchInput::Source::Memory)
        return {};
    constexpr u32 kBytes[] = {1, 1, 2, 4};
    ReferenceVector value = {0, 0, 0, 1};
    for (u32 i = 0; i < input.components; ++i)
        value[i] = element(input.type,
                           static_cast<PhysAddr>(input.address + vertex * input.stride +
                                                 i * kBytes[static_cast<u32>(input.type)]),
                           memory);
    return value;
}

} // namespace

void ReferenceCore::run_program(const Draw& draw)
{
    if (draw.source.indexed != 0 || draw.source.topology != Topology::TriangleList)
        throw std::logic_error("the reference draws lists of triangles without indices");
    outputs_.clear();
    for (u32 i = 0; i < draw.source.count; ++i)
    {
        std::array<ReferenceVector, kRegisters> inputs;
        for (u32 n = 0; n < kRegisters; ++n)
            inputs[n] = attribute(draw.source.input[n], u64{draw.source.first_vertex} + i, memory());
        const auto outputs = reference_program(*draw.program, *draw.uniforms, inputs);
        outputs_.insert(outputs_.end(), outputs.begin(), outputs.end());
    }
}

void ReferenceCore::draw(const Draw& original)
{
    run_program(original);
    Draw draw = original;
    draw.program = &copy_program();
    draw.vertex.program = copy_program().id();
    draw.source.input = {};
    for (u8 n = 0; n < kRegisters; ++n)
    {
        draw.source.input[n].source = FetchInput::Source::Inline;
        draw.source.input[n].attribute = n;
    }
    draw.source.inline_values = outputs_;
    draw.source.inline_attributes = kRegisters;
    draw.source.first_vertex = 0;
    NoReport report;
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    stage_.run(draw, memory(), report);
    records_.resize(std::size_t{stage_.triangle_count()} * layout.words);
    positions_.resize(std::size_t{stage_.triangle_count()} * 6);
    stage_.emit(layout, records_.data(), positions_.data());
    reference_draw(draw, layout, records_, positions_, memory(), registers_);
}

void ReferenceCore::memory_fill(const MemoryFill& fill)
{
    NoReport report;
    execute(memory(), fill, report);
}

void ReferenceCore::display_transfer(const DisplayTransfer& transfer)
{
    NoReport report;
    execute(memory(), transfer, report);
}

void ReferenceCore::texture_copy(const TextureCopy& copy)
{
    NoReport report;
    execute(memory(), copy, report);
}

} // namespace tests
