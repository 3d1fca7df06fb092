// SPDX-License-Identifier: MIT
#include "samples/inspect/vertices_model.h"

#include "pica/inspect/draw_vertices.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"

#include <bit>
#include <cstdio>
#include <limits>

namespace samples
{

using namespace pica;

namespace
{

constexpr f32 kNowhere = std::numeric_limits<f32>::quiet_NaN();

// The number of the register that is bit n of the mask, counted from its lowest.
u32 nth_register(u32 mask, std::size_t n)
{
    for (; n > 0; --n)
        mask &= mask - 1;
    return static_cast<u32>(std::countr_zero(mask));
}

} // namespace

VerticesModel::VerticesModel(StreamModel& model) : model_(model), vertices_(std::make_unique<DrawVertices>())
{
}

VerticesModel::~VerticesModel() = default;

void VerticesModel::find()
{
    if (found_at_ == model_.revision())
        return;
    found_at_ = model_.revision();
    *vertices_ = {};
    columns_.clear();
    has_geometry_ = false;
    draw_ = model_.last_draw();
    if (!draw_)
        return;
    Replay& replay = model_.replay();
    visit_draw(replay, *draw_,
               [&](const Draw& draw)
               {
                   *vertices_ =
                       find_vertices(draw, replay.core().save_carryover(), replay.memory(), kMostElements);
                   constants_ = draw.geometry;
                   target_ = draw.target;
                   has_geometry_ = draw.geometry_unit.feed.enabled != 0;
               });
    for (u32 n = 0; n < 16; ++n)
        if (vertices_->inputs_read >> n & 1)
            columns_.push_back("v" + std::to_string(n));
    for (u32 n = 0; n < 16; ++n)
        if (vertices_->outputs_written >> n & 1)
            columns_.push_back("o" + std::to_string(n));
}

std::optional<std::size_t> VerticesModel::draw()
{
    find();
    return draw_;
}

const DrawVertices& VerticesModel::vertices()
{
    find();
    return *vertices_;
}

bool VerticesModel::has_geometry_program()
{
    find();
    return has_geometry_;
}

const std::vector<std::string>& VerticesModel::columns()
{
    find();
    return columns_;
}

std::string VerticesModel::cell(std::size_t element, std::size_t column)
{
    find();
    const DrawVertex& vertex = vertices_->shaded[vertices_->elements[element]];
    const auto inputs = static_cast<std::size_t>(std::popcount(vertices_->inputs_read));
    const Vec4& value = column < inputs
                            ? vertex.inputs[nth_register(vertices_->inputs_read, column)]
                            : vertex.outputs[nth_register(vertices_->outputs_written, column - inputs)];
    return json_line(vector_json(value));
}

u64 VerticesModel::vertex_of(std::size_t element)
{
    find();
    return vertices_->shaded[vertices_->elements[element]].number;
}

std::array<f32, 2> VerticesModel::place_of(const AssembledVertex& vertex) const
{
    const Vec4 p = vertex.position();
    if (!(p[3] > 0))
        return {kNowhere, kNowhere};
    const f32 x = (p[0] / p[3] + 1) * constants_.half_width + static_cast<f32>(constants_.viewport_x);
    const f32 y = (p[1] / p[3] + 1) * constants_.half_height + static_cast<f32>(constants_.viewport_y);
    return {y, static_cast<f32>(target_.width) - x};
}

std::string VerticesModel::corner_text(std::size_t triangle, std::size_t corner)
{
    find();
    const u32 place = vertices_->triangles[triangle][corner];
    const AssembledVertex& vertex = vertices_->assembled[place];
    std::string from = "emitted";
    if (place < vertices_->earlier)
        from = "of an earlier draw";
    else if (vertex.shaded != AssembledVertex::kNone)
        from = "vertex " + std::to_string(vertices_->shaded[vertex.shaded].number);
    const auto at = place_of(vertex);
    char text[64];
    std::snprintf(text, sizeof text, " (%.1f %.1f)", double{at[0]}, double{at[1]});
    return from + text;
}

Wireframe VerticesModel::before(WireView view)
{
    find();
    Wireframe wires;
    if (vertices_->inputs_read == 0)
        return wires;
    const auto position = static_cast<std::size_t>(std::countr_zero(vertices_->inputs_read));
    const std::size_t right = view == WireView::Zy ? 2 : 0;
    const std::size_t up = view == WireView::Xz ? 2 : 1;
    for (const DrawVertex& vertex : vertices_->shaded)
        wires.points.push_back({vertex.inputs[position][right], -vertex.inputs[position][up]});
    for (const auto& triangle : vertices_->triangles)
    {
        std::array<u32, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = vertices_->assembled[triangle[i]].shaded; // kNone is no point
        wires.triangles.push_back(corners);
    }
    return wires;
}

Wireframe VerticesModel::after()
{
    find();
    Wireframe wires;
    if (!draw_)
        return wires;
    wires.frame = WireRect{0, 0, static_cast<f32>(target_.height), static_cast<f32>(target_.width)};
    for (const AssembledVertex& vertex : vertices_->assembled)
        wires.points.push_back(place_of(vertex));
    wires.triangles = vertices_->triangles;
    return wires;
}

Json VerticesModel::log()
{
    if (!draw())
        return {{"operation", nullptr}};
    return {{"operation", *draw_},
            {"elements", vertices_->elements.size()},
            {"vertices", vertices_->shaded.size()},
            {"triangles", vertices_->triangles.size()},
            {"columns", columns_}};
}

} // namespace samples
