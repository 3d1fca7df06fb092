// SPDX-License-Identifier: MIT
// The history of pixels: its last value is the picture's, for random pixels of all bundled streams, and each step that
// it shows is what the scalar reference computes from the values of the step before. 10,000 pixels;
// fewer where builds are slow (PICAVK_SEED_SCALE), more with PICAVK_LONG=1. The same at N times the resolution, for
// pixels of the N x pictures.
#include "pica/inspect/pixel_history.h"

#include "pica/command/gpu.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/trace/trace.h"
#include "pica/transfer/scanout.h"
#include "tests/reference/fragment_check.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <utility>

using namespace pica;
using namespace tests;
using soft::FragmentTrace;

namespace
{

std::vector<std::filesystem::path> stream_files()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class Random
{
public:
    explicit Random(u32 seed) : engine_(seed) {}
    u32 below(u32 end) { return static_cast<u32>(engine_() % end); }

private:
    std::mt19937 engine_;
};

// The last event that wrote the place, and the events among themselves.
void check_chain(const PixelHistory& history, u32 shown)
{
    CHECK(history.word == shown);
    const PixelEvent* last = nullptr;
    for (const PixelEvent& event : history.events)
    {
        CHECK(event.agrees);
        if (event.place == history.place)
            last = &event;
    }
    if (last)
        CHECK(last->after == shown);
    else
        CHECK(shown == 0);
    // What one event left is what the next one finds.
    for (std::size_t i = 0; i < history.events.size(); ++i)
        for (std::size_t k = i; k-- > 0;)
            if (history.events[k].place == history.events[i].place)
            {
                CHECK((history.events[i].fragments.empty() ||
                       history.events[i].before == history.events[k].after));
                break;
            }
}

u32 word_at(Replay& replay, const PixelPlace& place)
{
    return read_place(replay.memory(), replay.core().planes(), place);
}

// A pixel of the colour or depth buffer of a random draw: most of them are on no screen.
void add_target_pixel(Replay& replay, u32 end, Random& random, std::vector<PixelPlace>& places,
                      std::vector<u32>& shown)
{
    const auto& operations = replay.operations();
    const ReplayOperation& operation = operations[random.below(static_cast<u32>(operations.size()))];
    if (!operation.is_draw() || operation.step >= end)
        return;
    const RenderTarget& target = std::get<DrawnTarget>(operation.what).target;
    const bool depth = target.has_depth != 0 && random.below(3) == 0;
    const u32 n = replay.core().scale();
    const u32 x = random.below(target.width * n), y = random.below(target.height * n);
    const PixelPlace place = target_place(target, x, y, depth, n);
    if (replay.memory().span(place.address, place.bytes).empty())
        return;
    places.push_back(place);
    shown.push_back(word_at(replay, place));
}

// A pixel that a random transfer or copy wrote; draws sample many of them, which no screen shows.
void add_moved_pixel(Replay& replay, u32 end, Random& random, std::vector<PixelPlace>& places,
                     std::vector<u32>& shown)
{
    std::vector<const ReplayOperation*> moves;
    for (const ReplayOperation& operation : replay.operations())
        if (operation.step < end && (std::holds_alternative<DisplayTransfer>(operation.what) ||
                                     std::holds_alternative<TextureCopy>(operation.what)))
            moves.push_back(&operation);
    if (moves.empty())
        return;
    const ReplayWork& what = moves[random.below(static_cast<u32>(moves.size()))]->what;
    const auto* const transfer = std::get_if<DisplayTransfer>(&what);
    const ByteRange range = transfer ? transfer->output_range() : std::get<TextureCopy>(what).output_range();
    const u32 bytes = transfer ? bytes_per_pixel(transfer->output_format) : 4;
    if (range.size < bytes)
        return;
    const u32 n = replay.core().scale();
    const PixelPlace place{range.begin + random.below(static_cast<u32>(range.size) / bytes) * bytes, bytes,
                           random.below(n * n)};
    if (replay.memory().span(place.address, place.bytes).empty())
        return;
    places.push_back(place);
    shown.push_back(word_at(replay, place));
}

void check_stream(const Trace& trace, u32 scale, u32 pixels, Random& random, SeenValues& seen)
{
    KeptReport report;
    ReplayOptions options;
    options.scale = scale;
    const auto created = Replay::create(trace, report, options);
    REQUIRE(created);
    Replay& replay = **created;
    const u32 frame = random.below(trace.frames());
    const std::optional<u32> end = replay.frame_end(frame);
    REQUIRE(end);
    replay.seek(*end);
    std::vector<PixelPlace> places;
    std::vector<u32> shown;
    for (const Screen screen : {Screen::Top, Screen::Bottom})
    {
        const ScreenConfig config = decode_screen(replay.gpu().external(), screen);
        const u32 width = config.width * scale, height = kScreenHeight * scale;
        std::vector<u32> picture(std::size_t{width} * height);
        replay.core().scan_out(config, picture.data(), report);
        for (u32 i = 0; i < pixels / 2; ++i)
        {
            const u32 x = random.below(width), y = random.below(height);
            const std::optional<PixelPlace> place = screen_place(config, x, y, scale);
            if (!place)
                continue;
            places.push_back(*place);
            // The word whose colour the picture has.
            REQUIRE(replay.memory().span(place->address, place->bytes).size() == place->bytes);
            u8 bytes[4];
            store_le<4>(bytes, word_at(replay, *place));
            CHECK((unpack_pixel(config.format, bytes) | 0xFF000000) == picture[std::size_t{y} * width + x]);
            shown.push_back(word_at(replay, *place));
        }
    }
    for (u32 i = 0; i < pixels; ++i)
        add_target_pixel(replay, *end, random, places, shown);
    for (u32 i = 0; scale > 1 && i < pixels; ++i)
        add_moved_pixel(replay, *end, random, places, shown);
    const auto visit = [&](const Draw& draw, const PixelEvent&, const FragmentTrace& fragment)
    {
        FragmentCheck(replay.gpu().processor().registers(), replay.memory(), replay.core().planes(), seen)
            .check(draw, fragment);
    };
    const std::vector<PixelHistory> histories = trace_pixels(replay, places, *end, visit);
    REQUIRE(histories.size() == places.size());
    CHECK(replay.position() == *end);
    for (std::size_t i = 0; i < histories.size(); ++i)
    {
        ++seen.pixels;
        check_chain(histories[i], shown[i]);
        for (const PixelEvent& event : histories[i].events)
        {
            const ReplayOperation& operation = replay.operations()[event.operation];
            seen.transfers += !event.sources.empty();
            seen.fills += std::holds_alternative<MemoryFill>(operation.what);
            seen.scaled_transfers += operation.transfers_planes;
            seen.scaled_filters += operation.transfers_planes && event.sources.size() > 1;
            seen.other_transfers += scale > 1 && !operation.transfers_planes &&
                                    std::holds_alternative<DisplayTransfer>(operation.what);
        }
    }
}

} // namespace

