// SPDX-License-Identifier: MIT
#include "samples/cli/golden/digest_backend.h"

#include "pica/command/gpu.h"
#include "pica/command/written_ranges.h"
#include "pica/memory/guest_memory.h"
#include "pica/state/state_builder.h"
#include "pica/state/vertex_memory.h"
#include "pica/upscale/plane_memory.h"
#include "samples/cli/golden/block_probes.h"
#include "samples/cli/golden/content_hash.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

std::string hex(u32 value)
{
    char text[16];
    std::snprintf(text, sizeof text, "%08X", value);
    return text;
}

u32 fill_bits(FillWidth width)
{
    return width == FillWidth::Bits16 ? 16 : width == FillWidth::Bits32 ? 32 : 24;
}

u32 read_size(u64 size)
{
    return static_cast<u32>(std::min<u64>(size, std::numeric_limits<u32>::max()));
}

// Registers that say how draws are made. The others are interrupts, list addresses, ports and triggers.
constexpr RegisterRange kStateRegisters[] = {{0x040, 0x0AE}, {0x0B8, 0x0E5}, {0x0F0, 0x122},
                                             {0x126, 0x1C4}, {0x1C6, 0x1C6}, {0x1D0, 0x22D},
                                             {0x242, 0x25E}, {0x280, 0x28F}, {0x2B0, 0x2BF}};

template <typename Visit>
void for_each_state_register(const RegisterFile& regs, Visit visit)
{
    for (const RegisterRange& range : kStateRegisters)
        for (u32 id = range.first; id <= range.last; ++id)
            visit(id, regs[id]);
}

std::string registers_hash(const RegisterFile& regs)
{
    ContentHash hash;
    for_each_state_register(regs, [&](u32, u32 value) { hash.add_value(value); });
    return hash.text();
}

std::string program_hash(const ShaderUnit& unit)
{
    ContentHash hash;
    hash.add_values(unit.code.words);
    hash.add_values(unit.code.descriptors);
    return hash.text();
}

std::string uniforms_hash(const ShaderUnit& unit)
{
    ContentHash hash;
    hash.add_values(unit.uniforms.f);
    hash.add_values(unit.uniforms.i);
    hash.add_value(unit.uniforms.b);
    return hash.text();
}

std::string tables_hash(const Luts& luts)
{
    ContentHash hash;
    for (const auto& table : luts.lighting)
        hash.add_values(table);
    for (const std::span<const u32> table :
         {std::span<const u32>(luts.fog), std::span<const u32>(luts.proctex_noise),
          std::span<const u32>(luts.proctex_rgb_map), std::span<const u32>(luts.proctex_alpha_map),
          std::span<const u32>(luts.proctex_color), std::span<const u32>(luts.proctex_color_diff),
          std::span<const u32>(luts.gas)})
        hash.add_values(table);
    return hash.text();
}

// What a draw reads of memory besides its target, by name.
std::vector<std::pair<std::string, std::vector<ByteRange>>> read_ranges(const Draw& draw,
                                                                        const GuestMemory& memory)
{
    std::vector<std::pair<std::string, std::vector<ByteRange>>> ranges;
    std::vector<ByteRange> vertices;
    if (draw.source.indexed != 0)
        vertices.push_back({draw.source.index_address, index_bytes(draw.source)});
    for_each_attribute_range(draw.source, index_range(draw.source, memory),
                             [&](const FetchInput&, PhysAddr begin, u64 size) {
                                 vertices.push_back({begin, size});
                             });
    ranges.emplace_back("vertex data", std::move(vertices));
    for (u32 unit = 0; unit < 3; ++unit)
    {
        if (!draw.fragment.texture[unit].samples())
            continue;
        std::vector<ByteRange> texels;
        const u32 faces = draw.fragment.texture[unit].is_cube() ? 6 : 1;
        for (u32 face = 0; face < faces; ++face)
            texels.push_back({faces > 1 ? draw.cube_faces[face] : draw.texture[unit].address,
                              draw.texture[unit].byte_size()});
        ranges.emplace_back("texture " + std::to_string(unit) + " in memory", std::move(texels));
    }
    return ranges;
}

