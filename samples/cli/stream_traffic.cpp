// SPDX-License-Identifier: MIT
#include "samples/cli/stream_traffic.h"

#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "pica/vertex/vertex_stage.h"

#include <algorithm>
#include <vector>

namespace samples
{

namespace
{

using pica::PixelRect;
using pica::s32;
using pica::s64;
using pica::u32;
using pica::u64;

struct Edge
{
    s64 a, b, c; // at least 0 in the pixels of the triangle
};

// The edge of a triangle record: its words, and its high word.
Edge load_edge(const pica::RecordLayout& layout, const u32* record, u32 word, u32 high)
{
    const s64 low =
        layout.wide != 0 ? s64(u64{record[high]} << 32 | record[word + 2]) : s64{s32(record[word + 2])};
    return {s32(record[word]), s32(record[word + 1]), low};
}

s64 floor_divide(s64 a, s64 positive)
{
    return a / positive - (a % positive < 0 ? 1 : 0);
}

// Leaves of [x1, x2) the pixels at which a * x + rest is at least 0.
void keep_inside(s64 a, s64 rest, s64& x1, s64& x2)
{
    if (a > 0)
        x1 = std::max(x1, -floor_divide(rest, a));
    else if (a < 0)
        x2 = std::min(x2, floor_divide(rest, -a) + 1);
    else if (rest < 0)
        x2 = x1;
}

class TrafficBackend final : public pica::NullBackend
{
public:
    TrafficBackend(pica::GuestMemory& memory, pica::Report& report) : NullBackend(memory), report_(report) {}

    void draw(const pica::Draw& draw) override
    {
        stage_.run(draw, memory(), report_);
        const pica::RecordLayout layout = record_layout(draw.fragment, draw.geometry, 1);
        const u32 count = stage_.triangle_count();
        records_.resize(std::max<std::size_t>(records_.size(), std::size_t{count} * layout.words));
        positions_.resize(std::max<std::size_t>(positions_.size(), std::size_t{count} * 6));
        stage_.emit(layout, records_.data(), positions_.data());
        const pica::RenderTarget& target = draw.target;
        const PixelRect rect = {std::max(draw.scissor.x1, 0), std::max(draw.scissor.y1, 0),
                                std::min(draw.scissor.x2, s32{target.width}),
                                std::min(draw.scissor.y2, s32{target.height})};
        u64 pixels = 0;
        for (u32 i = 0; i < count; ++i)
            pixels += covered_in(layout, records_.data() + std::size_t{i} * layout.words,
                                 positions_.data() + std::size_t{i} * 6, rect, draw);
        fragments += pixels;
        const u64 size = u64{target.width} * target.height;
        if (size != 0)
            bytes +=
                pixels * (target.color_bytes() + (target.has_depth != 0 ? target.depth_bytes() : 0)) / size;
    }
    void memory_fill(const pica::MemoryFill& fill) override { bytes += fill.output_range().size; }
    void display_transfer(const pica::DisplayTransfer& transfer) override
    {
        bytes += transfer.input_range().size + transfer.output_range().size;
    }
    void texture_copy(const pica::TextureCopy& copy) override { bytes += 2 * u64{copy.size}; }

    u64 fragments = 0;
    u64 bytes = 0;

private:
    // The triangle's pixels in the rectangle, less those in the one that scissor mode "exclude" leaves out.
    static u64 covered_in(const pica::RecordLayout& layout, const u32* record, const s32* position,
                          const PixelRect& rect, const pica::Draw& draw)
    {
        const auto [low_x, high_x] = std::minmax({position[0], position[2], position[4]});
        const auto [low_y, high_y] = std::minmax({position[1], position[3], position[5]});
        const PixelRect box = {std::max(rect.x1, low_x >> 4), std::max(rect.y1, low_y >> 4),
                               std::min(rect.x2, (high_x >> 4) + 1), std::min(rect.y2, (high_y >> 4) + 1)};
        const u64 all = samples::covered_pixels(layout, record, box);
        if (draw.fragment.scissor_exclude == 0)
            return all;
        const pica::FragmentConstants& k = draw.constants;
        return all - samples::covered_pixels(
                         layout, record,
                         {std::max(box.x1, s32{k.scissor_x1}), std::max(box.y1, s32{k.scissor_y1}),
                          std::min(box.x2, k.scissor_x2 + 1), std::min(box.y2, k.scissor_y2 + 1)});
    }

    pica::Report& report_;
    pica::VertexStage stage_;
    std::vector<u32> records_;
    std::vector<s32> positions_;
};

} // namespace

u64 covered_pixels(const pica::RecordLayout& layout, const u32* record, const PixelRect& rect)
{
    Edge edge[3] = {load_edge(layout, record, pica::kRecordEdge0, pica::kRecordHeader),
                    load_edge(layout, record, pica::kRecordEdge1, pica::kRecordHeader + 1),
                    {}};
    const s64 area = load_edge(layout, record, pica::kRecordArea - 2, pica::kRecordHeader + 2).c;
    edge[2] = {-(edge[0].a + edge[1].a), -(edge[0].b + edge[1].b), area - edge[0].c - edge[1].c};
    for (Edge& e : edge)
        e.c -= e.a > 0 || (e.a == 0 && e.b > 0) ? 0 : 1;
    u64 pixels = 0;
    for (s32 y = rect.y1; y < rect.y2; ++y)
    {
        s64 x1 = rect.x1, x2 = rect.x2;
        for (const Edge& e : edge)
            keep_inside(e.a, e.b * y + e.c, x1, x2);
        pixels += u64(std::max<s64>(x2 - x1, 0));
    }
    return pixels;
}

StreamTraffic measure_traffic(const pica::Trace& trace, pica::Report& report)
{
    pica::GuestArena arena(trace.memory());
    TrafficBackend backend(arena.memory(), report);
    pica::Gpu gpu(backend, report);
    pica::TracePlayer player(trace, gpu);
    while (player.step(pica::Step::Frame) != pica::StepResult::End)
    {
    }
    const double frames = std::max<double>(trace.frames(), 1.0);
    return {double(backend.fragments) / frames, double(backend.bytes) / frames};
}

} // namespace samples
