// SPDX-License-Identifier: MIT
#include "pica/state/geometry.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

constexpr PhysAddr kBase = 0x20000000;

// Attribute formats: a nibble each, size - 1 in bits 2-3, type in bits 0-1.
constexpr u32 format(AttributeType type, u32 components)
{
    return (components - 1) << 2 | u32(type);
}

RegisterFile with_attributes(u32 count)
{
    RegisterFile regs;
    regs.write(reg::ATTRIBBUFFERS_LOC::id, kBase >> 3);
    regs.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, count - 1);
    regs.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, count - 1);
    regs.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    regs.write(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
    return regs;
}

void set_loader(RegisterFile& regs, u32 loader, u32 offset, u32 components, u32 count, u32 stride)
{
    regs.write(reg::ATTRIBBUFFER_OFFSET::ids[loader], offset);
    regs.write(reg::ATTRIBBUFFER_CONFIG1::ids[loader], components);
    regs.write(reg::ATTRIBBUFFER_CONFIG2::ids[loader], count << 28 | stride << 16);
}

struct Decoded
{
    VertexSource source;
    Findings findings;
};

Decoded decode(const RegisterFile& regs, DrawKind kind = DrawKind::Arrays, const FixedAttributes& fixed = {})
{
    Decoded d;
    decode_inputs(regs, fixed, kind, d.source, d.findings);
    return d;
}

FetchInput memory(PhysAddr address, AttributeType type, u8 components, u8 stride)
{
    FetchInput input;
    input.source = FetchInput::Source::Memory;
    input.address = address;
    input.type = type;
    input.components = components;
    input.stride = stride;
    return input;
}

VertexKey output_map(const RegisterFile& regs, Findings& findings)
{
    VertexKey key;
    decode_output_map(regs, key, findings);
    return key;
}

} // namespace

TEST_CASE("attribute loader: elements align to their size, padding to 4 bytes")
{
    RegisterFile regs = with_attributes(3);
    regs.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, format(AttributeType::S8, 3) |
                                                      format(AttributeType::F32, 2) << 4 |
                                                      format(AttributeType::S16, 1) << 8);
    // s8 x3 at 0, f32 x2 at 4, s16 at 12, padding code 12 (4 bytes) at 16
    set_loader(regs, 0, 0x100, 0xC210, 4, 20);
    const Decoded d = decode(regs);
    CHECK(d.source.input[0] == memory(kBase + 0x100, AttributeType::S8, 3, 20));
    CHECK(d.source.input[1] == memory(kBase + 0x104, AttributeType::F32, 2, 20));
    CHECK(d.source.input[2] == memory(kBase + 0x10C, AttributeType::S16, 1, 20));
    CHECK(d.source.input[3] == FetchInput{});
    CHECK(d.findings == Findings{});
}

TEST_CASE("attribute loader: the programmed stride is used and a mismatch reported")
{
    RegisterFile regs = with_attributes(1);
    regs.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, format(AttributeType::F32, 3));
    set_loader(regs, 0, 0, 0, 1, 16);
    CHECK(decode(regs).source.input[0].stride == 16);
    CHECK(decode(regs).findings.has(Finding::StrideMismatch));
    set_loader(regs, 0, 0, 0, 1, 12);
    CHECK_FALSE(decode(regs).findings.has(Finding::StrideMismatch));
}

TEST_CASE(
    "attribute loader: more than 12 components are cut, later loaders win, upper offset bits are ignored")
{
    RegisterFile regs = with_attributes(1);
    set_loader(regs, 0, 0, 0, 13, 12);
    CHECK(decode(regs).findings.has(Finding::LoaderTooLong));
    set_loader(regs, 5, 0xF0000040, 0, 1, 1);
    CHECK(decode(regs).source.input[0].address == kBase + 0x40);
}

TEST_CASE("attributes: a buffer wins over a fixed value, what is neither is zero and reported")
{
    RegisterFile regs = with_attributes(3);
    regs.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::fixed_mask, 0x3);
    set_loader(regs, 0, 0, 0, 1, 1);
    FixedAttributes fixed{};
    fixed[0] = {9, 9, 9, 9};
    fixed[1] = {1, 2, 3, 4};
    const Decoded d = decode(regs, DrawKind::Elements, fixed);
    CHECK(d.source.input[0].source == FetchInput::Source::Memory);
    CHECK(d.source.input[1].source == FetchInput::Source::Fixed);
    CHECK(d.source.input[1].fixed == fixed[1]);
    CHECK(d.source.input[2] == FetchInput{});
    CHECK(d.findings.has(Finding::AttributeNotLoaded));
}

