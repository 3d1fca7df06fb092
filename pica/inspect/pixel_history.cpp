// SPDX-License-Identifier: MIT
// Two passes: the list of operations tells which may have written the pixels, and from where; then the stream is played
// again, and the pixels are looked at before and after those operations.
#include "pica/inspect/pixel_history.h"

#include "pica/base/silent_report.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "pica/state/target_memory.h"
#include "pica/texture/format.h"
#include "pica/vertex/vertex_stage.h"

#include <algorithm>
#include <array>
#include <map>

namespace pica
{

namespace
{

bool contains(const ByteRange& range, PhysAddr address)
{
    return address >= range.begin && address - range.begin < range.size;
}

u32 read_place(Replay& replay, const PixelPlace& place)
{
    return read_place(replay.memory(), replay.core().planes(), place);
}

struct SurfaceView
{
    PhysAddr begin;
    u32 size;
    u32 bytes_per_pixel;
    bool depth;
};

// The buffer of the target that contains the address, and the pixel there.
std::optional<SurfacePixel> find_in_target(const RenderTarget& target, PhysAddr address, bool& depth)
{
    const SurfaceView views[2] = {
        {target.color_address, target.color_bytes(), bytes_per_pixel(target.color_format), false},
        {target.depth_address, target.has_depth ? target.depth_bytes() : 0,
         bytes_per_pixel(target.depth_format), true}};
    for (const SurfaceView& view : views)
    {
        if (!contains({view.begin, view.size}, address))
            continue;
        depth = view.depth;
        return pixel_at(address - view.begin, view.bytes_per_pixel, target.width, target.height,
                        target.block32 != 0);
    }
    return std::nullopt;
}

// Finds the operations.
class Tracer
{
public:
    Tracer(Replay& replay, std::size_t end) : replay_(replay), end_(end) {}

    PixelHistory trace(const PixelPlace& place)
    {
        history_ = {};
        history_.place = place;
        history_.scale = replay_.core().scale();
        open_ = {{place, end_}};
        // Each operation writes a pixel once, so this ends.
        for (std::size_t i = 0; i < open_.size(); ++i)
            trace_back(open_[i].place, open_[i].end);
        std::stable_sort(history_.events.begin(), history_.events.end(),
                         [](const PixelEvent& a, const PixelEvent& b) { return a.operation < b.operation; });
        return std::move(history_);
    }

private:
    struct Open
    {
        PixelPlace place;
        std::size_t end;
    };

    void trace_back(PixelPlace place, std::size_t end)
    {
        for (std::size_t number = end; number-- > 0;)
        {
            const bool is_start = std::visit([&](const auto& what) { return add(what, number, place); },
                                             replay_.operations()[number].what);
            if (is_start)
                return;
        }
    }

    PixelEvent& event(std::size_t number, const PixelPlace& place)
    {
        PixelEvent& event = history_.events.emplace_back();
        event.operation = number;
        event.place = place;
        return event;
    }

