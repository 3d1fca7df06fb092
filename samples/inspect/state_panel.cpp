// SPDX-License-Identifier: MIT
#include "samples/inspect/state_panel.h"

#include "samples/inspect/json_tree.h"
#include "samples/inspect/places.h"
#include "samples/inspect/state_model.h"

#include <imgui/imgui.h>

#include <cstddef>

namespace samples
{

namespace
{

void draw_row(const StateRow& row)
{
    const bool changed = !row.before.empty();
    const ImVec4 color = changed ? ImVec4(1.0f, 0.8f, 0.3f, 1.0f) : ImVec4(0.6f, 0.8f, 1.0f, 1.0f);
    ImGui::TextColored(color, "%s", row.name.c_str());
    if (changed)
    {
        ImGui::SameLine();
        ImGui::TextColored(color, "was %s", row.before.c_str());
    }
    ImGui::Indent();
    ImGui::TextWrapped("%s", row.text.c_str());
    ImGui::Unindent();
}

} // namespace

void StatePanel::draw()
{
    if (!state_.draw())
    {
        ImGui::TextWrapped("No draw up to the selected operation.");
        return;
    }
    ImGui::SetNextItemWidth(220.0f);
    ImGui::InputTextWithHint("##registers", "register, as 3dbrew has it", search_.data(), search_.size());
    places_.item("register filter");
    ImGui::SameLine();
    ImGui::Checkbox("only what changed", &only_changed_);
    places_.item("only what changed");
    ImGui::BeginChild("registers");
    state_.filter(search_.data(), only_changed_);
    for (const std::size_t row : state_.shown())
        draw_row(state_.rows()[row]);
    if (!state_.other_changes().empty())
        draw_json("also changed", state_.other_changes());
    ImGui::EndChild();
}

} // namespace samples
