// SPDX-License-Identifier: MIT
#include "samples/inspect/tables_panel.h"

#include "samples/inspect/places.h"
#include "samples/inspect/tables_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cstdio>

namespace samples
{

using namespace pica;

namespace
{

constexpr ImU32 kColors[] = {IM_COL32(255, 110, 100, 255), IM_COL32(110, 230, 110, 255),
                             IM_COL32(120, 160, 255, 255), IM_COL32(220, 220, 220, 255)};
constexpr ImU32 kOnly = IM_COL32(120, 190, 255, 255);
constexpr ImU32 kMark = IM_COL32(255, 170, 60, 255);
constexpr ImU32 kGrid = IM_COL32(70, 74, 84, 255);

// Where values are in the window.
struct PlotPlace
{
    ImVec2 from, size;
    float left, right, low, high;

    ImVec2 at(float x, float y) const
    {
        return {from.x + (x - left) / (right - left) * size.x,
                from.y + size.y - (y - low) / (high - low) * size.y};
    }
};

PlotPlace place_plot(const ShownTable& table, ImVec2 from, ImVec2 size)
{
    PlotPlace place{from, size, table.first_x, 1, 0, 1};
    for (const TableCurve& curve : table.curves)
        for (const auto& point : curve.points)
        {
            place.low = std::min(place.low, point[1]);
            place.high = std::max(place.high, point[1]);
        }
    return place;
}

void draw_grid(const PlotPlace& place, ImDrawList& list)
{
    const float end_x = place.from.x + place.size.x, end_y = place.from.y + place.size.y;
    char text[32];
    for (int i = 0; i <= 4; ++i)
    {
        const float part = static_cast<float>(i) / 4;
        const float x = place.left + (place.right - place.left) * part;
        const float y = place.low + (place.high - place.low) * part;
        const ImVec2 at = place.at(x, y);
        list.AddLine({at.x, place.from.y}, {at.x, end_y}, kGrid);
        list.AddLine({place.from.x, at.y}, {end_x, at.y}, kGrid);
        std::snprintf(text, sizeof text, "%.2f", double{x});
        const float width = ImGui::CalcTextSize(text).x;
        list.AddText({std::clamp(at.x - width / 2, place.from.x, end_x - width), end_y + 2}, IM_COL32_WHITE,
                     text);
        std::snprintf(text, sizeof text, "%.2f", double{y});
        list.AddText({place.from.x - ImGui::CalcTextSize(text).x - 4, at.y - ImGui::GetFontSize() / 2},
                     IM_COL32_WHITE, text);
    }
}

} // namespace

void TablesPanel::draw_list()
{
    ImGui::BeginChild("tables", {0, 9 * ImGui::GetTextLineHeightWithSpacing() + 12}, true);
    for (const ShownTable& table : tables_.tables())
    {
        const std::string line = table.name + (table.is_read ? "  read by the draw" : "");
        if (ImGui::Selectable(line.c_str(), table.name == chosen_))
            chosen_ = table.name;
        places_.item("table " + table.name);
    }
    ImGui::EndChild();
}

void TablesPanel::draw_plot(const ShownTable& table, float height)
{
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = 48, below = ImGui::GetFontSize() + 6;
    const PlotPlace place =
        place_plot(table, {corner.x + left, corner.y + 8}, {room.x - left - 8, height - below - 16});
    ImGui::InvisibleButton("plot", {room.x, height});
    places_.item("plot");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_grid(place, list);
    for (std::size_t i = 0; i < table.curves.size(); ++i)
    {
        const auto& points = table.curves[i].points;
        const ImU32 color = table.curves.size() == 1 ? kOnly : kColors[i % 4];
        for (std::size_t k = 0; k + 1 < points.size(); ++k)
            list.AddLine(place.at(points[k][0], points[k][1]), place.at(points[k + 1][0], points[k + 1][1]),
                         color, 1.5f);
    }
    for (const TableMark& mark : tables_.marks(table.name))
    {
        const ImVec2 at = place.at(mark.x, mark.y);
        list.AddLine({at.x, place.from.y}, {at.x, place.from.y + place.size.y}, kMark);
        list.AddCircleFilled(at, 4, kMark);
    }
    if (!ImGui::IsItemHovered())
        return;
    const float part = (ImGui::GetIO().MousePos.x - place.from.x) / place.size.x;
    const auto entry =
        static_cast<std::size_t>(std::clamp(part, 0.0f, 0.999f) * static_cast<float>(table.entries));
    std::string text = "input from " + float_json(table.curves[0].points[entry * 2][0]).dump();
    for (const TableCurve& curve : table.curves)
        text += std::string("\n") + curve.name + " " + float_json(curve.points[entry * 2][1]).dump() +
                " to " + float_json(curve.points[entry * 2 + 1][1]).dump();
    ImGui::SetTooltip("%s", text.c_str());
}

void TablesPanel::draw_marks(const ShownTable& table)
{
    const auto marks = tables_.marks(table.name);
    if (marks.empty())
        return ImGui::TextWrapped("Pick a pixel that this draw has drawn to see what its fragments read of "
                                  "a table of lighting.");
    for (const TableMark& mark : marks)
        ImGui::TextWrapped("%s", mark.text.c_str());
}

void TablesPanel::draw()
{
    if (!tables_.draw())
        return ImGui::TextWrapped("No draw up to the selected operation.");
    const auto& tables = tables_.tables();
    if (tables.empty())
        return ImGui::TextWrapped("The draw has no tables.");
    const auto named = [&](const ShownTable& table) { return table.name == chosen_; };
    if (std::none_of(tables.begin(), tables.end(), named))
        chosen_ = tables.front().name;
    draw_list();
    const auto shown = std::find_if(tables.begin(), tables.end(), named);
    ImGui::BeginChild("table");
    draw_plot(*shown, 320.0f);
    draw_marks(*shown);
    ImGui::EndChild();
}

} // namespace samples