TEST_CASE("attributes: 12 to 15 are never loaded")
{
    RegisterFile regs = with_attributes(16);
    regs.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::fixed_mask, 0xFFF);
    FixedAttributes fixed;
    fixed.fill({1, 1, 1, 1});
    const Decoded d = decode(regs, DrawKind::Arrays, fixed);
    CHECK(d.source.input[11].source == FetchInput::Source::Fixed);
    for (u32 i = 12; i < 16; ++i)
        CHECK(d.source.input[i] == FetchInput{});
}

TEST_CASE("attributes: the permutation names v registers, the higher attribute wins")
{
    RegisterFile regs = with_attributes(3);
    regs.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::fixed_mask, 0x7);
    regs.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x5F5);
    FixedAttributes fixed{};
    fixed[1] = {1, 1, 1, 1};
    fixed[2] = {2, 2, 2, 2};
    const Decoded d = decode(regs, DrawKind::Arrays, fixed);
    CHECK(d.source.input[5].fixed == fixed[2]);
    CHECK(d.source.input[15].fixed == fixed[1]);
    CHECK(d.source.input[0] == FetchInput{});
}

TEST_CASE("attributes: immediate mode counts them with VSH_NUM_ATTR and permutes them")
{
    RegisterFile regs = with_attributes(1);
    regs.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    regs.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x37);
    const Decoded d = decode(regs, DrawKind::Immediate);
    CHECK(d.source.inline_attributes == 2);
    CHECK(d.source.input[7].source == FetchInput::Source::Inline);
    CHECK(d.source.input[7].attribute == 0);
    CHECK(d.source.input[3].attribute == 1);
}

TEST_CASE("draw parameters: VERTEX_OFFSET counts for arrays only, topology 3 is a list")
{
    RegisterFile regs = with_attributes(1);
    regs.write(reg::NUMVERTICES::id, 6);
    regs.write(reg::VERTEX_OFFSET::id, 100);
    regs.write(reg::INDEXBUFFER_CONFIG::id, 0x80000123);
    regs.set(reg::PRIMITIVE_CONFIG::topology, Topology::Geometry);
    VertexSource source;
    decode_draw_parameters(regs, DrawKind::Arrays, source);
    CHECK(source.count == 6);
    CHECK(source.first_vertex == 100);
    CHECK(source.indexed == 0);
    CHECK(source.index_address == 0);
    CHECK(source.topology == Topology::TriangleList);
    decode_draw_parameters(regs, DrawKind::Elements, source);
    CHECK(source.first_vertex == 0);
    CHECK(source.indexed == 1);
    CHECK(source.index16 == 1);
    CHECK(source.index_address == kBase + 0x123);
}

TEST_CASE("output map: disabled outputs take no slot")
{
    RegisterFile regs;
    Findings findings;
    regs.write(reg::VSH_OUTMAP_MASK::id, 0x11);
    regs.write(reg::SH_OUTMAP_TOTAL::id, 2);
    regs.write(reg::SH_OUTMAP_O::ids[0], 0x03020100); // position
    regs.write(reg::SH_OUTMAP_O::ids[1], 0x1F1F0D0C); // texcoord 0
    const VertexKey key = output_map(regs, findings);
    CHECK(key.source[0] == 0);
    CHECK(key.source[3] == 3);
    CHECK(key.source[12] == 4 * 4);
    CHECK(key.source[13] == 4 * 4 + 1);
    CHECK(key.source[8] == VertexKey::kUnmapped);
    CHECK(findings == Findings{});
}

TEST_CASE("output map: the last component wins, undefined semantics and missing outputs are reported")
{
    RegisterFile regs;
    Findings findings;
    regs.write(reg::VSH_OUTMAP_MASK::id, 0x3);
    regs.write(reg::SH_OUTMAP_TOTAL::id, 3);
    regs.write(reg::SH_OUTMAP_O::ids[0], 0x08080808);
    regs.write(reg::SH_OUTMAP_O::ids[1], 0x1E111508);
    regs.write(reg::SH_OUTMAP_O::ids[2], 0x03020100);
    const VertexKey key = output_map(regs, findings);
    CHECK(key.source[8] == 4); // o1.x
    CHECK(key.source[0] == VertexKey::kUnmapped);
    CHECK(findings.has(Finding::SemanticUndefined));
    CHECK(findings.has(Finding::OutputMapTooLong));
}

TEST_CASE("rasterizer: viewport corner is signed, cull 3 is none, the clip plane counts only when enabled")
{
    RegisterFile regs;
    regs.write(reg::VIEWPORT_WIDTH::id, 0x45E000); // 120
    regs.write(reg::VIEWPORT_XY::id, 0x03F003FF);
    regs.write(reg::FACECULLING_CONFIG::id, 3);
    regs.write(reg::FRAGOP_CLIP_DATA::ids[0], 0xBF0000);
    GeometryConstants geometry;
    decode_rasterizer(regs, geometry);
    CHECK(geometry.half_width == 120.0f);
    CHECK(geometry.viewport_x == -1);
    CHECK(geometry.viewport_y == -16);
    CHECK(geometry.cull == CullMode::None);
    CHECK(geometry.clip_plane[0] == 0.0f);
    regs.write(reg::FRAGOP_CLIP::id, 1);
    decode_rasterizer(regs, geometry);
    CHECK(geometry.clip_plane[0] == -1.0f);
}

