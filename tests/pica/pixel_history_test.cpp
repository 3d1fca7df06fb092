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
#include "pica/texture/texel.h"
#include "pica/trace/trace.h"
#include "pica/transfer/scanout.h"
#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"
#include "tests/reference/reference_lighting.h"
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_proctex.h"
#include "tests/reference/reference_texture.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

using namespace pica;
using namespace tests;
using soft::FragmentTrace;
using soft::TestResult;
using soft::TextureTrace;

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

u32 channel(u32 rgba, u32 c)
{
    return rgba >> (8 * c) & 255;
}

class Random
{
public:
    explicit Random(u32 seed) : engine_(seed) {}
    u32 below(u32 end) { return static_cast<u32>(engine_() % end); }

private:
    std::mt19937 engine_;
};

// What was seen, so that the test cannot pass by looking at nothing.
struct Seen
{
    u32 pixels = 0, fragments = 0, textures = 0, combiners = 0, blended = 0, failed_tests = 0, lit = 0,
        fogged = 0;
    u32 transfers = 0, fills = 0, procedural = 0, mipmapped = 0, logic = 0, stencils = 0, special = 0,
        tables = 0;
    // Above 1x: textures of N x texels, and transfers of N x pictures, also ones that halve.
    u32 scaled_textures = 0, scaled_transfers = 0, scaled_filters = 0, other_transfers = 0;
};

// Compares each value of a fragment with the scalar reference.
class FragmentCheck
{
public:
    // planes: null at 1x.
    FragmentCheck(const RegisterFile& registers, GuestMemory& memory, const PlaneMemory* planes, Seen& seen)
        : registers_(registers), memory_(memory), planes_(planes), seen_(seen)
    {
    }

    void check(const Draw& draw, const FragmentTrace& fragment)
    {
        ++seen_.fragments;
        if (draw.fragment.output != OutputClass::None || draw.fragment.alpha_func != CompareFunc::Always)
            shading(draw, fragment);
        const bool ordinary =
            draw.fragment.gas.accumulate == 0 && draw.fragment.shadow_map == DepthMode::None;
        if (ordinary)
            tests_and_blending(draw, fragment);
        else if (++seen_.special)
            CHECK(fragment.depth_after == fragment.depth_before);
    }

private:
    void shading(const Draw& draw, const FragmentTrace& fragment)
    {
        tests::CombinerInputs inputs;
        inputs.primary = fragment.primary_color;
        for (const TextureTrace& texture : fragment.textures)
        {
            inputs.texture[texture.unit] = texture.result;
            texture_unit(draw, texture);
        }
        for (u32 unit = 0; unit < 3; ++unit)
            if (draw.fragment.texture[unit].enabled() && draw.fragment.texture[unit].null_address)
                inputs.texture[unit] = 0xFF000000;
        if (fragment.procedural)
        {
            ++seen_.procedural;
            inputs.texture[3] = fragment.procedural->result;
            const u32 expected =
                reference_proctex(draw.fragment.proctex, draw.constants.proctex, *draw.luts,
                                  fragment.procedural->u, fragment.procedural->v, fragment.procedural->lod);
            CHECK(fragment.procedural->result == expected);
        }
        if (draw.fragment.lighting.lights != 0)
        {
            ++seen_.lit;
            LitFragment lit{fragment.quaternion, fragment.view, {}};
            std::copy_n(inputs.texture, 4, lit.texture.begin());
            std::vector<LitRead> reads;
            const LitColors colors = reference_lighting(registers_, *draw.luts, lit, &reads);
            for (const soft::LightingRead& read : fragment.lighting_reads)
            {
                ++seen_.tables;
                CHECK(std::count(reads.begin(), reads.end(),
                                 LitRead{read.slot, read.number, read.x, read.index, read.value}) > 0);
            }
            if (draw.fragment.lighting.primary)
                CHECK(fragment.fragment_primary == colors.primary);
            if (draw.fragment.lighting.secondary)
                CHECK(fragment.fragment_secondary == colors.secondary);
        }
        inputs.light[0] = fragment.fragment_primary;
        inputs.light[1] = fragment.fragment_secondary;
        combiners(draw, fragment, inputs);
        if (draw.fragment.fog.mode == FogMode::Fog)
        {
            ++seen_.fogged;
            CHECK(fragment.fogged == reference_fog(*draw.luts, draw.fragment.fog.flip != 0,
                                                   draw.constants.fog_color, fragment.window_depth,
                                                   fragment.combined));
        }
        else if (draw.fragment.fog.mode == FogMode::None)
            CHECK(fragment.fogged == fragment.combined);
    }