    // Each adds the operation if it writes the pixel. Returns true if nothing before it matters.
    bool add(const DrawnTarget& drawn, std::size_t number, const PixelPlace& place)
    {
        bool depth = false;
        const std::optional<SurfacePixel> pixel = find_in_target(drawn.target, place.address, depth);
        if (!pixel)
            return false;
        PixelEvent& draw = event(number, place);
        draw.target = drawn.target;
        draw.depth = depth;
        const u32 n = replay_.core().scale();
        const u32 row = pixel->row * n + place.plane / n;
        draw.x = pixel->x * n + place.plane % n;
        draw.y = drawn.target.flip != 0 ? drawn.target.height * n - 1u - row : row;
        return false;
    }
    bool add(const MemoryFill& fill, std::size_t number, const PixelPlace& place)
    {
        if (!contains(fill.output_range(), place.address))
            return false;
        (void)event(number, place);
        return true;
    }
    bool add(const ByteRange& written, std::size_t number, const PixelPlace& place)
    {
        if (!contains(written, place.address))
            return false;
        (void)event(number, place);
        // A large announcement may be larger than what was written, and planes stay where nothing was.
        return replay_.core().scale() == 1 || written.size < GuestMemory::kLargeAnnouncement;
    }
    bool add(const DisplayTransfer& transfer, std::size_t number, const PixelPlace& place)
    {
        const u32 n = replay_.core().scale();
        const bool of_planes = replay_.operations()[number].transfers_planes;
        std::vector<PixelPlace> sources =
            of_planes ? source_of(transfer, place, n) : source_of(transfer, {place.address, place.bytes});
        // Otherwise it reads guest memory, which is the plane in the middle.
        for (PixelPlace& source : sources)
            if (!of_planes)
                source.plane = n / 2 * n + n / 2;
        return add_move(transfer.input_range(), transfer.output_range(), std::move(sources), number, place);
    }
    bool add(const TextureCopy& copy, std::size_t number, const PixelPlace& place)
    {
        return add_move(copy.input_range(), copy.output_range(), source_of(copy, place), number, place);
    }
    bool add_move(const ByteRange& input, const ByteRange& output, std::vector<PixelPlace> sources,
                  std::size_t number, const PixelPlace& place)
    {
        const GuestMemory& memory = replay_.memory();
        const bool copies =
            !memory.span(input.begin, input.size).empty() && !memory.span(output.begin, output.size).empty();
        if (sources.empty() || !copies)
            return false;
        for (const PixelPlace& source : sources)
        {
            const bool known =
                std::any_of(open_.begin(), open_.end(),
                            [&](const Open& open) { return open.place == source && open.end == number; });
            if (!known)
                open_.push_back({source, number});
        }
        event(number, place).sources = std::move(sources);
        return true;
    }

    Replay& replay_;
    std::size_t end_;
    PixelHistory history_;
    std::vector<Open> open_;
};

// Looks at the pixels while the stream is played.
class Recorder final : public ReplayObserver
{
public:
    Recorder(Replay& replay, std::vector<PixelHistory>& histories, const FragmentVisitor& visit)
        : replay_(replay), visit_(visit), stage_(replay.core().scale())
    {
        for (PixelHistory& history : histories)
            for (PixelEvent& event : history.events)
                events_[event.operation].push_back(&event);
    }

    std::size_t first() const { return events_.begin()->first; }
    bool empty() const { return events_.empty(); }

    void before(std::size_t number, const Draw* draw) override
    {
        const auto found = events_.find(number);
        if (found == events_.end())
            return;
        for (PixelEvent* event : found->second)
        {
            event->before = read_place(replay_, event->place);
            for (const PixelPlace& source : event->sources)
                event->source_words.push_back(read_place(replay_, source));
        }
        if (draw)
            probe(*draw, found->second);
    }

    void after(std::size_t number, const Draw*) override
    {
        const auto found = events_.find(number);
        if (found == events_.end())
            return;
        for (PixelEvent* event : found->second)
        {
            event->after = read_place(replay_, event->place);
            if (replay_.operations()[number].is_draw())
                event->agrees = event->fragments.empty()
                                    ? event->after == event->before
                                    : event->after == last_word(event->fragments.back(), *event);
        }
    }

private:
    using Tile = std::array<u8, std::size_t{64} * 4>; // of the largest pixels

    // The part of the buffer's pixel that is the place, which may be a part of a larger pixel.
    static u32 last_word(const soft::FragmentTrace& fragment, const PixelEvent& event)
    {
        const u32 word = event.depth ? fragment.depth_after : fragment.color_after;
        const u32 bytes = event.depth ? bytes_per_pixel(event.target.depth_format)
                                      : bytes_per_pixel(event.target.color_format);
        const PhysAddr begin = event.depth ? event.target.depth_address : event.target.color_address;
        const u32 offset = (event.place.address - begin) % bytes;
        const u32 shown = word >> (8 * offset);
        const u32 known = event.place.bytes;
        return known < 4 ? shown & ((1u << (8 * known)) - 1) : shown;
    }

