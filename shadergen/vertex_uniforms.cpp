// SPDX-License-Identifier: MIT
#include "shadergen/vertex_uniforms.h"

#include "pica/shader/flow.h"
#include "pica/shader/program.h"
#include "pica/state/draw_limits.h"

#include <algorithm>
#include <bit>

namespace shadergen
{

namespace
{

using namespace pica;

constexpr u32 kNoRegion = 0xFFFFFFFF;
// Offsets of vertices with numbers below this one fit into 32 bits, behind any place in a region.
constexpr u64 kMostVertexNumbers = u64{1} << 23;
constexpr u32 kNoneShared = 0xFFFFFFFF; // AssembledRow::sharing_from

u32 find_region(PhysAddr address, const std::array<MirrorRegion, 2>& mirror)
{
    for (u32 i = 0; i < mirror.size(); i++)
        if (address - mirror[i].base < mirror[i].bytes)
            return i;
    return kNoRegion;
}

// Fills offset, region and the bytes available of an address. 0 bytes are available outside of the mirror.
template <typename Row>
void place(PhysAddr address, const std::array<MirrorRegion, 2>& mirror, Row& row)
{
    const u32 region = find_region(address, mirror);
    if (region == kNoRegion)
        return;
    const u32 offset = address - mirror[region].base;
    row.offset = offset;
    row.region = region;
    row.available = mirror[region].bytes - offset;
}

u32 topology_code(Topology topology)
{
    return topology == Topology::TriangleStrip ? 1 : topology == Topology::TriangleFan ? 2 : 0;
}

AssemblyRow assembly_row(const Draw& draw, const VertexPlacement& placement)
{
    const Topology topology = draw.source.topology;
    const u32 vertices = placement.pending + std::min(draw.source.count, kMaxDrawVertices);
    return {topology_code(topology) | (placement.odd_strip ? 256u : 0u),
            assembled_triangles(topology, vertices), 0, static_cast<u32>(draw.geometry.cull)};
}

} // namespace

bool can_fetch_elements(const VertexSource& source, const std::array<MirrorRegion, 2>& mirror)
{
    if (source.indexed)
        return find_region(source.index_address, mirror) != kNoRegion;
    return u64{source.first_vertex} + source.count <= kMostVertexNumbers;
}

bool can_fetch_inputs(const VertexSource& source, const std::array<MirrorRegion, 2>& mirror)
{
    for (const MirrorRegion& region : mirror)
        if (region.bytes % 4 != 0)
            return false;
    for (const FetchInput& input : source.input)
        if (input.source == FetchInput::Source::Memory && find_region(input.address, mirror) == kNoRegion)
            return false;
    return true;
}

u32 assembled_triangles(Topology topology, u32 vertices)
{
    return topology_code(topology) == 0 ? vertices / 3 : vertices < 3 ? 0 : vertices - 2;
}

namespace
{

// How the program gets an input. row and fixed must be zero.
void describe_input(const VertexSource& source, const FetchInput& input, const VertexPlacement& placement,
                    InputRow& row, vec4& fixed)
{
    if (input.source == FetchInput::Source::Memory)
    {
        row.format =
            1u | static_cast<u32>(input.type) << 2 | u32{input.components} << 4 | u32{input.stride} << 8;
        place(input.address, placement.mirror, row);
    }
    else if (input.source == FetchInput::Source::Fixed)
    {
        row.format = 2;
        fixed = input.fixed;
    }
    else if (input.source == FetchInput::Source::Inline)
    {
        row.format = 3u | u32{source.inline_attributes} << 8;
        row.offset = placement.inline_offset + u32{input.attribute} * 16;
    }
}

// Fills the rows that VertexBlock and BatchDraw have both; the block must be zero.
template <typename Block>
void pack_rows(const Draw& draw, const VertexPlacement& placement, Block& block)
{
    const VertexSource& source = draw.source;
    if (source.indexed)
    {
        block.index.size = source.index16 ? 2 : 1;
        place(source.index_address, placement.mirror, block.index);
    }
    block.draw = {std::min(source.count, kMaxDrawVertices), source.first_vertex, placement.first_shaded,
                  draw.uniforms->b};
}

} // namespace

void append_inputs(const Draw& draw, const VertexPlacement& placement, std::vector<BatchInput>& inputs)
{
    for (u32 read = draw.program->usage().inputs; read != 0; read &= read - 1)
    {
        BatchInput& input = inputs.emplace_back();
        describe_input(draw.source, draw.source.input[static_cast<u32>(std::countr_zero(read))], placement,
                       input.config, input.fixed_value);
    }
}

BatchDraw batch_draw(const Draw& draw, const VertexPlacement& placement, const PlacesRow& places)
{
    BatchDraw result{};
    pack_rows(draw, placement, result);
    result.places = places;
    return result;
}

void pack_vertex_block(const Draw& draw, const VertexPlacement& placement, VertexBlock& block)
{
    block = {};
    pack_rows(draw, placement, block);
    const ShaderUniforms& uniforms = *draw.uniforms;
    for (u32 i = 0; i < uniforms.i.size(); i++)
        std::copy(uniforms.i[i].begin(), uniforms.i[i].end(), block.integers[i].begin());
    for (u32 n = 0; n < draw.source.input.size(); n++)
        describe_input(draw.source, draw.source.input[n], placement, block.input_config[n],
                       block.input_fixed[n]);
    std::copy(uniforms.f.begin(), uniforms.f.end(), block.constants);
    block.assembly = assembly_row(draw, placement);
    block.limits = {pica::kVertexBudget, 0, 0, 0};
    block.output_target = {placement.draw_index, 0, 0, 0};
}

TriangleDraw triangle_state(const GeometryConstants& g, const RecordLayout& layout, u32 scale)
{
    const pica::SnapBounds bounds = pica::snap_bounds(g, scale);
    TriangleDraw result{};
    result.clip_plane = g.clip_plane;
    result.viewport = {g.half_width, g.half_height, static_cast<f32>(g.viewport_x),
                       static_cast<f32>(g.viewport_y)};
    result.screen = {static_cast<f32>(16 * scale), static_cast<f32>(65536 * scale), 0.0f, 0.0f};
    result.snap_bounds = {bounds.low_x, bounds.low_y, bounds.high_x, bounds.high_y};
    result.record = {layout.words,
                     u32{layout.wide} | u32{layout.depth} << 8 | u32{layout.color} << 16 |
                         u32{layout.texcoord0_w} << 24,
                     u32{layout.texcoord[0]} | u32{layout.texcoord[1]} << 8 | u32{layout.texcoord[2]} << 16 |
                         u32{layout.quaternion} << 24,
                     (g.clip_plane_enable ? 1u : 0u) | (g.flat_color ? 2u : 0u) | u32{layout.view} << 8 |
                         pica::used_words(layout) << 16};
    return result;
}

TriangleDraw triangle_draw(const Draw& draw, const TriangleDraw& state, const VertexPlacement& placement)
{
    TriangleDraw result = state;
    result.assembly = assembly_row(draw, placement);
    result.vertices = {placement.first_shaded - placement.pending, kNoneShared, 0, 0};
    result.region = {placement.draw_index, placement.first_record, placement.record_capacity, 0};
    return result;
}

SlotsHeader place_slots(std::span<TriangleDraw> draws, std::vector<u32>& groups, u32 first_word)
{
    u32 slots = 0;
    groups.clear();
    for (u32 i = 0; i < draws.size(); i++)
    {
        draws[i].assembly.first_slot = slots;
        slots += std::max(draws[i].assembly.triangles, 1u);
        while (groups.size() * COMPUTE_GROUP < slots)
            groups.push_back(i); // the draw of the group's first slot
    }
    SlotsHeader header{};
    header.clipped_y = header.clipped_z = 1;
    header.slots = slots;
    header.first_command = first_word;
    header.first_total = header.first_command + 4 * static_cast<u32>(draws.size());
    header.first_word = header.first_total + static_cast<u32>(groups.size());
    header.first_listed = header.first_word + slots;
    groups.push_back(draws.empty() ? 0 : static_cast<u32>(draws.size()) - 1);
    return header;
}

} // namespace shadergen
