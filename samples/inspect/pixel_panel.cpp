// SPDX-License-Identifier: MIT
#include "samples/inspect/pixel_panel.h"

#include "pica/inspect/pixel_history.h"
#include "samples/inspect/combiner_diagram.h"
#include "samples/inspect/json_tree.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/places.h"
#include "samples/inspect/stream_model.h"

#include <imgui/imgui.h>

#include <string>
#include <utility>

namespace samples
{

namespace
{

// "stencil failed", and what was compared.
void draw_test(const char* name, const Json& result, const Json* values)
{
    const std::string text = result.get<std::string>();
    const ImVec4 color = text == "passed"   ? ImVec4(0.4f, 0.9f, 0.4f, 1.0f)
                         : text == "failed" ? ImVec4(1.0f, 0.45f, 0.4f, 1.0f)
                                            : ImVec4(0.6f, 0.6f, 0.6f, 1.0f);
    ImGui::TextUnformatted(name);
    ImGui::SameLine(110.0f);
    ImGui::TextColored(color, "%s", text.c_str());
    if (values == nullptr)
        return;
    Json rest = *values;
    rest.erase("result");
    ImGui::SameLine(170.0f);
    ImGui::TextWrapped("%s", json_line(rest).c_str());
}

void draw_tests(const Json& fragment)
{
    draw_test("scissor", fragment["scissor"], nullptr);
    for (const auto& [key, name] :
         {std::pair{"alpha_test", "alpha"}, {"stencil_test", "stencil"}, {"depth_test", "depth"}})
    {
        if (fragment.contains(key))
            draw_test(name, fragment[key]["result"], &fragment[key]);
        else
            draw_test(name, "off", nullptr);
    }
}

void draw_memory(const Json& fragment)
{
    for (const auto& [key, name] : {std::pair{"color_in_memory", "colour"}, {"depth_in_memory", "depth"}})
        if (fragment.contains(key))
            ImGui::Text("%s in memory: %s to %s", name, fragment[key]["before"].get<std::string>().c_str(),
                        fragment[key]["after"].get<std::string>().c_str());
}

void draw_fragment(const Json& fragment)
{
    draw_tests(fragment);
    draw_memory(fragment);
    draw_combiner_diagram(fragment);
    if (fragment.contains("shading"))
        for (const char* part : {"textures", "procedural_texture", "lighting", "fog"})
            if (fragment["shading"].contains(part))
                draw_json(part, fragment["shading"][part]);
}

} // namespace

void PixelPanel::draw_events()
{
    const Json log = pixel_.log();
    if (log != chosen_for_)
    {
        chosen_for_ = log;
        chosen_ = pixel_.current_event().value_or(0);
    }
    const std::size_t count = pixel_.history().events.size();
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float rows = static_cast<float>(count < 8 ? count : 8);
    ImGui::BeginChild("events", {0, rows * line + 10}, true);
    for (std::size_t event = 0; event < count; ++event)
    {
        ImGui::PushID(static_cast<int>(event));
        if (ImGui::Selectable(pixel_.event_line(event).c_str(), event == chosen_))
            chosen_ = event;
        ImGui::PopID();
        places_.item("pixel event " + std::to_string(event));
        if (event == chosen_ && ImGui::IsWindowAppearing())
            ImGui::SetScrollHereY();
    }
    ImGui::EndChild();
}

void PixelPanel::draw_event(const Json& event)
{
    if (ImGui::Button("go to this operation"))
        model_.select(pixel_.history().events[chosen_].operation);
    places_.item("go to event");
    ImGui::BeginChild("event");
    if (!event.contains("fragments"))
        draw_json("", event);
    else
    {
        for (const char* part : {"target", "buffer", "x_y", "error"})
            if (event.contains(part))
                draw_json(part, event[part], false);
        const Json& fragments = event["fragments"];
        for (std::size_t i = 0; i < fragments.size(); ++i)
        {
            const std::string title =
                "fragment " + std::to_string(i) + ": triangle " + fragments[i]["triangle"].dump();
            if (ImGui::CollapsingHeader(title.c_str(),
                                        i + 1 == fragments.size() ? ImGuiTreeNodeFlags_DefaultOpen : 0))
            {
                ImGui::PushID(static_cast<int>(i));
                draw_fragment(fragments[i]);
                ImGui::PopID();
            }
        }
    }
    ImGui::EndChild();
}

void PixelPanel::draw()
{
    if (!pixel_.picked())
    {
        ImGui::TextWrapped("Click a pixel of a picture to see what made it what it is.");
        return;
    }
    const PickedPixel picked = *pixel_.picked();
    const pica::u32 scale = pixel_.history().scale;
    ImGui::Text("%s (%u, %u)%s  %s  value %s", picked.picture.c_str(), picked.x, picked.y,
                scale == 1 ? "" : (" at " + std::to_string(scale) + "x").c_str(),
                hex(picked.place.address).c_str(), hex(pixel_.history().word).c_str());
    if (pixel_.history().events.empty())
    {
        ImGui::TextWrapped("Nothing has written it up to the selected operation.");
        return;
    }
    draw_events();
    draw_event(pixel_.json()["events"][chosen_]);
}

} // namespace samples