TEST_CASE("pixel history: the last value is the picture's, and every step is the scalar reference's")
{
    const bool is_long = std::getenv("PICAVK_LONG") != nullptr;
    const bool is_slow = std::getenv("PICAVK_SEED_SCALE") != nullptr && !is_long;
    Random random(20);
    SeenValues seen;
    const auto files = stream_files();
    REQUIRE(files.size() > 30);
    for (const auto& file : files)
    {
        CAPTURE(file.string());
        const Result<Trace> trace = Trace::load(file.string());
        REQUIRE(trace);
        check_stream(*trace, 1, is_slow ? 60 : is_long ? 300 : 200, random, seen);
    }
    MESSAGE(seen.pixels << " pixels, " << seen.fragments << " fragments");
    CHECK(seen.pixels >= (is_slow ? 2000u : 10000u));
    CHECK(seen.fragments > seen.pixels / 2);
    for (const u32 count : {seen.textures, seen.combiners, seen.blended, seen.failed_tests, seen.lit,
                            seen.fogged, seen.transfers, seen.fills, seen.procedural, seen.mipmapped,
                            seen.logic, seen.stencils, seen.special, seen.tables})
        CHECK(count > 0);
}

TEST_CASE("pixel history: above 1x, it is that of a pixel of the N x picture")
{
    const bool is_long = std::getenv("PICAVK_LONG") != nullptr;
    Random random(21);
    SeenValues seen;
    // They draw, sample what was drawn, and transfer it with all kinds of filters. All streams with PICAVK_LONG=1.
    const std::set<std::pair<std::string, u32>> chosen = {
        {"s_2d_sprites", 3}, {"s_shadow", 2},  {"t_gas", 3},       {"t_stencil", 2},
        {"t_targets", 2},    {"t_targets", 3}, {"t_transfers", 2}, {"t_transfers", 3}};
    for (const auto& file : stream_files())
        for (const u32 scale : {2u, 3u})
        {
            if (!is_long && !chosen.contains({file.stem().string(), scale}))
                continue;
            CAPTURE(file.string());
            CAPTURE(scale);
            const Result<Trace> trace = Trace::load(file.string());
            REQUIRE(trace);
            check_stream(*trace, scale, is_long ? 200 : 40, random, seen);
        }
    MESSAGE(seen.pixels << " pixels, " << seen.fragments << " fragments, " << seen.scaled_textures
                        << " textures of N x texels");
    CHECK(seen.fragments > seen.pixels / 2);
    CHECK(seen.textures > seen.scaled_textures);
    CHECK(seen.scaled_transfers > seen.scaled_filters);
    for (const u32 count : {seen.blended, seen.failed_tests, seen.fills, seen.stencils, seen.special,
                            seen.scaled_textures, seen.scaled_filters, seen.other_transfers})
        CHECK(count > 0);
}
