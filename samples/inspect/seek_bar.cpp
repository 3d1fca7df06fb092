// SPDX-License-Identifier: MIT
#include "samples/inspect/seek_bar.h"

#include "samples/inspect/places.h"
#include "samples/inspect/stream_model.h"

#include <imgui/imgui.h>

namespace samples
{

using namespace pica;

void SeekBar::draw_buttons()
{
    const u32 frame = model_.operations()[model_.selected()].frame;
    const auto pressed = [&](const char* label, const char* place, const char* tip)
    {
        const bool is_pressed = ImGui::Button(label);
        places_.item(place);
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s", tip);
        ImGui::SameLine(0, 4);
        return is_pressed;
    };
    if (pressed("|<", "seek first", "the first operation (home)"))
        model_.select(0);
    if (pressed("<frame", "seek frame before", "the end of the frame before (page up)"))
        model_.select_frame(frame == 0 ? 0 : frame - 1);
    if (pressed("<list", "seek list before", "the first draw of the command list, or of the one before (k)"))
        model_.select_list_before();
    if (pressed("<draw", "seek draw before", "the draw before (left)"))
        model_.select_draw_before();
    if (pressed("draw>", "seek draw after", "the next draw (right)"))
        model_.select_draw_after();
    if (pressed("list>", "seek list after", "the first draw of the next command list (l)"))
        model_.select_list_after();
    if (pressed("frame>", "seek frame after", "the end of the next frame (page down)"))
        model_.select_frame(frame + 1);
    if (pressed(">|", "seek last", "the last operation (end)"))
        model_.select(model_.operations().size() - 1);
}

void SeekBar::draw_field()
{
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::InputTextWithHint("##goto", "go to", text_.data(), text_.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue))
    {
        const Status gone = model_.go_to(text_.data());
        problem_ = gone ? "" : gone.error().message;
        problem_at_ = model_.revision();
        text_[0] = gone ? '\0' : text_[0];
    }
    places_.item("go to");
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("3: the end of frame 3\n3 12: draw 12 of frame 3\n#57: operation 57");
}

void SeekBar::draw()
{
    draw_buttons();
    draw_field();
    if (!problem_.empty() && problem_at_ == model_.revision())
        ImGui::TextColored({1.0f, 0.45f, 0.4f, 1.0f}, "%s", problem_.c_str());
    const ReplayOperation& operation = model_.operations()[model_.selected()];
    ImGui::TextWrapped("after operation %zu of %zu, frame %u of %u: %s", model_.selected(),
                       model_.operations().size(), operation.frame, model_.frames(),
                       model_.label(model_.selected()).c_str());
    ImGui::TextDisabled("sought in %.1f ms", model_.seek_milliseconds());
}

} // namespace samples
