// SPDX-License-Identifier: MIT
#include "samples/inspect/memory_panel.h"

#include "samples/inspect/memory_model.h"
#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

namespace samples
{

using namespace pica;

namespace
{

// A number above 0 that can be typed.
bool input_size(const char* label, u32& value)
{
    int typed = static_cast<int>(std::min(value, 0x7FFFFFFFu));
    ImGui::SetNextItemWidth(110.0f);
    if (!ImGui::InputInt(label, &typed) || typed < 1)
        return false;
    value = static_cast<u32>(typed);
    return true;
}

} // namespace

void MemoryPanel::draw_places()
{
    ImGui::SetNextItemWidth(-1.0f);
    const bool open = ImGui::BeginCombo("##places", "go to what the draw or a screen uses");
    places_.item("memory places");
    if (!open)
        return;
    for (const MemoryPlace& place : memory_.places())
    {
        if (ImGui::Selectable((place.name + "  " + hex(place.view.address)).c_str()))
            memory_.show(place.view);
        places_.item("memory place " + place.name);
    }
    ImGui::EndCombo();
}

void MemoryPanel::draw_form()
{
    MemoryView view = memory_.view();
    if (address_of_ != view.address)
    {
        address_of_ = view.address;
        std::snprintf(address_.data(), address_.size(), "0x%08X", view.address);
    }
    ImGui::SetNextItemWidth(110.0f);
    u32 typed = 0;
    ImGui::InputText("address", address_.data(), address_.size());
    places_.item("memory address");
    if (parse_number(address_.data(), typed) && typed != view.address)
        view.address = address_of_ = typed;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(130.0f);
    const auto formats = memory_formats();
    const bool open = ImGui::BeginCombo("format", formats[view.format].name, ImGuiComboFlags_HeightLargest);
    places_.item("memory format");
    if (open)
    {
        for (std::size_t i = 0; i < formats.size(); ++i)
        {
            if (ImGui::Selectable(formats[i].name, i == view.format))
            {
                view.format = i;
                if (!formats[i].is_picture() && view.width > MemoryModel::kMostNumbers)
                    view.width = 4; // what fits
            }
            places_.item(std::string("format ") + formats[i].name);
        }
        ImGui::EndCombo();
    }
    const bool picture = formats[view.format].is_picture();
    input_size(picture ? "width" : "numbers a line", view.width);
    ImGui::SameLine();
    input_size(picture ? "rows" : "lines", view.height);
    if (picture)
    {
        int layout = static_cast<int>(view.layout), turn = static_cast<int>(view.turn);
        ImGui::SetNextItemWidth(130.0f);
        if (ImGui::Combo("layout", &layout, kMemoryLayouts, static_cast<int>(std::size(kMemoryLayouts))))
            view.layout = static_cast<MemoryLayout>(layout);
        ImGui::SetNextItemWidth(200.0f);
        if (ImGui::Combo("shown", &turn, kMemoryTurns, static_cast<int>(std::size(kMemoryTurns))))
            view.turn = static_cast<MemoryTurn>(turn);
    }
    memory_.show(view);
}

void MemoryPanel::draw_numbers()
{
    ImGui::BeginChild("numbers", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(memory_.view().height));
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            ImGui::TextUnformatted(memory_.line(static_cast<u32>(row)).c_str());
    ImGui::EndChild();
    places_.item("numbers");
}

void MemoryPanel::draw()
{
    draw_places();
    draw_form();
    if (!memory_.problem().empty())
        return ImGui::TextWrapped("%s", memory_.problem().c_str());
    if (memory_.bytes_in_memory() < memory_.bytes())
        ImGui::TextWrapped("%llu of %llu bytes are memory; the others are shown as 0.",
                           static_cast<unsigned long long>(memory_.bytes_in_memory()),
                           static_cast<unsigned long long>(memory_.bytes()));
    if (!memory_formats()[memory_.view().format].is_picture())
        return draw_numbers();
    view_.draw_choice();
    const Json key = memory_.picture_revision();
    if (const auto pixel = view_.draw(memory_.picture(), key, "memory"))
        ImGui::SetTooltip("%s", memory_.pixel_text((*pixel)[0], (*pixel)[1]).c_str());
}

} // namespace samples
