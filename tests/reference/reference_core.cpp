// SPDX-License-Identifier: MIT
#include "tests/reference/reference_core.h"

#include "pica/base/float24.h"
#include "pica/soft/software_core.h"
#include "pica/state/triangle_record.h"
#include "pica/texture/morton.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_program.h"
#include "tests/reference/reference_rules.h"
#include "tests/support/scenes/draw_scene.h"

#include <bit>
#include <cmath>

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
        return reference_float24(std::bit_cast<f32>(memory.read32(address)),
                                 is_exchanged(Exchange::AttributeNearest));
    }
}

ReferenceVector attribute(const FetchInput& input, u64 vertex, const GuestMemory& memory)
{
    if (input.source == FetchInput::Source::Fixed)
        return input.fixed;
    if (input.source != FetchInput::Source::Memory)
        return {0, 0, 0, is_exchanged(Exchange::UnloadedOne) ? 1.0f : 0.0f};
    constexpr u32 kBytes[] = {1, 1, 2, 4};
    ReferenceVector value = {0, 0, 0, 1};
    for (u32 i = 0; i < input.components; ++i)
        value[i] = element(input.type,
                           static_cast<PhysAddr>(input.address + vertex * input.stride +
                                                 i * kBytes[static_cast<u32>(input.type)]),
                           memory);
    return value;
}

// RGBA8 in tiles to rows of RGBA8 or RGB565, whole or halved in both directions.
bool is_plain(const DisplayTransfer& t)
{
    return !t.input_linear && !t.raw_copy && !t.flip_vertically && !t.crop && !t.block32 &&
           t.input_format == PixelFormat::RGBA8 && t.input_width == t.output_width &&
           (t.output_format == PixelFormat::RGBA8 || t.output_format == PixelFormat::RGB565) &&
           (t.scaling == TransferScaling::None || t.scaling == TransferScaling::HalveXY);
}

u32 channel_of(const GuestMemory& memory, const DisplayTransfer& t, u32 x, u32 y, u32 channel)
{
    return memory.read32(static_cast<PhysAddr>(t.input + tiled_offset(x, y, t.input_width, 4))) >>
               (8 * channel) &
           255;
}

void transfer_plainly(const DisplayTransfer& t, GuestMemory& memory)
{
    const u32 n = t.scaling == TransferScaling::None ? 1 : 2;
    const u32 width = t.output_width / n, height = t.output_height / n;
    const bool short_pixels = t.output_format == PixelFormat::RGB565;
    // n bits of a channel.
    const auto reduced = [](u32 value, u32 count)
    {
        return is_exchanged(Exchange::ConversionNearest) ? (value * ((1u << count) - 1) + 127) / 255
                                                         : value >> (8 - count);
    };
    const u32 rounding = is_exchanged(Exchange::AverageNearest) ? n * n / 2 : 0;
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
        {
            u32 c[4]; // A, B, G, R, as in memory
            for (u32 i = 0; i < 4; ++i)
            {
                u32 sum = 0;
                for (u32 k = 0; k < n * n; ++k)
                    sum += channel_of(memory, t, x * n + k % n, y * n + k / n, i);
                c[i] = (sum + rounding) / (n * n);
            }
            const u32 word = short_pixels ? reduced(c[3], 5) << 11 | reduced(c[2], 6) << 5 | reduced(c[1], 5)
                                          : c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24;
            const u32 bytes = short_pixels ? 2 : 4;
            u8* out = memory.span(static_cast<PhysAddr>(t.output + (y * width + x) * bytes), bytes).data();
            for (u32 i = 0; i < bytes; ++i)
                out[i] = static_cast<u8>(word >> (8 * i));
        }
    memory.did_write(t.output, width * height * (short_pixels ? 2 : 4));
}

// Of element i.
u64 vertex_number(const VertexSource& source, u32 i, const GuestMemory& memory)
{
    if (source.indexed == 0)
        return u64{source.first_vertex} + i;
    const PhysAddr address = source.index_address + (source.index16 != 0 ? 2 * i : i);
    const u32 word = memory.read32(address & ~3u) >> (8 * (address & 3));
    return source.index16 != 0 ? word & 0xFFFF : word & 0xFF;
}

} // namespace

