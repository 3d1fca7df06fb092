// SPDX-License-Identifier: MIT
#include "samples/inspect/breakpoints_panel.h"

#include "samples/inspect/breakpoints_model.h"
#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <cstddef>
#include <iterator>
#include <optional>

namespace samples
{

using namespace pica;

void BreakpointsPanel::draw_new()
{
    static constexpr const char* kHints[] = {"TEXENV0_SOURCE, or 0x0C0=0x000F000F",
                                             "ETC1, depth_func=Less, tev0.color_op=Add, ...",
                                             "0x18000000: the word changes", "0x20000000: the byte is read"};
    for (int kind = 0; kind < static_cast<int>(std::size(Breakpoint::kKinds)); ++kind)
    {
        if (kind % 2 != 0)
            ImGui::SameLine(150.0f);
        ImGui::RadioButton(Breakpoint::kKinds[kind], &kind_, kind);
        places_.item(std::string("break ") + Breakpoint::kKinds[kind]);
    }
    ImGui::SetNextItemWidth(-60.0f);
    const bool entered = ImGui::InputTextWithHint("##break", kHints[kind_], text_.data(), text_.size(),
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    places_.item("break text");
    ImGui::SameLine();
    const bool clicked = ImGui::Button("add");
    places_.item("break add");
    if (entered || clicked)
    {
        const Status added = breakpoints_.add(static_cast<Breakpoint::Kind>(kind_), text_.data());
        problem_ = added ? "" : added.error().message;
        if (added)
            text_.fill(0);
    }
    if (!problem_.empty())
    {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.45f, 0.4f, 1.0f));
        ImGui::TextWrapped("%s", problem_.c_str());
        ImGui::PopStyleColor();
    }
}

void BreakpointsPanel::draw_list()
{
    std::optional<std::size_t> removed;
    for (std::size_t i = 0; i < breakpoints_.breakpoints().size(); ++i)
    {
        const Breakpoint& breakpoint = breakpoints_.breakpoints()[i];
        ImGui::PushID(static_cast<int>(i));
        bool enabled = breakpoint.enabled;
        if (ImGui::Checkbox("##on", &enabled))
            breakpoints_.enable(i, enabled);
        places_.item("break on " + std::to_string(i));
        ImGui::SameLine();
        if (ImGui::Button("remove"))
            removed = i;
        places_.item("break remove " + std::to_string(i));
        ImGui::SameLine();
        ImGui::TextWrapped("%s", breakpoint.line().c_str());
        ImGui::PopID();
    }
    if (removed)
        breakpoints_.remove(*removed);
}

void BreakpointsPanel::draw()
{
    draw_new();
    ImGui::Separator();
    if (breakpoints_.is_searching())
        return ImGui::TextUnformatted("searching");
    if (ImGui::Button("run back (F7)"))
        breakpoints_.start(false);
    places_.item("run back");
    ImGui::SameLine();
    if (ImGui::Button("run on (F8)"))
        breakpoints_.start(true);
    places_.item("run on");
    if (!breakpoints_.result().empty())
        ImGui::TextWrapped("%s", breakpoints_.result().c_str());
    ImGui::Separator();
    draw_list();
}

} // namespace samples
