// SPDX-License-Identifier: MIT
#include "samples/inspect/tab_row.h"

#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <string>

namespace samples
{

void draw_tabs(Places& places, const char* place, std::initializer_list<const char*> names,
               std::size_t& chosen)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    std::size_t number = 0;
    for (const char* name : names)
    {
        const float width = ImGui::CalcTextSize(name).x + style.FramePadding.x * 2;
        if (number != 0 && ImGui::GetItemRectMax().x + style.ItemSpacing.x + width < end)
            ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Button,
                              style.Colors[number == chosen ? ImGuiCol_TabActive : ImGuiCol_Tab]);
        if (ImGui::Button(name))
            chosen = number;
        ImGui::PopStyleColor();
        places.item(std::string(place) + " " + name);
        ++number;
    }
    ImGui::Separator();
}

} // namespace samples
