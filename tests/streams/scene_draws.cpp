// SPDX-License-Identifier: MIT
// What a StreamScene draws: vertices, shapes, text.
#include "tests/streams/font.h"
#include "tests/streams/scene.h"

#include <cmath>

namespace tests
{

namespace
{

std::span<const u8> bytes_of(std::span<const StreamVertex> vertices)
{
    return {reinterpret_cast<const u8*>(vertices.data()), vertices.size_bytes()};
}

StreamVertex with_color(StreamVertex vertex, u32 argb)
{
    vertex.a = u8(argb >> 24);
    vertex.r = u8(argb >> 16);
    vertex.g = u8(argb >> 8);
    vertex.b = u8(argb);
    return vertex;
}

} // namespace

u32 StreamScene::vertex_bytes(std::span<const u8> bytes)
{
    const u32 offset = u32(vertices_.size());
    vertices_.insert(vertices_.end(), bytes.begin(), bytes.end());
    vertices_.resize((vertices_.size() + 3) & ~std::size_t{3});
    return offset;
}

void StreamScene::draw_bytes(std::span<const u8> vertices, u32 count, Topology topology)
{
    list.write(reg::ATTRIBBUFFER_OFFSET::ids[0], vertex_bytes(vertices));
    list.draw_arrays(topology, 0, count);
}

void StreamScene::draw(std::span<const StreamVertex> vertices, Topology topology)
{
    draw_bytes(bytes_of(vertices), u32(vertices.size()), topology);
}

void StreamScene::draw_indexed(std::span<const StreamVertex> vertices, std::span<const u16> indices,
                               Topology topology)
{
    list.write(reg::ATTRIBBUFFER_OFFSET::ids[0], vertex_bytes(bytes_of(vertices)));
    const u32 at = vertex_bytes({reinterpret_cast<const u8*>(indices.data()), indices.size_bytes()});
    list.draw_elements(topology, at, IndexType::U16, u32(indices.size()));
}

void StreamScene::rectangle(f32 x, f32 y, f32 width, f32 height, u32 argb, f32 depth)
{
    const std::array<StreamVertex, 4> corners = {
        with_color({x, y, depth, 0, 0, 0, 0, 0, 1}, argb),
        with_color({x, y + height, depth, 0, 0, 0, 0, 0, 0}, argb),
        with_color({x + width, y, depth, 0, 0, 0, 0, 1, 1}, argb),
        with_color({x + width, y + height, depth, 0, 0, 0, 0, 1, 0}, argb)};
    draw(corners, Topology::TriangleStrip);
}

void StreamScene::sprite(f32 x, f32 y, f32 width, f32 height, f32 u_range, f32 v_range)
{
    const std::array<StreamVertex, 4> corners = {
        {{x, y, 0, 255, 255, 255, 255, 0, v_range},
         {x, y + height, 0, 255, 255, 255, 255, 0, 0},
         {x + width, y, 0, 255, 255, 255, 255, u_range, v_range},
         {x + width, y + height, 0, 255, 255, 255, 255, u_range, 0}}};
    draw(corners, Topology::TriangleStrip);
}

void StreamScene::draw_box(const std::array<u32, 6>& face_argb)
{
    std::vector<StreamVertex> vertices;
    for (u32 face = 0; face < 6; ++face)
    {
        const u32 axis = face / 2;
        const f32 side = face % 2 == 0 ? 1.0f : -1.0f;
        const auto corner = [&](f32 s, f32 t)
        {
            std::array<f32, 3> p{};
            p[axis] = side;
            p[(axis + 1) % 3] = s * side; // counter-clockwise from outside
            p[(axis + 2) % 3] = t;
            return with_color({p[0], p[1], p[2], 0, 0, 0, 0, s * 0.5f + 0.5f, t * 0.5f + 0.5f},
                              face_argb[face]);
        };
        const StreamVertex a = corner(-1, -1), b = corner(1, -1), c4 = corner(-1, 1), d = corner(1, 1);
        vertices.insert(vertices.end(), {a, b, c4, c4, b, d});
    }
    draw(vertices);
}

void StreamScene::label(f32 x, f32 y, std::string_view text, u32 argb, f32 scale)
{
    x = std::floor(x); // letters are sampled pixel by pixel
    y = std::floor(y);
    for (const char character : text)
    {
        const GlyphCell cell = glyph_cell(character);
        const f32 u = f32(cell.column) / 16, v = 1 - f32(cell.row) / 4;
        const f32 right = x + 8 * scale, bottom = y + 8 * scale;
        const f32 u2 = u + 1.0f / 16, v2 = v - 1.0f / 4;
        const StreamVertex a = with_color({x, y, 0, 0, 0, 0, 0, u, v}, argb);
        const StreamVertex b = with_color({x, bottom, 0, 0, 0, 0, 0, u, v2}, argb);
        const StreamVertex c4 = with_color({right, y, 0, 0, 0, 0, 0, u2, v}, argb);
        const StreamVertex d = with_color({right, bottom, 0, 0, 0, 0, 0, u2, v2}, argb);
        if (character != ' ')
            labels_.insert(labels_.end(), {a, b, c4, d});
        x += f32(kGlyphWidth) * scale;
    }
}

void StreamScene::draw_labels()
{
    if (labels_.empty())
        return;
    plain_state();
    standard_program();
    matrix_2d();
    bind_texture(0, font_);
    // Colour of the vertices, alpha of the letters.
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::Replace, 0);
    list.set(reg::FRAGOP_ALPHA_TEST::enable, true);
    list.set(reg::FRAGOP_ALPHA_TEST::func, CompareFunc::Greater);
    std::vector<u16> indices;
    for (u32 first = 0; first < labels_.size(); first += 4)
        for (const u32 corner : {0, 1, 2, 2, 1, 3})
            indices.push_back(u16(first + corner));
    draw_indexed(labels_, indices);
    labels_.clear();
}

} // namespace tests