// As the command processor would make it of these registers.
DecodedDraw variant_of(const Draw& draw, const RegisterFile& regs, const FixedAttributes& fixed)
{
    const DrawKind kind = draw.source.inline_attributes != 0 ? DrawKind::Immediate
                          : draw.source.indexed != 0         ? DrawKind::Elements
                                                             : DrawKind::Arrays;
    DecodedDraw variant = decode_draw(regs, fixed, kind);
    Draw& d = variant.draw;
    d.source = draw.source;
    d.vertex = draw.vertex;
    d.program = draw.program;
    d.uniforms = draw.uniforms;
    d.uniforms_revision = draw.uniforms_revision;
    d.luts = draw.luts;
    d.geometry_unit = draw.geometry_unit;
    d.serial = draw.serial;
    return variant;
}

} // namespace

std::string DigestBackend::range_hash(const std::vector<ByteRange>& ranges)
{
    ContentHash hash;
    for (const ByteRange& range : ranges)
    {
        inner_.will_read(range.begin, read_size(range.size));
        memory().for_each_part(range.begin, range.size,
                               [&](PhysAddr, std::span<const u8> bytes) { hash.add(bytes); });
        add_planes(hash, range);
    }
    return hash.text();
}

// Which lines have planes counts as well. A range without any has the hash of its bytes.
void DigestBackend::add_planes(ContentHash& hash, const ByteRange& range) const
{
    const PlaneMemory* const planes = planes_.current && range.size != 0 ? planes_.current(range) : nullptr;
    if (planes == nullptr)
        return;
    std::array<u8, kPageSize> bytes;
    PlaneTracker::for_each_page(range.begin, range.size,
                                [&](u32 page, u32 begin, u32 end)
                                {
                                    const u32 slot = planes->tracker().slot(page);
                                    const u64 lines = slot == PlaneTracker::kNoSlot
                                                          ? 0
                                                          : planes->tracker().lines(slot) &
                                                                PlaneTracker::touched_lines(begin, end);
                                    if (lines == 0)
                                        return;
                                    const PhysAddr address = (page << kPageShift) + begin;
                                    const std::span<u8> part = std::span(bytes).first(end - begin);
                                    hash.add_value(address - range.begin);
                                    hash.add_value(lines);
                                    for (u32 plane = 0; plane < planes->planes(); ++plane)
                                    {
                                        planes->load(plane, address, part);
                                        hash.add(part);
                                    }
                                });
}

// A copy of all planes; null where there are none.
std::unique_ptr<PlaneMemory> DigestBackend::save_planes()
{
    const PlaneMemory* planes = nullptr;
    if (planes_.current)
        for (const MemoryRegion& region : memory().regions())
        {
            inner_.will_read(region.base, read_size(region.bytes.size()));
            planes = planes_.current({region.base, region.bytes.size()});
        }
    if (planes == nullptr)
        return nullptr;
    auto saved = std::make_unique<PlaneMemory>(memory(), planes->scale());
    saved->take_over(*planes);
    return saved;
}

std::string DigestBackend::memory_hash()
{
    std::vector<ByteRange> all;
    for (const MemoryRegion& region : memory().regions())
        all.push_back({region.base, region.bytes.size()});
    return range_hash(all);
}

std::string DigestBackend::take_written()
{
    return range_hash(std::exchange(written_, {}));
}

std::string DigestBackend::state_hash() const
{
    const Ports& ports = gpu_->processor().ports();
    std::string parts = registers_hash(gpu_->processor().registers()) + tables_hash(ports.luts);
    for (const ShaderUnit* unit : {&ports.vertex, &ports.geometry})
        parts += program_hash(*unit) + uniforms_hash(*unit);
    ContentHash hash;
    hash.add_values(parts);
    hash.add_values(ports.fixed);
    return hash.text();
}

template <typename Operation>
void DigestBackend::finish(const Operation& operation, Entry entry)
{
    for_each_written(operation,
                     [&](const WrittenRange& range)
                     {
                         if (std::find(written_.begin(), written_.end(), range.bytes) == written_.end())
                             written_.push_back(range.bytes);
                     });
    if (!on_operation_)
        return;
    entry["written"] = take_written();
    on_operation_(std::move(entry));
}

void DigestBackend::draw(const Draw& draw)
{
    if (probed_draw_ == draws_)
    {
        blocks_ = Entry::array();
        add_given(draw);
        add_variants(draw);
    }
    Entry entry = {{"what", "draw"}, {"draw_of_stream", draws_}};
    if (on_operation_)
        entry["state"] = state_hash();
    inner_.draw(draw);
    ++draws_;
    finish(draw, std::move(entry));
}

void DigestBackend::memory_fill(const MemoryFill& fill)
{
    inner_.memory_fill(fill);
    finish(fill, {{"what", "memory fill"},
                  {"parameters", hex(fill.start) + ".." + hex(fill.end) + " value " + hex(fill.value) + ", " +
                                     std::to_string(fill_bits(fill.width)) + " bits"}});
}

