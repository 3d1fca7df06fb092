// SPDX-License-Identifier: MIT
#include "pica/state/geometry.h"

#include "pica/base/float24.h"
#include "pica/state/vertex_memory.h"

#include <algorithm>

namespace pica
{

namespace
{

constexpr u32 kGeometryOutputs = 0x7F; // o0..o6 reach the output map [HW]
constexpr u32 kGeometryRole = 0x08;
constexpr u32 kLoaders = 12;
constexpr u32 kLoadableAttributes = 12;

constexpr std::array kAttributeType = {
    reg::ATTRIBBUFFERS_FORMAT_LOW::type0,   reg::ATTRIBBUFFERS_FORMAT_LOW::type1,
    reg::ATTRIBBUFFERS_FORMAT_LOW::type2,   reg::ATTRIBBUFFERS_FORMAT_LOW::type3,
    reg::ATTRIBBUFFERS_FORMAT_LOW::type4,   reg::ATTRIBBUFFERS_FORMAT_LOW::type5,
    reg::ATTRIBBUFFERS_FORMAT_LOW::type6,   reg::ATTRIBBUFFERS_FORMAT_LOW::type7,
    reg::ATTRIBBUFFERS_FORMAT_HIGH::type8,  reg::ATTRIBBUFFERS_FORMAT_HIGH::type9,
    reg::ATTRIBBUFFERS_FORMAT_HIGH::type10, reg::ATTRIBBUFFERS_FORMAT_HIGH::type11,
};
constexpr std::array kAttributeSize = {
    reg::ATTRIBBUFFERS_FORMAT_LOW::size0_minus_1,   reg::ATTRIBBUFFERS_FORMAT_LOW::size1_minus_1,
    reg::ATTRIBBUFFERS_FORMAT_LOW::size2_minus_1,   reg::ATTRIBBUFFERS_FORMAT_LOW::size3_minus_1,
    reg::ATTRIBBUFFERS_FORMAT_LOW::size4_minus_1,   reg::ATTRIBBUFFERS_FORMAT_LOW::size5_minus_1,
    reg::ATTRIBBUFFERS_FORMAT_LOW::size6_minus_1,   reg::ATTRIBBUFFERS_FORMAT_LOW::size7_minus_1,
    reg::ATTRIBBUFFERS_FORMAT_HIGH::size8_minus_1,  reg::ATTRIBBUFFERS_FORMAT_HIGH::size9_minus_1,
    reg::ATTRIBBUFFERS_FORMAT_HIGH::size10_minus_1, reg::ATTRIBBUFFERS_FORMAT_HIGH::size11_minus_1,
};

constexpr u32 align_up(u32 value, u32 alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

PhysAddr buffer_base(const RegisterFile& regs)
{
    return regs.get(reg::ATTRIBBUFFERS_LOC::base) * 16;
}

using Attributes = std::array<FetchInput, kLoadableAttributes>;

// Walks over the components of one attribute loader (vertex-input.md). Offsets are relative to the vertex
// [HW: 3dbrew].
void walk_loader(const RegisterFile& regs, u32 loader, Attributes& attributes, Findings& findings)
{
    u32 count = regs.get(reg::ATTRIBBUFFER_CONFIG2::count, loader);
    if (count == 0)
        return;
    if (count > kLoadableAttributes)
    {
        findings.add(Finding::LoaderTooLong);
        count = kLoadableAttributes;
    }
    const u64 components = regs.get(reg::ATTRIBBUFFER_CONFIG1::components_low, loader) |
                           u64{regs.get(reg::ATTRIBBUFFER_CONFIG2::components_high, loader)} << 32;
    const u32 stride = regs.get(reg::ATTRIBBUFFER_CONFIG2::stride, loader);
    const PhysAddr start = buffer_base(regs) + regs.get(reg::ATTRIBBUFFER_OFFSET::offset, loader);
    u32 offset = 0;
    for (u32 i = 0; i < count; ++i)
    {
        const u32 code = static_cast<u32>(components >> (4 * i) & 0xF);
        if (code >= kLoadableAttributes)
        {
            offset = align_up(offset, 4) + 4 * (code - 11);
            continue;
        }
        FetchInput& input = attributes[code]; // the later loader wins [ASSUMED]
        input.source = FetchInput::Source::Memory;
        input.type = regs.get(kAttributeType[code]);
        input.components = static_cast<u8>(regs.get(kAttributeSize[code]) + 1);
        input.stride = static_cast<u8>(stride);
        const u32 bytes = element_bytes(input.type);
        offset = align_up(offset, bytes);
        input.address = start + offset;
        offset += bytes * input.components;
    }
    if (offset != stride)
        findings.add(Finding::StrideMismatch);
}

u32 geometry_permutation(const RegisterFile& regs, u32 n)
{
    const u32 word = n < 8 ? regs.get(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::nibbles)
                           : regs.get(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::nibbles);
    return word >> (4 * (n % 8)) & 0xF;
}

u32 permutation(const RegisterFile& regs, u32 n)
{
    const u32 word = n < 8 ? regs.get(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::nibbles)
                           : regs.get(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::nibbles);
    return word >> (4 * (n % 8)) & 0xF;
}

} // namespace

void decode_rasterizer(const RegisterFile& regs, GeometryConstants& geometry)
{
    geometry.half_width = float24_register(regs.get(reg::VIEWPORT_WIDTH::value));
    geometry.half_height = float24_register(regs.get(reg::VIEWPORT_HEIGHT::value));
    geometry.viewport_x = regs.get(reg::VIEWPORT_XY::x);
    geometry.viewport_y = regs.get(reg::VIEWPORT_XY::y);
    geometry.cull = regs.get(reg::FACECULLING_CONFIG::mode);
    if (geometry.cull == CullMode::NoneToo)
        geometry.cull = CullMode::None;
    geometry.flat_color = regs.get(reg::UNKNOWN_058::flat_color);
    geometry.clip_plane_enable = regs.get(reg::FRAGOP_CLIP::enable);
    for (u32 i = 0; i < 4; ++i)
    {
        geometry.clip_plane[i] = 0.0f;
        if (geometry.clip_plane_enable != 0)
            geometry.clip_plane[i] = float24_register(regs.get(reg::FRAGOP_CLIP_DATA::value, i));
    }
}

bool decode_geometry_feed(const RegisterFile& regs, DrawKind kind, GeometryFeed& feed, Findings& findings)
{
    feed = GeometryFeed{};
    if (regs.get(reg::GEOSTAGE_CONFIG::mode) != GeometryStage::On)
        return true;
    feed.enabled = 1;
    feed.mode = regs.get(reg::GSH_MISC0::mode);
    feed.obeys_winding = regs.get(reg::PRIMITIVE_CONFIG::topology) == Topology::Geometry;
    feed.output_mask = static_cast<u16>(regs.get(reg::GSH_OUTMAP_MASK::mask) & kGeometryOutputs);
    feed.attributes = static_cast<u8>(regs.get(reg::VSH_OUTMAP_TOTAL1::count_minus_1) + 1);
    feed.source.fill(GeometryFeed::kNoOutput);
    u32 enabled = 0;
    for (u32 k = 0; k < 16; ++k)
    {
        if ((regs.get(reg::VSH_OUTMAP_MASK::mask) >> k & 1) != 0)
            feed.source[enabled++] = static_cast<u8>(k);
    }
    std::fill(feed.source.begin() + feed.attributes, feed.source.end(), GeometryFeed::kNoOutput);

    const bool to_uniforms = regs.get(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms);
    const bool variable = regs.get(reg::GEOSTAGE_CONFIG::variable_primitive);
    bool agrees =
        regs.get(reg::GSH_INPUTBUFFER_CONFIG::role) == kGeometryRole &&
        regs.get(reg::VSH_OUTMAP_TOTAL1::count_minus_1) == regs.get(reg::VSH_OUTMAP_TOTAL2::count_minus_1) &&
        variable == (feed.mode == GeometryMode::Variable) &&
        to_uniforms == (feed.mode != GeometryMode::Point);
    switch (feed.mode)
    {
    case GeometryMode::Point:
        feed.inputs = static_cast<u8>(regs.get(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1) + 1);
        for (u32 n = 0; n < feed.inputs; ++n)
            feed.target[n] = static_cast<u8>(geometry_permutation(regs, n));
        agrees = agrees && feed.inputs % feed.attributes == 0;
        break;
    case GeometryMode::Variable:
        feed.full_vertices = static_cast<u8>(regs.get(reg::GSH_MISC1::full_vertices_minus_1) + 1);
        agrees = agrees && kind == DrawKind::Elements; // the numbers of vertices are in the index stream
        break;
    case GeometryMode::Fixed:
        feed.vertices = static_cast<u8>(regs.get(reg::GSH_MISC0::vertices_minus_1) + 1);
        feed.first_uniform = static_cast<u8>(regs.get(reg::GSH_MISC0::first_uniform));
        agrees = agrees && regs.get(reg::GSH_MISC0::attributes_minus_1) + 1 == feed.attributes;
        break;
    default:
        agrees = false;
        break;
    }
    if (!agrees)
        findings.add(Finding::GeometryConfiguration);
    return agrees;
}

void decode_output_map(const RegisterFile& regs, VertexKey& key, Findings& findings)
{
    key.source.fill(VertexKey::kUnmapped);
    const bool is_geometry = regs.get(reg::GEOSTAGE_CONFIG::mode) == GeometryStage::On;
    const u32 mask = is_geometry ? regs.get(reg::GSH_OUTMAP_MASK::mask) & kGeometryOutputs
                                 : regs.get(reg::VSH_OUTMAP_MASK::mask);
    std::array<u8, 16> enabled{};
    u32 enabled_count = 0;
    for (u32 k = 0; k < 16; ++k)
    {
        if ((mask >> k & 1) != 0)
        {
            enabled[enabled_count] = static_cast<u8>(is_geometry ? enabled_count : k);
            ++enabled_count;
        }
    }
    u32 total = regs.get(reg::SH_OUTMAP_TOTAL::count);
    if (total > enabled_count)
    {
        findings.add(Finding::OutputMapTooLong);
        total = enabled_count; // the sources of the extra entries are undefined: they stay 1.0 [our rule]
    }
    for (u32 j = 0; j < total; ++j)
    {
        const std::array semantics = {regs.get(reg::SH_OUTMAP_O::x, j), regs.get(reg::SH_OUTMAP_O::y, j),
                                      regs.get(reg::SH_OUTMAP_O::z, j), regs.get(reg::SH_OUTMAP_O::w, j)};
        for (u32 component = 0; component < 4; ++component)
        {
            const u32 semantic = static_cast<u32>(semantics[component]);
            if (semantics[component] == Semantic::Unused)
                continue;
            if (semantic >= key.source.size() || semantic == 0x11 || semantic == 0x15)
            {
                findings.add(Finding::SemanticUndefined);
                continue;
            }
            key.source[semantic] = static_cast<u8>(enabled[j] * 4 + component);
        }
    }
}

void decode_inputs(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                   VertexSource& source, Findings& findings)
{
    source.input.fill(FetchInput{});
    source.inline_attributes = 0;
    if (kind == DrawKind::Immediate)
    {
        const u32 count = regs.get(reg::VSH_NUM_ATTR::count_minus_1) + 1;
        source.inline_attributes = static_cast<u8>(count);
        for (u32 n = 0; n < count; ++n)
        {
            FetchInput& input = source.input[permutation(regs, n)];
            input = FetchInput{};
            input.source = FetchInput::Source::Inline;
            input.attribute = static_cast<u8>(n);
        }
        return;
    }

    Attributes attributes{};
    for (u32 loader = 0; loader < kLoaders; ++loader)
        walk_loader(regs, loader, attributes, findings);
    const u32 total = regs.get(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1) + 1;
    const u32 fixed_mask = regs.get(reg::ATTRIBBUFFERS_FORMAT_HIGH::fixed_mask);
    const u32 count = regs.get(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1) + 1;
    for (u32 n = 0; n < count; ++n)
    {
        FetchInput& input = source.input[permutation(regs, n)];
        input = FetchInput{};
        // A buffer wins over a fixed value [HB].
        if (n < total && n < kLoadableAttributes && attributes[n].source == FetchInput::Source::Memory)
        {
            input = attributes[n];
        }
        else if (n < total && n < kLoadableAttributes && (fixed_mask >> n & 1) != 0)
        {
            input.source = FetchInput::Source::Fixed;
            input.fixed = fixed[n];
        }
        else
        {
            findings.add(Finding::AttributeNotLoaded);
        }
    }
}

void decode_draw_parameters(const RegisterFile& regs, DrawKind kind, VertexSource& source)
{
    source.count = regs.get(reg::NUMVERTICES::count);
    source.first_vertex = 0;
    source.index_address = 0;
    source.indexed = 0;
    source.index16 = 0;
    if (kind == DrawKind::Arrays)
    {
        source.first_vertex = regs.get(reg::VERTEX_OFFSET::first);
    }
    else if (kind == DrawKind::Elements)
    {
        source.indexed = 1;
        source.index16 = regs.get(reg::INDEXBUFFER_CONFIG::type) == IndexType::U16;
        source.index_address = buffer_base(regs) + regs.get(reg::INDEXBUFFER_CONFIG::offset);
    }
    // Topology 3 is a list [EMU]; with a geometry shader it also obeys the winding flag (GeometryFeed).
    source.topology = regs.get(reg::PRIMITIVE_CONFIG::topology);
    if (source.topology == Topology::Geometry)
        source.topology = Topology::TriangleList;
}

} // namespace pica
