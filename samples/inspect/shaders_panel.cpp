// SPDX-License-Identifier: MIT
#include "samples/inspect/shaders_panel.h"

#include "samples/inspect/places.h"
#include "samples/inspect/shaders_model.h"
#include "samples/inspect/tab_row.h"

#include <imgui/imgui.h>

#include <cstddef>
#include <string>

namespace samples
{

void ShadersPanel::draw()
{
    auto stage = static_cast<std::size_t>(shaders_.stage());
    auto form = static_cast<std::size_t>(shaders_.form());
    const auto& stages = ShadersModel::kStages;
    const auto& forms = ShadersModel::kForms;
    draw_tabs(places_, "shader", {forms[0], forms[1], forms[2], forms[3]}, form);
    // The driver is asked for all of them.
    if (static_cast<ShadersModel::Form>(form) != ShadersModel::Form::Driver)
        draw_tabs(places_, "shader", {stages[0], stages[1], stages[2]}, stage);
    shaders_.choose(static_cast<ShadersModel::Stage>(stage), static_cast<ShadersModel::Form>(form));
    if (!shaders_.problem().empty())
        return ImGui::TextWrapped("%s", shaders_.problem().c_str());
    const auto& lines = shaders_.lines();
    ImGui::Text("%zu lines", lines.size());
    ImGui::SameLine();
    if (ImGui::Button("copy all"))
    {
        std::string text;
        for (const std::string& line : lines)
            text += line + "\n";
        ImGui::SetClipboardText(text.c_str());
    }
    places_.item("shader copy");
    // The list below draws what is seen only; its width is that of all of it.
    ImGui::SetNextWindowContentSize(
        {static_cast<float>(shaders_.columns() + 2) * ImGui::CalcTextSize("M").x, 0});
    ImGui::BeginChild("lines", {0, 0}, true, ImGuiWindowFlags_HorizontalScrollbar);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()));
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            ImGui::TextUnformatted(lines[static_cast<std::size_t>(row)].c_str());
    ImGui::EndChild();
}

} // namespace samples
