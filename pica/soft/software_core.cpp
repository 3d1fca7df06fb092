// SPDX-License-Identifier: MIT
#include "pica/soft/software_core.h"

#include "pica/base/silent_report.h"
#include "pica/soft/draws_in_flight.h"
#include "pica/soft/pixel_counter.h"
#include "pica/soft/raster.h"
#include "pica/soft/reads_in_flight.h"
#include "pica/soft/scaled_draws.h"
#include "pica/soft/texture_cache.h"
#include "pica/state/carryover.h"
#include "pica/state/draw.h"
#include "pica/state/target_memory.h"
#include "pica/texture/format.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "pica/upscale/scaled_engines.h"
#include "pica/upscale/scaled_scanout.h"
#include "pica/vertex/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <thread>
#include <utility>

namespace pica
{

using namespace soft;

namespace
{

// Number of triangles that are set up and rasterised together, so that their triangle records stay in the
// second-level cache.
constexpr u32 kChunk = 8192;
// Tables that the guest has replaced, of 2 KiB each, and that draws in flight may read.
constexpr std::size_t kMostReplacedTables = 256;
// That one thread sets up at a time: some 10 microseconds.
constexpr u32 kTrianglesPerPart = 256;

// Everything that a pixel plan depends on.
struct PlanKey
{
    FragmentKey fragment;
    OutputState output;
    FragmentConstants constants;
    RenderTarget target;
    PixelRect scissor;
    RecordLayout layout;

    bool operator==(const PlanKey&) const = default;
};

} // namespace

struct SoftwareCore::Impl
{
    Impl(GuestMemory& memory, const SoftwareOptions& options)
        : threads(options.threads != 0 ? options.threads : std::max(std::thread::hardware_concurrency(), 1u)),
          raster(choose_raster(options.kernel)),
          scale(std::clamp(options.scale, 1u, SoftwareOptions::kMaxScale)),
          finishes_each_draw(!options.keeps_draws_in_flight || scale > 1), stage(scale),
          in_flight({.raster = raster, .threads = threads, .finishes_each_draw = finishes_each_draw})
    {
        if (scale > 1)
            scaled = std::make_unique<ScaledDraws>(memory, scale);
    }

    void finish();
    void begin_draw(const Draw& draw, const GuestMemory& memory);
    bool prepare(const Draw& draw, const RecordLayout& layout, GuestMemory& memory);
    void draw_chunk(const Draw& draw, const VertexStage& from, u32 first, u32 count);
    void draw_scaled_chunk(const VertexStage& from, u32 first, u32 count);
    void touched(s32 begin, s32 end);

    u32 threads;
    RasterFunction raster;
    u32 scale;
    bool finishes_each_draw;
    VertexStage stage;
    std::unique_ptr<ScaledDraws> scaled;   // above 1x only
    std::unique_ptr<PixelCounter> counter; // made for the first draw that is counted
    TextureCache textures;
    DecodedLuts luts;
    SoftwareStatistics statistics;

    PlanKey plan_key;
    bool plan_valid = false; // plan belongs to plan_key
    bool plan_draws = false; // the draw can change something
    PixelPlan plan;
    // Memory rows that may have changed.
    s32 row_begin = 0;
    s32 row_end = 0;

    // Above 1x only.
    std::vector<u32> records;
    std::vector<s32> positions;

