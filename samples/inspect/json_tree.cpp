// SPDX-License-Identifier: MIT
#include "samples/inspect/json_tree.h"

#include <imgui/imgui.h>

#include <algorithm>

namespace samples
{

namespace
{

bool is_leaf(const Json& json)
{
    return !json.is_structured() ||
           (json.is_array() &&
            std::none_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); }));
}

// Lists of numbers whose names say that they are colours.
bool names_color(const std::string& name)
{
    static constexpr const char* kNames[] = {"rgba",      "primary_color", "buffer",    "result",
                                             "source",    "destination",   "combined",  "constant",
                                             "fog_color", "primary",       "secondary", "color"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&](const char* known) { return name == known; });
}

void draw_leaf(const std::string& name, const Json& json)
{
    const std::string value = json_line(json);
    ImGui::AlignTextToFramePadding();
    if (!name.empty())
    {
        ImGui::TextDisabled("%s", name.c_str());
        ImGui::SameLine();
    }
    if (is_color(json) && names_color(name))
    {
        draw_swatch(json);
        ImGui::SameLine();
    }
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopTextWrapPos();
}

} // namespace

bool is_color(const Json& json)
{
    return json.is_array() && json.size() == 4 &&
           std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number_unsigned(); });
}

void draw_swatch(const Json& color)
{
    const auto channel = [&](std::size_t i) { return static_cast<int>(color[i].get<unsigned>() & 255u); };
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + side, at.y + side}, IM_COL32(channel(0), channel(1), channel(2), 255));
    const int alpha = channel(3);
    list.AddRectFilled({at.x + side, at.y}, {at.x + side * 1.5f, at.y + side},
                       IM_COL32(alpha, alpha, alpha, 255));
    list.AddRect(at, {at.x + side * 1.5f, at.y + side}, IM_COL32(160, 160, 160, 255));
    ImGui::Dummy({side * 1.5f, side});
}

void draw_json(const std::string& name, const Json& json, bool open)
{
    if (is_leaf(json))
        return draw_leaf(name, json);
    if (!name.empty() && !ImGui::TreeNodeEx(name.c_str(), open ? ImGuiTreeNodeFlags_DefaultOpen : 0))
        return;
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            draw_json(key, value, open);
    else
        for (std::size_t i = 0; i < json.size(); ++i)
            draw_json(std::to_string(i), json[i], open);
    if (!name.empty())
        ImGui::TreePop();
}

} // namespace samples