void ReferenceCore::run_program(const Draw& draw)
{
    outputs_.clear();
    for (u32 i = 0; i < draw.source.count; ++i)
    {
        std::array<ReferenceVector, kRegisters> inputs;
        for (u32 n = 0; n < kRegisters; ++n)
            inputs[n] = attribute(draw.source.input[n], vertex_number(draw.source, i, memory()), memory());
        const auto outputs = reference_program(*draw.program, *draw.uniforms, inputs);
        outputs_.insert(outputs_.end(), outputs.begin(), outputs.end());
    }
}

// Positions once more, of lists of triangles that clipping and culling left as they were. Others keep their points.
void ReferenceCore::snap(const Draw& draw)
{
    if (draw.source.topology != Topology::TriangleList ||
        u32{stage_.triangle_count()} * 3 != draw.source.count)
        return;
    const auto snapped = [](f32 s)
    {
        return static_cast<s32>(is_exchanged(Exchange::SnapTruncated)  ? std::floor(s * 16)
                                : is_exchanged(Exchange::SnapTiesDown) ? std::ceil(s * 16 - 0.5f)
                                                                       : std::floor(s * 16 + 0.5f));
    };
    for (u32 i = 0; i < draw.source.count; ++i)
    {
        const auto position = [&](u32 axis)
        { return outputs_[i * kRegisters + draw.vertex.source[axis] / 4][draw.vertex.source[axis] % 4]; };
        const f32 iw = 1.0f / position(3), half = draw.geometry.half_width;
        const f32 x = static_cast<f32>(draw.geometry.viewport_x),
                  y = static_cast<f32>(draw.geometry.viewport_y);
        positions_[2 * i] =
            snapped(is_exchanged(Exchange::ViewportScaleFirst) ? position(0) * iw * half + (half + x)
                                                               : (position(0) * iw + 1) * half + x);
        positions_[2 * i + 1] = snapped((position(1) * iw + 1) * draw.geometry.half_height + y);
    }
}

Draw ReferenceCore::with_outputs(const Draw& original) const
{
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
    draw.source.indexed = 0;
    return draw;
}

void ReferenceCore::draw(const Draw& original)
{
    NoReport report;
    if (original.fragment.gas.accumulate != 0 || original.fragment.fog.mode == FogMode::Gas)
    {
        SoftwareOptions options;
        options.threads = 1;
        SoftwareCore(memory(), report, options).draw(original);
        return;
    }
    const bool own = original.geometry_unit.feed.enabled == 0 && reference_knows(*original.program);
    if (own)
        run_program(original);
    const Draw draw = own ? with_outputs(original) : original;
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
    stage_.run(draw, memory(), report);
    records_.resize(std::size_t{stage_.triangle_count()} * layout.words);
    positions_.resize(std::size_t{stage_.triangle_count()} * 6);
    stage_.emit(layout, records_.data(), positions_.data());
    if (!own)
        return reference_draw(draw, layout, records_, positions_, memory(), registers_);
    if (is_exchanged(Exchange::SnapTruncated) || is_exchanged(Exchange::SnapTiesDown) ||
        is_exchanged(Exchange::ViewportScaleFirst))
        snap(draw);
    reference_draw(draw, layout, records_, positions_, memory(), registers_);
}

void ReferenceCore::memory_fill(const MemoryFill& fill)
{
    NoReport report;
    execute(memory(), fill, report);
}

void ReferenceCore::display_transfer(const DisplayTransfer& transfer)
{
    if (is_plain(transfer))
        return transfer_plainly(transfer, memory());
    NoReport report;
    execute(memory(), transfer, report);
}

void ReferenceCore::texture_copy(const TextureCopy& copy)
{
    NoReport report;
    execute(memory(), copy, report);
}

} // namespace tests
