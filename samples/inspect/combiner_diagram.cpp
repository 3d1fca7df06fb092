// SPDX-License-Identifier: MIT
#include "samples/inspect/combiner_diagram.h"

#include "samples/inspect/json_tree.h"

#include <imgui/imgui.h>

#include <string>

namespace samples
{

namespace
{

constexpr float kMargin = 5.0f;
constexpr float kArrow = 14.0f;

// A framed group; the arrow leads to it from above.
class Box
{
public:
    explicit Box(const char* title, bool arrow = true)
    {
        ImGui::Dummy({0, arrow ? kArrow : kMargin});
        if (arrow)
        {
            const ImVec2 top = ImGui::GetItemRectMin();
            const float x = top.x + 24;
            ImDrawList& list = *ImGui::GetWindowDrawList();
            list.AddLine({x, top.y}, {x, top.y + kArrow - 4}, kLine, 2.0f);
            list.AddTriangleFilled({x - 5, top.y + kArrow - 5}, {x + 5, top.y + kArrow - 5},
                                   {x, top.y + kArrow + 1}, kLine);
        }
        left_ = ImGui::GetCursorScreenPos().x;
        right_ = left_ + ImGui::GetContentRegionAvail().x - 2;
        ImGui::Indent(kMargin + 2);
        ImGui::BeginGroup();
        ImGui::TextColored({0.6f, 0.8f, 1.0f, 1.0f}, "%s", title);
    }
    ~Box()
    {
        ImGui::EndGroup();
        const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRect({left_, from.y - kMargin}, {right_, to.y + kMargin}, kLine, 4.0f);
        ImGui::Unindent(kMargin + 2);
    }
    Box(const Box&) = delete;
    Box& operator=(const Box&) = delete;

private:
    static constexpr ImU32 kLine = IM_COL32(140, 150, 170, 255);
    float left_ = 0, right_ = 0;
};

void draw_color(const char* name, const Json& color)
{
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(110.0f);
    draw_swatch(color);
    ImGui::SameLine();
    ImGui::TextUnformatted(json_line(color).c_str());
}

void draw_formula(const char* name, const Json& text)
{
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(110.0f);
    ImGui::TextWrapped("%s", text.get<std::string>().c_str());
}

void draw_sources(const Json& shading)
{
    const Box box("sources", false);
    if (shading.contains("primary_color"))
        draw_color("primary", shading["primary_color"]);
    if (shading.contains("lighting"))
    {
        draw_color("light 1st", shading["lighting"]["primary"]);
        draw_color("light 2nd", shading["lighting"]["secondary"]);
    }
    if (shading.contains("textures"))
        for (const Json& texture : shading["textures"])
            draw_color(("texture " + texture["unit"].dump()).c_str(), texture["rgba"]);
    if (shading.contains("procedural_texture"))
        draw_color("procedural", shading["procedural_texture"]["rgba"]);
}

void draw_stage(const Json& stage)
{
    const Box box(("stage " + stage["stage"].dump()).c_str());
    draw_formula("colour", stage["color"]);
    if (stage.contains("alpha"))
        draw_formula("alpha", stage["alpha"]);
    if (stage.contains("operands"))
        for (std::size_t i = 0; i < stage["operands"].size(); ++i)
            draw_color(("operand " + std::to_string(i)).c_str(), stage["operands"][i]);
    draw_color("buffer", stage["buffer"]);
    draw_color("result", stage["result"]);
}

void draw_output(const Json& output)
{
    const Box box(output["mode"].get<std::string>().c_str());
    draw_color("source", output["source"]);
    if (output.contains("destination"))
        draw_color("destination", output["destination"]);
    for (const char* name : {"operation", "color", "alpha"})
        if (output.contains(name))
            draw_formula(name, output[name]);
    if (output.contains("constant"))
        draw_color("constant", output["constant"]);
    if (output.contains("result"))
        draw_color("result", output["result"]);
    if (output.contains("written_channels"))
        draw_formula("written", output["written_channels"]);
}

} // namespace

void draw_combiner_diagram(const Json& fragment)
{
    if (fragment.contains("shading"))
    {
        const Json& shading = fragment["shading"];
        draw_sources(shading);
        if (shading.contains("combiners"))
            for (const Json& stage : shading["combiners"])
                draw_stage(stage);
        {
            const Box box("combined");
            draw_color("result", shading["combined"]);
        }
        if (shading.contains("fog"))
        {
            const Box box("fog unit");
            draw_formula("mode", shading["fog"]["mode"]);
            draw_color("result", shading["fog"]["result"]);
        }
    }
    if (fragment.contains("output"))
        draw_output(fragment["output"]);
    ImGui::Dummy({0, kMargin});
}

} // namespace samples
