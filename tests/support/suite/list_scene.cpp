// SPDX-License-Identifier: MIT
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/plain_state.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tests
{

namespace
{

constexpr std::array kSemantics = {0x03020100u, 0x0B0A0908u, 0x0F0E0D0Cu,
                                   0x1F1F1716u, 0x07060504u, 0x10141312u};
constexpr u32 kAttributes = 6; // of four floats each
constexpr std::array kUnitEnable = {reg::TEXUNIT_CONFIG::enable0, reg::TEXUNIT_CONFIG::enable1,
                                    reg::TEXUNIT_CONFIG::enable2};

} // namespace

void write_vertex_state(CommandListBuilder& list, PhysAddr vertices)
{
    ProgramBuilder program;
    for (u32 i = 0; i < kAttributes; ++i)
        program.mov(o(i), v(i));
    program.end();
    list.upload_vertex_program(program.words(), program.descriptors(), 0);

    list.set(reg::SH_OUTMAP_TOTAL::count, kAttributes);
    list.write_consecutive(reg::SH_OUTMAP_O::id, kSemantics);
    list.set(reg::VSH_OUTMAP_MASK::mask, (1u << kAttributes) - 1);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, kAttributes - 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, kAttributes - 1);
    list.set(reg::ATTRIBBUFFERS_LOC::base, vertices >> 4);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xFFFFFF);
    list.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, kAttributes - 1);
    list.write(reg::ATTRIBBUFFER_CONFIG1::id, 0x543210);
    list.set(reg::ATTRIBBUFFER_CONFIG2::stride, u32(sizeof(ListVertex)));
    list.set(reg::ATTRIBBUFFER_CONFIG2::count, kAttributes);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, kAttributes - 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, kAttributes - 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
}

ListScene::ListScene(ConformanceMachine& machine_, Random& random_, u32 w, u32 h)
    : machine(machine_), random(random_)
{
    write_vertex_state(list, kVertices);
    write_plain_state(list);
    color_target(kColor, ColorFormat::RGBA8);
    depth_target(kDepth, DepthFormat::D24S8);
    size(w, h, true);
    viewport(f32(w) * 0.5f, f32(h) * 0.5f, 0, 0);
}

void ListScene::color_target(PhysAddr address, ColorFormat format)
{
    list.set(reg::COLORBUFFER_LOC::address, address >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, format);
}

void ListScene::depth_target(PhysAddr address, DepthFormat format)
{
    list.set(reg::DEPTHBUFFER_LOC::address, address >> 3);
    list.set(reg::DEPTHBUFFER_FORMAT::format, format);
}

void ListScene::size(u32 w, u32 h, bool flip)
{
    width = w;
    height = h;
    list.set(reg::FRAMEBUFFER_DIM::width, w);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, h - 1);
    list.set(reg::FRAMEBUFFER_DIM::flip, flip);
}

void ListScene::viewport(f32 half_width, f32 half_height, s32 x, s32 y)
{
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(half_width));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(half_height));
    list.set(reg::VIEWPORT_XY::x, x);
    list.set(reg::VIEWPORT_XY::y, y);
}

std::array<f32, 4> ListScene::at(f32 x, f32 y, f32 z, f32 w) const
{
    const f32 nx = x * 2.0f / f32(width) - 1.0f;
    const f32 ny = y * 2.0f / f32(height) - 1.0f;
    return {nx * w, ny * w, z * w, w};
}

ListVertex ListScene::random_vertex(f32 x, f32 y, f32 z, f32 w)
{
    ListVertex vertex;
    vertex.position = at(x, y, z, w);
    for (f32& c : vertex.color)
        c = random.real(&c == &vertex.color[3] ? least_alpha : -0.2f, 1.2f);
    for (f32& c : vertex.texcoord01)
        c = random.real(-coordinate_range, coordinate_range);
    for (f32& c : vertex.texcoord2)
        c = random.real(-coordinate_range, coordinate_range);
    return vertex;
}

void ListScene::quad(f32 x1, f32 y1, f32 x2, f32 y2, f32 z)
{
    const f32 w = perspective ? random.real(0.5f, 4.0f) : 1.0f;
    const ListVertex a = random_vertex(x1, y1, z, 1.0f), b = random_vertex(x2, y1, z, w);
    const ListVertex c = random_vertex(x1, y2, z, w), d = random_vertex(x2, y2, z, 1.0f);
    for (const ListVertex& vertex : {a, b, c, c, b, d})
        add(vertex);
}

