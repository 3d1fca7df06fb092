// SPDX-License-Identifier: MIT
#include "samples/inspect/operation_panel.h"

#include "samples/inspect/places.h"
#include "samples/inspect/stream_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cctype>

namespace samples
{

using namespace pica;

namespace
{

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

} // namespace

void OperationPanel::find_rows()
{
    if (found_for_ == search_.data() && found_of_ == model_.operations().size())
        return;
    found_for_ = search_.data();
    found_of_ = model_.operations().size();
    rows_.clear();
    const std::string wanted = lower(found_for_);
    for (std::size_t number = 0; number < found_of_; ++number)
        if (lower(model_.description(number)).find(wanted) != std::string::npos)
            rows_.push_back(number);
    scrolled_for_ = 0;
}

void OperationPanel::draw_row(std::size_t row)
{
    const std::size_t number = rows_[row];
    const ReplayOperation& operation = model_.operations()[number];
    const ReplayOperation* before = row == 0 ? nullptr : &model_.operations()[rows_[row - 1]];
    if (before == nullptr || before->frame != operation.frame)
        ImGui::Text("frame %u", operation.frame);
    else if (operation.is_draw() && (!before->is_draw() || before->list != operation.list))
        ImGui::TextDisabled("list %u", operation.list);
    else
        ImGui::TextUnformatted("");
    ImGui::SameLine(70.0f);
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::Selectable(model_.label(number).c_str(), number == model_.selected()))
    {
        model_.select(number);
        scrolled_for_ = model_.revision(); // it can be seen where it is
    }
    places_.item("operation " + std::to_string(number));
    if (ImGui::IsItemHovered())
    {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(420.0f);
        ImGui::TextUnformatted(model_.description(number).c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    ImGui::PopID();
}

void OperationPanel::draw()
{
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##search", "search: kind, address, format, frame 3, list 1, ...",
                             search_.data(), search_.size());
    places_.item("search");
    find_rows();
    ImGui::Text("%zu of %zu operations, %u frames", rows_.size(), model_.operations().size(),
                model_.frames());
    ImGui::BeginChild("operations");
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (model_.is_read() && scrolled_for_ != model_.revision())
    {
        scrolled_for_ = model_.revision();
        const auto row = std::lower_bound(rows_.begin(), rows_.end(), model_.selected());
        const float at = static_cast<float>(row - rows_.begin()) * height;
        ImGui::SetScrollY(std::max(at - ImGui::GetWindowHeight() / 2, 0.0f));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_row(static_cast<std::size_t>(row));
    ImGui::EndChild();
}

void OperationPanel::step(int direction)
{
    const auto row = std::lower_bound(rows_.begin(), rows_.end(), model_.selected());
    if (direction < 0 && row != rows_.begin())
        model_.select(*(row - 1));
    if (direction > 0)
    {
        const auto next = std::upper_bound(rows_.begin(), rows_.end(), model_.selected());
        if (next != rows_.end())
            model_.select(*next);
    }
}

} // namespace samples