namespace
{

// A consistent configuration: one attribute per vertex, two vertices in point mode.
RegisterFile with_geometry(GeometryMode mode)
{
    RegisterFile regs;
    regs.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    regs.set(reg::GEOSTAGE_CONFIG::variable_primitive, mode == GeometryMode::Variable);
    regs.set(reg::GSH_MISC0::mode, mode);
    regs.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    regs.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, mode != GeometryMode::Point);
    regs.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    regs.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543201);
    regs.set(reg::VSH_OUTMAP_MASK::mask, 0x24);
    regs.set(reg::GSH_OUTMAP_MASK::mask, 0xFF09);
    return regs;
}

bool agrees(const RegisterFile& regs, DrawKind kind = DrawKind::Elements)
{
    GeometryFeed feed;
    Findings findings;
    const bool result = decode_geometry_feed(regs, kind, feed, findings);
    CHECK(findings.has(Finding::GeometryConfiguration) != result);
    return result;
}

} // namespace

TEST_CASE("geometry feed: modes, attributes, permutation and masks")
{
    Findings findings;
    GeometryFeed feed;
    CHECK(decode_geometry_feed(with_geometry(GeometryMode::Point), DrawKind::Arrays, feed, findings));
    CHECK(feed.enabled == 1);
    CHECK(feed.attributes == 1);
    CHECK(feed.inputs == 2);
    CHECK(feed.source[0] == 2); // the lowest enabled output; o5 is beyond the count
    CHECK(feed.source[1] == GeometryFeed::kNoOutput);
    CHECK(feed.target[0] == 1);
    CHECK(feed.target[1] == 0);
    CHECK(feed.output_mask == 0x09); // o8 and up do not reach the map
    CHECK(feed.obeys_winding == 0);

    RegisterFile regs;
    regs.write(reg::GSH_MISC0::id, 0x01004302); // test-vectors.md: four vertices, five attributes
    regs.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000102);
    regs.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    regs.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 4);
    regs.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 4);
    regs.set(reg::PRIMITIVE_CONFIG::topology, Topology::Geometry);
    CHECK(decode_geometry_feed(regs, DrawKind::Elements, feed, findings));
    CHECK(feed.mode == GeometryMode::Fixed);
    CHECK(feed.vertices == 4);
    CHECK(feed.attributes == 5);
    CHECK(feed.first_uniform == 0);
    CHECK(feed.obeys_winding == 1);
    CHECK_FALSE(findings.has(Finding::GeometryConfiguration));
}

TEST_CASE("geometry feed: registers that contradict each other leave the draw out")
{
    for (const GeometryMode mode : {GeometryMode::Point, GeometryMode::Variable, GeometryMode::Fixed})
    {
        CAPTURE(u32(mode));
        CHECK(agrees(with_geometry(mode)));
        RegisterFile regs = with_geometry(mode);
        regs.set(reg::GEOSTAGE_CONFIG::variable_primitive, mode != GeometryMode::Variable);
        CHECK_FALSE(agrees(regs));
        regs = with_geometry(mode);
        regs.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, mode == GeometryMode::Point);
        CHECK_FALSE(agrees(regs));
        regs = with_geometry(mode);
        regs.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0xA0);
        CHECK_FALSE(agrees(regs));
        regs = with_geometry(mode);
        regs.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
        CHECK_FALSE(agrees(regs));
        CHECK(agrees(with_geometry(mode), DrawKind::Immediate) == (mode != GeometryMode::Variable));
    }
    RegisterFile odd = with_geometry(GeometryMode::Point);
    odd.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 2);
    odd.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    odd.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
    CHECK_FALSE(agrees(odd)); // three inputs, two per vertex
    odd = with_geometry(GeometryMode::Fixed);
    odd.set(reg::GSH_MISC0::attributes_minus_1, 1);
    CHECK_FALSE(agrees(odd));
    odd.write(reg::GSH_MISC0::id, 3);
    CHECK_FALSE(agrees(odd));
}

TEST_CASE("output map: a geometry program's outputs are counted as a slot holds them")
{
    RegisterFile regs = with_geometry(GeometryMode::Point); // o0 and o3
    regs.set(reg::SH_OUTMAP_TOTAL::count, 2);
    regs.write(reg::SH_OUTMAP_O::ids[0], 0x03020100);
    regs.write(reg::SH_OUTMAP_O::ids[1], 0x0B0A0908);
    VertexKey key;
    Findings findings;
    decode_output_map(regs, key, findings);
    CHECK(key.source[2] == 2);
    CHECK(key.source[8] == 4);
    CHECK(key.source[11] == 7);
}