    void texture_unit(const Draw& draw, const TextureTrace& texture)
    {
        ++seen_.textures;
        seen_.mipmapped += texture.has_lod;
        if (planes_ && scaled_units(planes_->tracker(), memory_, draw, planes_->scale())[texture.unit])
            scaled_texels(draw, texture);
        else
        {
            const ReferenceTexture reference(draw, texture.unit, memory_);
            CHECK(texture.result == reference.sample({texture.u, texture.v, texture.q}, texture.lod));
        }
        // The texels that are shown make the result.
        const TextureType type = draw.fragment.texture[texture.unit].type;
        if (type == TextureType::Shadow2D || type == TextureType::ShadowCube)
            return;
        u32 filtered[2] = {};
        for (std::size_t i = 0; i < texture.levels.size(); ++i)
        {
            const soft::TextureLevelTrace& level = texture.levels[i];
            const u32 fx = level.fraction_s, fy = level.fraction_t;
            for (u32 c = 0; c < 4; ++c)
            {
                u32 value = channel(level.tap[0].texel, c);
                if (level.tap_count == 4)
                    value =
                        (value * (256 - fx) * (256 - fy) + channel(level.tap[1].texel, c) * fx * (256 - fy) +
                         channel(level.tap[2].texel, c) * (256 - fx) * fy +
                         channel(level.tap[3].texel, c) * fx * fy + 0x8000) >>
                        16;
                filtered[i] |= value << (8 * c);
            }
        }
        u32 mixed = filtered[0];
        if (texture.levels.size() == 2)
        {
            mixed = 0;
            const u32 g = texture.level_fraction;
            for (u32 c = 0; c < 4; ++c)
                mixed |= ((channel(filtered[0], c) * (256 - g) + channel(filtered[1], c) * g + 128) >> 8)
                         << (8 * c);
        }
        CHECK(texture.result == mixed);
    }

    // The texels that are shown are those of their planes. Decoding is slow, so not all are looked at.
    void scaled_texels(const Draw& draw, const TextureTrace& texture)
    {
        constexpr u32 kMost = 300;
        if (++seen_.scaled_textures > kMost)
            return;
        const TextureBinding& binding = draw.texture[texture.unit];
        const PhysAddr address =
            draw.fragment.texture[texture.unit].is_cube() ? draw.cube_faces[texture.face] : binding.address;
        const u32 n = planes_->scale();
        for (const soft::TextureLevelTrace& level : texture.levels)
            for (u32 i = 0; i < level.tap_count; ++i)
            {
                const soft::TexelTap& tap = level.tap[i];
                if (tap.border)
                    continue;
                const u32 width = level_dimension(binding.width, level.level);
                const u32 height = level_dimension(binding.height, level.level);
                const u32 s = static_cast<u32>(tap.s), row = height * n - 1 - static_cast<u32>(tap.t);
                REQUIRE(s < width * n);
                REQUIRE(row < height * n);
                std::vector<u8> bytes(static_cast<std::size_t>(level_size(binding.format, width, height)));
                planes_->load(row % n * n + s % n,
                              address + static_cast<u32>(level_offset(binding.format, binding.width,
                                                                      binding.height, level.level)),
                              bytes);
                std::vector<u32> texels(std::size_t{width} * height);
                decode_texture(bytes, binding.format, width, height, texels.data());
                CHECK(tap.texel == texels[std::size_t{height - 1 - row / n} * width + s / n]);
            }
    }

    void combiners(const Draw& draw, const FragmentTrace& fragment, const tests::CombinerInputs& inputs)
    {
        for (u32 number = 0; number < 6; ++number)
        {
            ++seen_.combiners;
            FragmentKey key = draw.fragment;
            for (u32 i = number + 1; i < 6; ++i)
            {
                key.texenv[i] = {};
                key.texenv[i].color_source[0] = key.texenv[i].alpha_source[0] = CombinerSource::Previous;
            }
            const soft::CombinerTrace& stage = fragment.stages[number];
            CHECK(stage.result == reference_texenv(key, draw.constants, inputs));
            stage_from_operands(draw.fragment.texenv[number], stage);
        }
        CHECK(fragment.combined == reference_texenv(draw.fragment, draw.constants, inputs));
        CHECK(fragment.combined == fragment.stages[5].result);
    }

    // The operands that are shown make the result.
    static void stage_from_operands(const TexEnvStageKey& key, const soft::CombinerTrace& stage)
    {
        if (key.color_op == CombinerOp::Dot3Rgb || key.color_op == CombinerOp::Dot3Rgba)
            return;
        for (u32 c = 0; c < 4; ++c)
        {
            const auto operand = [&](u32 slot) { return static_cast<s32>(channel(stage.operand[slot], c)); };
            const s32 value =
                reference_combine(c < 3 ? key.color_op : key.alpha_op, operand(0), operand(1), operand(2));
            const s32 scaled = std::min(value << (c < 3 ? key.color_shift : key.alpha_shift), 255);
            CHECK(channel(stage.result, c) == static_cast<u32>(scaled));
        }
    }