void DigestBackend::display_transfer(const DisplayTransfer& transfer)
{
    inner_.display_transfer(transfer);
    const auto number = [](auto value) { return std::to_string(static_cast<u32>(value)); };
    finish(transfer,
           {{"what", "display transfer"},
            {"parameters", hex(transfer.input) + " " + number(transfer.input_width) + " x " +
                               number(transfer.input_height) + " format " + number(transfer.input_format) +
                               " -> " + hex(transfer.output) + " " + number(transfer.output_width) + " x " +
                               number(transfer.output_height) + " format " + number(transfer.output_format) +
                               ", flip " + number(transfer.flip_vertically) + ", linear " +
                               number(transfer.input_linear) + ", crop " + number(transfer.crop) + ", raw " +
                               number(transfer.raw_copy) + ", block32 " + number(transfer.block32) +
                               ", scaling " + number(transfer.scaling)}});
}

void DigestBackend::texture_copy(const TextureCopy& copy)
{
    inner_.texture_copy(copy);
    finish(copy,
           {{"what", "texture copy"},
            {"parameters", hex(copy.input) + " -> " + hex(copy.output) + ", " + std::to_string(copy.size) +
                               " bytes, " + std::to_string(copy.input_width) + " + " +
                               std::to_string(copy.input_gap) + " -> " + std::to_string(copy.output_width) +
                               " + " + std::to_string(copy.output_gap)}});
}

void DigestBackend::add_block(const std::string& block, const std::string& hash)
{
    blocks_->push_back({{"block", block}, {"hash", hash}});
}

void DigestBackend::add_given(const Draw& draw)
{
    const RegisterFile& regs = gpu_->processor().registers();
    const Ports& ports = gpu_->processor().ports();
    add_block("registers", registers_hash(regs));
    Entry& named = blocks_->back()["registers"];
    for_each_state_register(regs, [&](u32 id, u32 value)
                            { named[std::string(register_name(id))] = describe_write(id, value); });
    add_block("vertex program", program_hash(ports.vertex));
    add_block("vertex uniforms", uniforms_hash(ports.vertex));
    if (draw.geometry_unit.feed.enabled != 0)
    {
        add_block("geometry program", program_hash(ports.geometry));
        add_block("geometry uniforms", uniforms_hash(ports.geometry));
    }
    ContentHash fixed;
    fixed.add_values(ports.fixed);
    add_block("fixed attributes", fixed.text());
    add_block("tables", tables_hash(ports.luts));
    for (const auto& [name, ranges] : read_ranges(draw, memory()))
        add_block(name, range_hash(ranges));
    std::vector<ByteRange> target;
    for_each_written(draw, [&](const WrittenRange& range) { target.push_back(range.bytes); });
    add_block("target before the draw", range_hash(target));
}

// Memory, its planes, and what draws leave behind are afterwards as before.
void DigestBackend::add_variants(const Draw& draw)
{
    const Carryover carried = inner_.save_carryover();
    const std::unique_ptr<PlaneMemory> planes = save_planes();
    for (const BlockProbe& probe : block_probes(gpu_->processor().registers(), draw))
    {
        const DecodedDraw variant = variant_of(draw, probe.registers, gpu_->processor().ports().fixed);
        if (!variant.is_drawable)
            continue;
        std::vector<ByteRange> written;
        std::vector<std::pair<PhysAddr, std::vector<u8>>> before;
        for_each_written(variant.draw,
                         [&](const WrittenRange& range)
                         {
                             written.push_back(range.bytes);
                             inner_.will_read(range.bytes.begin, read_size(range.bytes.size));
                             memory().for_each_part(
                                 range.bytes.begin, range.bytes.size,
                                 [&](PhysAddr begin, std::span<const u8> bytes) {
                                     before.emplace_back(begin, std::vector<u8>(bytes.begin(), bytes.end()));
                                 });
                         });
        inner_.draw(variant.draw);
        add_block(probe.block, range_hash(written));
        for (const auto& [begin, bytes] : before)
        {
            inner_.will_write(begin, static_cast<u32>(bytes.size()));
            std::ranges::copy(bytes, memory().span(begin, bytes.size()).begin());
            inner_.did_write(begin, static_cast<u32>(bytes.size()));
        }
        inner_.load_carryover(carried);
        if (planes)
            planes_.replace(*planes);
    }
}

} // namespace samples