    void probe(const Draw& draw, const std::vector<PixelEvent*>& events)
    {
        GuestMemory& memory = replay_.memory();
        if (!target_in_memory(draw, memory, silent_))
            return;
        stage_.load(replay_.core().save_carryover());
        stage_.run(draw, memory, silent_);
        const u32 count = stage_.triangle_count();
        const soft::PixelPlan* plan = count != 0 ? replay_.core().plan(draw) : nullptr;
        if (!plan)
            return;
        const RecordLayout& layout = plan->layout;
        records_.resize(std::size_t{count} * layout.words);
        positions_.resize(std::size_t{count} * 6);
        stage_.emit(layout, records_.data(), positions_.data());
        for (PixelEvent* event : events)
        {
            const soft::TriangleList list{records_.data(), positions_.data(), layout.words};
            probe(draw, *plan, list, count, *event);
            if (event->fragments.empty())
                continue;
            event->key = draw.fragment;
            event->constants = draw.constants;
            event->output = draw.output;
            for (const soft::FragmentTrace& fragment : event->fragments)
                if (visit_)
                    visit_(draw, *event, fragment);
        }
    }

    // Into a tile that has what memory has of the pixel, so that the draw itself finds the pixel as it was.
    void probe(const Draw& draw, const soft::PixelPlan& plan, const soft::TriangleList& list, u32 count,
               PixelEvent& event)
    {
        const RenderTarget& target = draw.target;
        const u32 n = replay_.core().scale();
        const u32 row = target.flip != 0 ? target.height * n - 1u - event.y : event.y;
        soft::PixelPlan own = plan;
        own.block32 = false;
        own.first_tile = row / 8 * plan.tiles_per_row + event.x / 8;
        const s32 x = static_cast<s32>(event.x), y = static_cast<s32>(row);
        const u32 index = soft::probe_pixel_index(own, x, y);
        Tile color{}, depth{};
        const auto load = [&](Tile& tile, bool of_depth)
        {
            const PixelPlace place = target_place(target, event.x, event.y, of_depth, n);
            const u32 word = read_place(replay_, place);
            for (u32 i = 0; i < place.bytes; ++i)
                tile[std::size_t{index} * place.bytes + i] = static_cast<u8>(word >> (8 * i));
            return tile.data();
        };
        own.color = plan.color ? load(color, false) : nullptr;
        own.depth = plan.depth ? load(depth, true) : nullptr;
        event.fragments = soft::probe_pixel(draw, own, list, count, x, y);
    }

    Replay& replay_;
    const FragmentVisitor& visit_;
    SilentReport silent_;
    VertexStage stage_;
    std::vector<u32> records_;
    std::vector<s32> positions_;
    std::map<std::size_t, std::vector<PixelEvent*>> events_;
};

// A draw that has no triangle at the pixel is no part of its history.
bool is_elsewhere(const Replay& replay, const PixelEvent& event)
{
    return replay.operations()[event.operation].is_draw() && event.fragments.empty() && event.agrees;
}

} // namespace

std::vector<PixelHistory> trace_pixels(Replay& replay, std::span<const PixelPlace> places, u32 end_step,
                                       const FragmentVisitor& visit)
{
    const std::vector<ReplayOperation>& operations = replay.operations();
    std::size_t end = operations.size();
    while (end > 0 && operations[end - 1].step >= end_step)
        --end;
    Tracer tracer(replay, end);
    std::vector<PixelHistory> histories;
    for (const PixelPlace& place : places)
        histories.push_back(tracer.trace(place));
    Recorder recorder(replay, histories, visit);
    if (!recorder.empty())
    {
        replay.seek(operations[recorder.first()].step);
        replay.set_observer(&recorder);
        while (replay.position() < end_step && replay.step())
        {
        }
        replay.set_observer(nullptr);
    }
    replay.seek(end_step);
    for (PixelHistory& history : histories)
    {
        history.word = read_place(replay, history.place);
        std::erase_if(history.events, [&](const PixelEvent& event) { return is_elsewhere(replay, event); });
    }
    return histories;
}

} // namespace pica
