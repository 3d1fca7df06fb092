// SPDX-License-Identifier: MIT
#include "samples/inspect/vertices_panel.h"

#include "pica/inspect/draw_vertices.h"
#include "samples/inspect/gl_canvas.h"
#include "samples/inspect/places.h"
#include "samples/inspect/tab_row.h"
#include "samples/inspect/vertices_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace samples
{

using namespace pica;

namespace
{

enum Tab : std::size_t
{
    kTable,
    kBefore,
    kAfter,
    kTriangles,
};

constexpr ImGuiTableFlags kTableFlags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                        ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                        ImGuiTableFlags_SizingFixedFit;

} // namespace

VerticesPanel::~VerticesPanel()
{
    canvas_.destroy(texture_);
}

std::optional<u32> VerticesPanel::draw_table()
{
    std::optional<u32> clicked;
    const auto& columns = vertices_.columns();
    const auto elements = vertices_.vertices().elements.size();
    ImGui::TextWrapped("A click on an element steps through its program.");
    if (!ImGui::BeginTable("vertices", static_cast<int>(columns.size()) + 2, kTableFlags))
        return clicked;
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableSetupColumn("element", ImGuiTableColumnFlags_WidthFixed, 60.0f);
    ImGui::TableSetupColumn("vertex", ImGuiTableColumnFlags_WidthFixed, 60.0f);
    for (const std::string& column : columns)
        ImGui::TableSetupColumn(column.c_str(), ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(elements));
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        {
            const auto element = static_cast<std::size_t>(row);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const std::string number = std::to_string(element);
            if (ImGui::Selectable(number.c_str()))
                clicked = static_cast<u32>(element);
            places_.item("element " + number);
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(std::to_string(vertices_.vertex_of(element)).c_str());
            for (std::size_t column = 0; column < columns.size(); ++column)
            {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(vertices_.cell(element, column).c_str());
            }
        }
    ImGui::EndTable();
    return clicked;
}

void VerticesPanel::draw_wires()
{
    if (tab_ == kBefore)
    {
        ImGui::TextUnformatted("right and up:");
        for (int side = 0; side < 3; ++side)
        {
            static constexpr const char* kNames[] = {"x y", "x z", "z y"};
            ImGui::SameLine();
            ImGui::RadioButton(kNames[side], &side_, side);
            places_.item(std::string("side ") + kNames[side]);
        }
    }
    else
    {
        ImGui::Checkbox("show what is outside of the target", &fits_);
        places_.item("outside");
    }
    const Wireframe wires =
        tab_ == kBefore ? vertices_.before(static_cast<WireView>(side_)) : vertices_.after();
    const std::optional<WireRect> bounds =
        tab_ == kAfter && !fits_ && wires.frame ? wires.frame : wires.bounds();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const auto width = static_cast<u32>(std::max(room.x, 16.0f));
    const auto height = static_cast<u32>(std::max(room.y - ImGui::GetTextLineHeightWithSpacing(), 16.0f));
    if (!bounds)
        return ImGui::TextUnformatted("No vertex has a place.");
    const Json shows = {
        vertices_.log(), tab_, side_, fits_, width, height, triangle_ ? Json(*triangle_) : Json(nullptr)};
    if (shows != shown_)
    {
        shown_ = shows;
        // A little room around it.
        const f32 space = 0.03f * std::max(bounds->right - bounds->left, bounds->bottom - bounds->top);
        const WireRect rect = {bounds->left - space, bounds->top - space, bounds->right + space,
                               bounds->bottom + space};
        texture_ = canvas_.upload(draw_wireframe(wires, rect, width, height, triangle_), texture_);
    }
    ImGui::Image((ImTextureID)(std::intptr_t)texture_,
                 {static_cast<float>(width), static_cast<float>(height)});
    places_.item("wireframe");
    ImGui::TextDisabled("%zu points, %zu triangles", wires.points.size(), wires.triangles.size());
}

void VerticesPanel::draw_triangles()
{
    const auto count = vertices_.vertices().triangles.size();
    ImGui::TextWrapped(
        "Corners, and where the picture of the target has them. The chosen one is orange in wireframes.");
    if (!ImGui::BeginTable("triangles", 4, kTableFlags))
        return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (const char* name : {"triangle", "corner 0", "corner 1", "corner 2"})
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count));
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        {
            const auto triangle = static_cast<std::size_t>(row);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            if (ImGui::Selectable(std::to_string(triangle).c_str(), triangle_ == triangle))
                triangle_ = triangle;
            places_.item("triangle " + std::to_string(triangle));
            for (std::size_t corner = 0; corner < 3; ++corner)
            {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(vertices_.corner_text(triangle, corner).c_str());
            }
        }
    ImGui::EndTable();
}

std::optional<u32> VerticesPanel::draw()
{
    if (!vertices_.draw())
    {
        ImGui::TextWrapped("No draw up to the selected operation.");
        return std::nullopt;
    }
    if (vertices_.draw() != draw_)
    {
        draw_ = vertices_.draw();
        triangle_.reset();
    }
    const DrawVertices& vertices = vertices_.vertices();
    ImGui::TextWrapped("%zu elements of %zu vertices; %zu triangles before clipping%s",
                       vertices.elements.size(), vertices.shaded.size(), vertices.triangles.size(),
                       vertices_.has_geometry_program() ? ", made by a geometry program" : "");
    if (vertices.left_out != 0)
        ImGui::TextWrapped("%u more elements are not shown", vertices.left_out);
    draw_tabs(places_, "vertices", {"table", "before", "after", "triangles"}, tab_);
    if (tab_ == kTable)
        return draw_table();
    if (tab_ == kTriangles)
        draw_triangles();
    else
        draw_wires();
    return std::nullopt;
}

Json VerticesPanel::log()
{
    static constexpr const char* kTabs[] = {"table", "before", "after", "triangles"};
    Json json = vertices_.log();
    json["tab"] = kTabs[tab_];
    json["side"] = side_;
    json["outside"] = fits_;
    json["triangle"] = triangle_ ? Json(*triangle_) : Json(nullptr);
    return json;
}

} // namespace samples