    void tests_and_blending(const Draw& draw, const FragmentTrace& fragment)
    {
        const auto expected = [](bool pass) { return pass ? TestResult::Passed : TestResult::Failed; };
        bool alive = fragment.scissor == TestResult::Passed;
        if (fragment.alpha != TestResult::Off)
        {
            CHECK(fragment.alpha ==
                  expected(reference_compare(draw.fragment.alpha_func, fragment.fogged >> 24,
                                             draw.constants.alpha_reference)));
            alive = alive && fragment.alpha == TestResult::Passed;
        }
        else
            CHECK((draw.fragment.alpha_func == CompareFunc::Always || !alive));
        const soft::DepthStencilTrace& depth = fragment.depth_stencil;
        const u32 mask = draw.constants.stencil_compare_mask;
        if (depth.stencil != TestResult::Off)
            CHECK(depth.stencil == expected(reference_compare(draw.output.stencil_func,
                                                              draw.constants.stencil_reference & mask,
                                                              depth.stored_stencil & mask)));
        if (depth.depth != TestResult::Off)
            CHECK(depth.depth ==
                  expected(reference_compare(draw.output.depth_func, depth.code, depth.stored_depth)));
        if (depth.stencil != TestResult::Off)
        {
            ++seen_.stencils;
            const StencilOp op = depth.stencil == TestResult::Failed ? draw.output.stencil_fail
                                 : depth.depth == TestResult::Failed ? draw.output.stencil_depth_fail
                                                                     : draw.output.stencil_pass;
            const u32 result = reference_stencil(op, depth.stored_stencil, draw.constants.stencil_reference);
            const u32 write = draw.constants.stencil_write_mask;
            CHECK(depth.written_stencil == ((result & write) | (depth.stored_stencil & ~write)));
        }
        const bool failed = depth.stencil == TestResult::Failed || depth.depth == TestResult::Failed;
        seen_.failed_tests += failed || !alive;
        alive = alive && !failed;
        if (alive && draw.output.depth_write && draw.target.has_depth)
            CHECK(depth.written_depth == depth.code);
        if (!alive)
            CHECK(fragment.color_after == fragment.color_before);
        CHECK(fragment.writes_color == (alive && draw.fragment.output != OutputClass::None));
        if (fragment.writes_color)
            blending(draw, fragment);
    }

    void blending(const Draw& draw, const FragmentTrace& fragment)
    {
        const BlendState& state = draw.output.blend;
        const ColorFormat format = draw.target.color_format;
        u8 bytes[4];
        for (u32 i = 0; i < 4; ++i)
            bytes[i] = static_cast<u8>(fragment.color_before >> (8 * i));
        const u32 destination = state.read_destination ? unpack_pixel(format, bytes) : 0;
        CHECK(fragment.blend.source == fragment.fogged);
        CHECK(fragment.blend.destination == destination);
        const bool blends = draw.fragment.output != OutputClass::Opaque;
        if (blends && !state.logic)
        {
            ++seen_.blended;
            CHECK(fragment.blend.result ==
                  reference_blend(state, fragment.fogged, destination, draw.constants.blend_color));
        }
        else if (!blends)
            CHECK(fragment.blend.result == fragment.fogged);
        else
            ++seen_.logic;
        u32 mask = 0;
        for (u32 c = 0; c < 4; ++c)
            mask |= (state.color_mask >> c & 1u) * (255u << (8 * c));
        u8 packed[4] = {};
        pack_pixel(format, packed, (fragment.blend.result & mask) | (destination & ~mask));
        u32 word = 0;
        for (u32 i = 0; i < bytes_per_pixel(format); ++i)
            word |= u32{packed[i]} << (8 * i);
        CHECK(fragment.color_after == word);
    }

    const RegisterFile& registers_;
    GuestMemory& memory_;
    const PlaneMemory* planes_;
    Seen& seen_;
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

void check_stream(const Trace& trace, u32 scale, u32 pixels, Random& random, Seen& seen)
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
    Seen seen;
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
    Seen seen;
    // They draw, sample what was drawn, and transfer it with all kinds of filters; more with PICAVK_LONG=1.
    const std::vector<std::string> names = {"s_2d_sprites", "s_shadow",  "t_gas",
                                            "t_stencil",    "t_targets", "t_transfers"};
    for (const auto& file : stream_files())
        for (const u32 scale : {2u, 3u})
        {
            if (!is_long && std::find(names.begin(), names.end(), file.stem()) == names.end())
                continue;
            CAPTURE(file.string());
            CAPTURE(scale);
            const Result<Trace> trace = Trace::load(file.string());
            REQUIRE(trace);
            check_stream(*trace, scale, is_long ? 200 : 50, random, seen);
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
