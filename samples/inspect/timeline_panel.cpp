// SPDX-License-Identifier: MIT
#include "samples/inspect/timeline_panel.h"

#include "samples/inspect/places.h"
#include "samples/inspect/stream_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

namespace samples
{

using namespace pica;

unsigned TimelinePanel::color_of(std::size_t number) const
{
    const auto& what = model_.operations()[number].what;
    if (std::holds_alternative<DrawnTarget>(what))
        return IM_COL32(90, 150, 230, 255);
    if (std::holds_alternative<MemoryFill>(what))
        return IM_COL32(200, 170, 60, 255);
    if (std::holds_alternative<ByteRange>(what))
        return IM_COL32(110, 110, 110, 255);
    return IM_COL32(90, 180, 110, 255);
}

// Where they leave room for each other.
void TimelinePanel::draw_list_borders(const ImVec2& from, const ImVec2& size, float step) const
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto& operations = model_.operations();
    float last = from.x;
    for (std::size_t number = 1; number < operations.size(); ++number)
    {
        const ReplayOperation& operation = operations[number];
        if (!operation.is_draw() || !operations[number - 1].is_draw() ||
            operations[number - 1].list == operation.list)
            continue;
        const float x = from.x + static_cast<float>(number) * step;
        if (x - last < 4)
            continue;
        last = x;
        list.AddLine({x, from.y + 4}, {x, from.y + size.y - 4}, IM_COL32(20, 30, 60, 255));
    }
}

void TimelinePanel::draw()
{
    const std::size_t count = model_.operations().size();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (count == 0 || size.x < 1.0f || size.y < 1.0f)
        return;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float step = size.x / static_cast<float>(count);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // Neighbours of a colour are one rectangle. Of operations that share a pixel the last one shows.
    for (std::size_t first = 0, end = 0; first < count; first = end)
    {
        const unsigned color = color_of(first);
        while (end < count && color_of(end) == color &&
               (end == first || model_.operations()[end].frame == model_.operations()[first].frame))
            ++end;
        const float x = from.x + static_cast<float>(first) * step;
        const float end_x = from.x + static_cast<float>(end) * step;
        list.AddRectFilled({x, from.y + 4}, {std::max(end_x, x + 1), from.y + size.y - 4}, color);
        if (first == 0 || model_.operations()[first].frame != model_.operations()[first - 1].frame)
            list.AddLine({x, from.y}, {x, from.y + size.y}, IM_COL32(255, 255, 255, 160));
    }
    draw_list_borders(from, size, step);
    const float at = from.x + static_cast<float>(model_.selected()) * step;
    list.AddRect({at - 1, from.y}, {std::max(at + step, at + 2) + 1, from.y + size.y},
                 IM_COL32(255, 90, 60, 255), 0.0f, 0, 2.0f);
    ImGui::InvisibleButton("timeline", size);
    places_.item("timeline");
    if (!ImGui::IsItemHovered())
        return;
    const float place = (ImGui::GetIO().MousePos.x - from.x) / step;
    const std::size_t number = std::min(static_cast<std::size_t>(std::max(place, 0.0f)), count - 1);
    ImGui::SetTooltip("%s", model_.description(number).c_str());
    if (ImGui::IsMouseClicked(0))
        model_.select(number);
}

} // namespace samples