void ListScene::triangles(u32 count)
{
    const auto snap = [&](f32 x)
    {
        const u32 kind = random.below(3);
        return kind == 0 ? x : kind == 1 ? std::floor(x) + 0.5f : std::floor(x * 16.0f) / 16.0f;
    };
    const f32 extent = f32(std::max(width, height));
    for (u32 t = 0; t < count; ++t)
    {
        const f32 size = extent * random.pick({0.05f, 0.2f, 0.6f, 1.5f});
        const f32 x = random.real(-0.1f, 1.1f) * f32(width);
        const f32 y = random.real(-0.1f, 1.1f) * f32(height);
        const f32 flat = random.pick({-0.75f, -0.5f, -0.25f});
        const bool is_flat = random.chance(1, 2);
        const bool shares_edge = vertices_.size() >= 3 && random.chance(1, 3);
        for (u32 i = 0; i < 3; ++i)
        {
            if (shares_edge && i < 2)
            {
                vertices_.push_back(vertices_[vertices_.size() - 2]);
                continue;
            }
            vertices_.push_back(random_vertex(
                snap(x + random.real(-size, size)), snap(y + random.real(-size, size)),
                is_flat ? flat : random.real(-1.02f, 0.02f), perspective ? random.real(0.5f, 8.0f) : 1.0f));
        }
    }
}

void ListScene::draw(Topology topology)
{
    const u32 first = u32(buffer_.size() / sizeof(ListVertex));
    const std::size_t begin = std::size_t{first} * sizeof(ListVertex);
    buffer_.resize(begin + vertices_.size() * sizeof(ListVertex));
    std::memcpy(buffer_.data() + begin, vertices_.data(), vertices_.size() * sizeof(ListVertex));
    list.draw_arrays(topology, first, u32(vertices_.size()));
    vertices_.clear();
}

void ListScene::draw_indexed()
{
    const u32 first = u32(buffer_.size() / sizeof(ListVertex));
    const u32 count = u32(vertices_.size());
    std::vector<u16> indices;
    for (u32 i = 0; i < count; ++i)
        indices.push_back(u16(first + i));
    for (u32 i = 0; i + 5 < count; i += 3) // exchange whole triangles
    {
        const u32 other = i + 3 + random.below((count - i) / 3 - 1) * 3;
        std::swap_ranges(indices.begin() + i, indices.begin() + i + 3, indices.begin() + other);
    }
    const std::size_t begin = std::size_t{first} * sizeof(ListVertex);
    buffer_.resize(begin + count * sizeof(ListVertex));
    std::memcpy(buffer_.data() + begin, vertices_.data(), count * sizeof(ListVertex));
    const u32 offset = u32(buffer_.size());
    // Whole vertices, so that later ones stay aligned.
    buffer_.resize(offset +
                   (indices.size() * 2 + sizeof(ListVertex) - 1) / sizeof(ListVertex) * sizeof(ListVertex));
    std::memcpy(buffer_.data() + offset, indices.data(), indices.size() * 2);
    list.draw_elements(Topology::TriangleList, offset, IndexType::U16, count);
    vertices_.clear();
}

void ListScene::texture_unit(u32 unit, PhysAddr address, u32 texture_width, u32 texture_height,
                             TextureFormat format)
{
    list.set(reg::TEXUNIT_ADDR::address, address >> 3, unit);
    list.set(reg::TEXUNIT_DIM::width, texture_width, unit);
    list.set(reg::TEXUNIT_DIM::height, texture_height, unit);
    list.set(reg::TEXUNIT_TYPE::format, format, unit);
    list.set(kUnitEnable[unit], true);
}

void ListScene::random_sampler(u32 unit)
{
    list.set(reg::TEXUNIT_PARAM::mag_filter, static_cast<TextureFilter>(random.below(2)), unit);
    list.set(reg::TEXUNIT_PARAM::min_filter, static_cast<TextureFilter>(random.below(2)), unit);
    list.set(reg::TEXUNIT_PARAM::mip_filter, static_cast<TextureFilter>(random.below(2)), unit);
    list.set(reg::TEXUNIT_LOD::bias, random.chance(1, 2) ? 0 : random.between(-4096, 4095), unit);
    list.set(reg::TEXUNIT_LOD::max_level, random.chance(1, 2) ? 0 : random.below(16), unit);
    list.set(reg::TEXUNIT_LOD::min_level, random.chance(3, 4) ? 0 : random.below(16), unit);
    list.set(reg::TEXUNIT_PARAM::wrap_s, static_cast<TextureWrap>(random.below(8)), unit);
    list.set(reg::TEXUNIT_PARAM::wrap_t, static_cast<TextureWrap>(random.below(8)), unit);
    list.write(reg::TEXUNIT_BORDER_COLOR::ids[unit], random.next());
}

void ListScene::textured()
{
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Texture0, 0);
    list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::PrimaryColor, 0);
    list.set(reg::TEXENV_SOURCE::alpha_2, CombinerSource::PrimaryColor, 0);
    list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, 0);
    list.set(reg::TEXENV_COMBINER::alpha_op, CombinerOp::Modulate, 0);
}

void ListScene::run()
{
    if (!buffer_.empty())
        machine.write(kVertices, std::span<const u8>(buffer_));
    const std::vector<u32> words = list.finish();
    machine.run_list(words);
    buffer_.clear();
}

} // namespace tests