    DrawsInFlight in_flight; // the last member: what it draws reads the others
};

void SoftwareCore::Impl::finish()
{
    in_flight.finish();
    luts.release();
}

// Makes sure that nothing in flight reads what preparing the draw drops or decodes anew.
void SoftwareCore::Impl::begin_draw(const Draw& draw, const GuestMemory& memory)
{
    if (in_flight.is_idle())
        luts.release();
    else if (textures.is_full() || luts.replaced() >= kMostReplacedTables ||
             reads_textures_in_flight(draw, in_flight, memory))
        finish();
    textures.begin_draw();
}

bool SoftwareCore::Impl::prepare(const Draw& draw, const RecordLayout& layout, GuestMemory& memory)
{
    const PlanKey key{draw.fragment, draw.output, draw.constants, draw.target, draw.scissor, layout};
    if (!plan_valid || !(key == plan_key))
    {
        plan_key = key;
        plan_valid = true;
        plan_draws = make_pixel_plan(draw, layout, scale, plan);
    }
    if (!plan_draws)
        return false;
    begin_draw(draw, memory);
    const RenderTarget& target = draw.target;
    const bool color = draw.fragment.output != OutputClass::None;
    if (scaled)
        scaled->begin(draw);
    plan.color = color ? memory.span(target.color_address, target.color_bytes()).data() : nullptr;
    plan.depth = target.has_depth ? memory.span(target.depth_address, target.depth_bytes()).data() : nullptr;
    if (const ProcTexKey& proctex = plan.proctex.key; proctex.enabled)
    {
        if (!proctex.alpha_only)
        {
            plan.proctex.rgb_map = luts.get(*draw.luts, LutTable::ProcTexRgbMap);
            plan.proctex.color = luts.get(*draw.luts, LutTable::ProcTexColor);
        }
        if (proctex.noise)
            plan.proctex.noise = luts.get(*draw.luts, LutTable::ProcTexNoise);
        if (proctex.separate_alpha)
            plan.proctex.alpha_map = luts.get(*draw.luts, LutTable::ProcTexAlphaMap);
    }
    if (plan.gas.shade)
        plan.gas.table = luts.get(*draw.luts, LutTable::Gas);
    if (plan.gas.accumulate)
        plan.gas.depth = scaled ? scaled->gas_depth(draw) : textures.get(draw.gas_depth, memory, &in_flight);
    if (plan.fog.enabled)
        plan.fog.table = luts.get(*draw.luts, LutTable::Fog);
    if (plan.lit)
        make_lighting_plan(draw.fragment, draw.lighting, *draw.luts, luts, plan.lighting);
    for (u32 unit = 0; unit < 3; ++unit)
    {
        TexturePlan& texture = plan.texture[unit];
        if (!texture.enabled)
            continue;
        texture.scaled = scaled && scaled->bind_texture(draw, unit, texture);
        if (texture.scaled)
            continue;
        const TextureBinding& binding = draw.texture[unit];
        texture.texels = textures.get(binding, memory, &in_flight);
        if (draw.fragment.texture[unit].is_cube())
            for (u32 face = 0; face < 6; ++face)
            {
                TextureBinding of_face = binding;
                of_face.address = draw.cube_faces[face];
                texture.face_texels[face] = textures.get(of_face, memory, &in_flight);
            }
        texture.width = binding.width;
        texture.height = binding.height;
        texture.width_log2 = static_cast<u32>(std::bit_width(u32{binding.width})) - 1;
        s32 begin = 0;
        for (u32 level = 0; level < binding.levels; ++level)
        {
            texture.level_texels[level] = begin;
            begin += (binding.width >> level) * (binding.height >> level);
        }
    }
    return true;
}

void SoftwareCore::Impl::touched(s32 begin, s32 end)
{
    row_begin = std::min(row_begin, begin);
    row_end = std::max(row_end, end);
}

void SoftwareCore::Impl::draw_chunk(const Draw& draw, const VertexStage& from, u32 first, u32 count)
{
    const DrawsInFlight::Room room = in_flight.reserve(draw.target, plan.layout, count);
    share_parts(&in_flight, (count + kTrianglesPerPart - 1) / kTrianglesPerPart, false,
                [&](u32 part, u32)
                {
                    const u32 begin = part * kTrianglesPerPart;
                    from.emit(plan.layout, first + begin, std::min(count - begin, kTrianglesPerPart),
                              room.records + std::size_t{begin} * plan.layout.words,
                              room.positions + std::size_t{begin} * 6);
                });
    const DrawsInFlight::Rows rows = in_flight.add(plan);
    touched(rows.begin, rows.end);
}

void SoftwareCore::Impl::draw_scaled_chunk(const VertexStage& from, u32 first, u32 count)
{
    const RecordLayout& layout = plan.layout;
    records.resize(std::max(records.size(), static_cast<std::size_t>(count) * layout.words));
    positions.resize(std::max(positions.size(), static_cast<std::size_t>(count) * 6));
    from.emit(layout, first, count, records.data(), positions.data());
    const TriangleList list{records.data(), positions.data(), layout.words};

    s64 pixels = 0;
    s32 top = plan.height;
    s32 bottom = 0;
    for (u32 i = 0; i < count; ++i)
    {
        const PixelRect r = triangle_bounds(plan, positions.data() + 6 * i);
        if (r.x1 >= r.x2 || r.y1 >= r.y2)
            continue;
        pixels += about_covered(r);
        top = std::min(top, r.y1);
        bottom = std::max(bottom, r.y2);
    }
    if (top >= bottom)
        return;
    touched(top, bottom);
    scaled->draw(plan, raster, list, count,
                 pixels >= DrawsInFlight::kPixelsWorthThreads ? &in_flight : nullptr);
}

SoftwareCore::SoftwareCore(GuestMemory& memory, Report& report, const SoftwareOptions& options)
    : memory_(memory), report_(report), impl_(std::make_unique<Impl>(memory, options))
{
}

SoftwareCore::~SoftwareCore() = default;

void SoftwareCore::draw(const Draw& draw)
{
    Impl& impl = *impl_;
    if (reads_vertices_in_flight(draw, impl.in_flight, memory_))
        impl.finish();
    ++impl.statistics.draws;
    // Also for draws that draw nothing, because vertices may stay pending for the next draw.
    impl.stage.run(draw, memory_, report_, &impl.in_flight);
    impl.statistics.vertices += impl.stage.shaded_vertices();
    const u32 triangles = impl.stage.triangle_count();
    impl.statistics.triangles += triangles;
    if (triangles != 0 && target_in_memory(draw, memory_, report_))
        rasterise(draw, impl.stage);
    else if (SilentReport silent; impl.scaled && target_in_memory(draw, memory_, silent))
        impl.scaled->give_target(draw);
}

void SoftwareCore::rasterise(const Draw& draw, const VertexStage& stage)
{
    Impl& impl = *impl_;
    const u32 triangles = stage.triangle_count();
    const RecordLayout layout = record_layout(draw.fragment, draw.geometry, impl.scale);
    const bool draws = impl.prepare(draw, layout, memory_);
    if (impl.scaled)
        impl.scaled->give_target(draw);
    if (!draws)
        return;
    impl.row_begin = impl.plan.height;
    impl.row_end = 0;
    try
    {
        for (u32 first = 0; first < triangles; first += kChunk)
        {
            const u32 count = std::min(triangles - first, kChunk);
            if (impl.scaled)
                impl.draw_scaled_chunk(stage, first, count);
            else
                impl.draw_chunk(draw, stage, first, count);
        }
    }
    catch (...)
    {
        mark_written(draw.target); // what came before may be in flight
        throw;
    }
    if (impl.finishes_each_draw)
        impl.finish();
    mark_written(draw.target);
}

// Tells caches of the rows that the draw has touched.
void SoftwareCore::mark_written(const RenderTarget& target)
{
    const Impl& impl = *impl_;
    if (impl.row_begin >= impl.row_end)
        return;
    // Whole rows of blocks, in the order of memory.
    const u32 last = target.unit() - 1;
    const u32 first_row = static_cast<u32>(impl.row_begin) / impl.scale & ~last;
    const u32 end_row = (static_cast<u32>(impl.row_end) + impl.scale - 1) / impl.scale;
    const auto wrote = [&](PhysAddr address, u32 size, u32 pixel_bytes)
    {
        const u32 begin = first_row * target.width * pixel_bytes;
        const u32 end = std::min(((end_row + last) & ~last) * target.width * pixel_bytes, size);
        memory_.did_write(address + begin, end - begin);
    };
    if (impl.plan.blend.kind != BlendPlan::Kind::None)
        wrote(target.color_address, target.color_bytes(), bytes_per_pixel(target.color_format));
    if (impl.plan.depth_stencil.write || impl.plan.depth_stencil.stencil)
        wrote(target.depth_address, target.depth_bytes(), bytes_per_pixel(target.depth_format));
}

const PixelPlan* SoftwareCore::plan(const Draw& draw)
{
    Impl& impl = *impl_;
    impl.finish();
    return impl.prepare(draw, record_layout(draw.fragment, draw.geometry, impl.scale), memory_) ? &impl.plan
                                                                                                : nullptr;
}

void SoftwareCore::will_read(PhysAddr address, u32 size)
{
    if (impl_->in_flight.writes(address, size))
        impl_->finish();
}

void SoftwareCore::processor_returns()
{
    impl_->finish();
}

void SoftwareCore::flush()
{
    impl_->finish();
}

void SoftwareCore::memory_fill(const MemoryFill& fill)
{
    impl_->finish();
    if (impl_->scaled)
        execute_scaled(impl_->scaled->planes(), fill, report_);
    else
        execute(memory_, fill, report_, &impl_->in_flight);
}

void SoftwareCore::display_transfer(const DisplayTransfer& transfer)
{
    impl_->finish();
    if (impl_->scaled)
        execute_scaled(impl_->scaled->planes(), transfer, report_);
    else
        execute(memory_, transfer, report_, &impl_->in_flight);
}

void SoftwareCore::texture_copy(const TextureCopy& copy)
{
    impl_->finish();
    if (impl_->scaled)
        execute_scaled(impl_->scaled->planes(), copy, report_);
    else
        execute(memory_, copy, report_);
}

void SoftwareCore::did_write(PhysAddr address, u32 size)
{
    impl_->finish();
    if (impl_->scaled)
        impl_->scaled->did_write(address, size);
    memory_.cpu_wrote(address, size);
}

void SoftwareCore::may_have_written(PhysAddr address, u32 size)
{
    impl_->finish();
    if (impl_->scaled)
        impl_->scaled->planes().may_have_written(address, size);
    memory_.may_have_written(address, size);
}

u32 SoftwareCore::scale() const
{
    return impl_->scale;
}

const PlaneMemory* SoftwareCore::planes() const
{
    return impl_->scaled ? &std::as_const(*impl_->scaled).planes() : nullptr;
}

PlaneMemory* SoftwareCore::planes()
{
    return impl_->scaled ? &impl_->scaled->planes() : nullptr;
}

void SoftwareCore::scan_out(const ScreenConfig& config, u32* rgba_out, Report& report) const
{
    impl_->finish();
    if (impl_->scaled)
        scan_out_scaled(impl_->scaled->planes(), config, rgba_out, report);
    else
        pica::scan_out(memory_, config, rgba_out, report);
}

void SoftwareCore::end_frame()
{
    impl_->finish();
    impl_->textures.end_frame();
}

u64 SoftwareCore::covered_pixels(const Draw& draw)
{
    Impl& impl = *impl_;
    impl.finish();
    if (!impl.counter)
        impl.counter = std::make_unique<PixelCounter>();
    return impl.counter->count(draw, impl.stage.save(), memory_);
}

Carryover SoftwareCore::save_carryover()
{
    impl_->finish();
    return impl_->stage.save();
}

void SoftwareCore::load_carryover(const Carryover& carryover)
{
    impl_->finish();
    impl_->stage.load(carryover);
    if (impl_->scaled)
        impl_->scaled->forget(); // it comes with another state of guest memory, which has no planes
}

SoftwareStatistics SoftwareCore::statistics() const
{
    SoftwareStatistics statistics = impl_->statistics;
    statistics.textures_decoded = impl_->textures.decoded();
    statistics.texture_bytes = impl_->textures.decoded_bytes();
    if (impl_->scaled)
    {
        statistics.textures_decoded += impl_->scaled->textures().decoded();
        statistics.texture_bytes += impl_->scaled->textures().decoded_bytes();
        statistics.scaled_tiles = impl_->scaled->target().held_tiles();
    }
    return statistics;
}

} // namespace pica
