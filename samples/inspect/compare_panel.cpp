// SPDX-License-Identifier: MIT
#include "samples/inspect/compare_panel.h"

#include "samples/inspect/compare_model.h"
#include "samples/inspect/gl_canvas.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace samples
{

using namespace pica;

namespace
{

std::string rgb_text(const Picture& picture, u32 x, u32 y)
{
    const u8* rgba = &picture.rgba[(std::size_t{y} * picture.width + x) * 4];
    return std::to_string(rgba[0]) + " " + std::to_string(rgba[1]) + " " + std::to_string(rgba[2]);
}

} // namespace

ComparePanel::~ComparePanel()
{
    for (const unsigned texture : textures_)
        canvas_.destroy(texture);
}

void ComparePanel::upload(const ComparedPicture& compared)
{
    if (uploaded_ == &compared)
        return;
    uploaded_ = &compared;
    const Picture* pictures[] = {&compared.software.picture, &compared.vulkan, &compared.difference};
    for (std::size_t i = 0; i < 3; ++i)
        textures_[i] = canvas_.upload(*pictures[i], textures_[i]);
}

void ComparePanel::draw_choice()
{
    ImGui::TextUnformatted("Vulkan draws");
    for (const CompareModel::From from : {CompareModel::From::Draw, CompareModel::From::Frame})
    {
        const char* name = CompareModel::kFrom[static_cast<u32>(from)];
        ImGui::SameLine();
        if (ImGui::RadioButton(name, compare_.from() == from))
            compare_.choose(from);
        places_.item(std::string("compare ") + name);
    }
}

void ComparePanel::draw_pointed(const ComparedPicture& compared, u32 x, u32 y)
{
    std::string text = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
    if (const auto place = compared.software.place(x, y))
        text += "  " + hex(place->address);
    ImGui::SetTooltip("%s\nsoftware %s\nVulkan %s", text.c_str(),
                      rgb_text(compared.software.picture, x, y).c_str(),
                      rgb_text(compared.vulkan, x, y).c_str());
    if (ImGui::IsMouseClicked(0))
        pixel_.pick(compared.software, x, y);
}

void ComparePanel::draw_picture(const ComparedPicture& compared)
{
    upload(compared);
    const float wide = static_cast<float>(compared.vulkan.width);
    const float high = static_cast<float>(compared.vulkan.height);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float line = ImGui::GetTextLineHeightWithSpacing() + 4;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float beside = std::min((room.x - 2 * gap - 1) / (3 * wide), (room.y - line) / high);
    const float below = std::min((room.x - 1) / wide, (room.y - 3 * line) / (3 * high));
    const float fit = std::max(std::max(beside, below), 0.05f);
    const float zoom = fit >= 1 ? std::floor(fit) : fit;
    static constexpr const char* kNames[] = {"software", "Vulkan", "difference"};
    for (std::size_t i = 0; i < 3; ++i)
    {
        if (i != 0 && beside > below)
            ImGui::SameLine();
        ImGui::BeginGroup();
        ImGui::TextUnformatted(kNames[i]);
        ImGui::Image((ImTextureID)(std::intptr_t)textures_[i], {wide * zoom, high * zoom});
        places_.item(std::string("compare ") + kNames[i]);
        const ImVec2 corner = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
        if (ImGui::IsItemHovered())
            draw_pointed(compared,
                         std::min(static_cast<u32>(std::max((mouse.x - corner.x) / zoom, 0.0f)),
                                  compared.vulkan.width - 1),
                         std::min(static_cast<u32>(std::max((mouse.y - corner.y) / zoom, 0.0f)),
                                  compared.vulkan.height - 1));
        ImGui::EndGroup();
    }
}

void ComparePanel::draw()
{
    draw_choice();
    if (!compare_.is_known())
    {
        uploaded_ = nullptr;
        ImGui::TextUnformatted("drawing with Vulkan");
        if (announced_)
            compare_.compare();
        announced_ = !announced_;
        return;
    }
    announced_ = false;
    if (!compare_.problem().empty())
        return ImGui::TextWrapped("%s", compare_.problem().c_str());
    const auto& pictures = compare_.pictures();
    const auto named = [&](const ComparedPicture& compared) { return compared.software.name == chosen_; };
    auto shown = std::find_if(pictures.begin(), pictures.end(), named);
    if (shown == pictures.end() && !pictures.empty())
        shown = pictures.begin();
    for (auto picture = pictures.begin(); picture != pictures.end(); ++picture)
    {
        const std::string& name = picture->software.name;
        const std::string label = name + (picture->different == 0 ? " equal" : " DIFFERENT");
        const float width = ImGui::CalcTextSize(label.c_str()).x + 40.0f;
        if (picture != pictures.begin() &&
            ImGui::GetItemRectMax().x + width < ImGui::GetWindowPos().x + ImGui::GetWindowSize().x)
            ImGui::SameLine();
        if (ImGui::RadioButton(label.c_str(), picture == shown))
            chosen_ = name;
        places_.item("compare " + name);
    }
    if (shown == pictures.end())
        return ImGui::TextWrapped("No screen or target is in memory.");
    if (shown->first)
        ImGui::TextWrapped("%llu pixels are different, the first one at (%u, %u)",
                           static_cast<unsigned long long>(shown->different), (*shown->first)[0],
                           (*shown->first)[1]);
    else
        ImGui::TextWrapped("All pixels are equal.");
    draw_picture(*shown);
}

} // namespace samples
