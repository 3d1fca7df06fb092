// SPDX-License-Identifier: MIT
#include "samples/inspect/picture_view.h"

#include "samples/inspect/gl_canvas.h"
#include "samples/inspect/places.h"
#include "samples/inspect/textures_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace samples
{

using namespace pica;

PictureView::~PictureView()
{
    canvas_.destroy(texture_);
}

void PictureView::draw_choice()
{
    ImGui::TextUnformatted("alpha");
    static constexpr const char* kNames[] = {"hidden", "over squares", "as grey"};
    for (int i = 0; i < 3; ++i)
    {
        ImGui::SameLine();
        ImGui::RadioButton(kNames[i], &alpha_, i);
        places_.item(std::string("alpha ") + kNames[i]);
    }
}

std::optional<std::array<u32, 2>> PictureView::draw(const Picture& picture, const Json& key,
                                                    const std::string& place)
{
    if (picture.rgba.empty())
        return std::nullopt;
    const Json shows = {key, alpha_, picture.width, picture.height};
    if (shows != shown_)
    {
        shown_ = shows;
        texture_ = canvas_.upload(with_alpha(picture, static_cast<AlphaView>(alpha_)), texture_);
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float wide = static_cast<float>(picture.width), high = static_cast<float>(picture.height);
    const float fit = std::min((room.x - 1) / wide, (room.y - 1) / high);
    const float zoom = fit >= 1 ? std::floor(fit) : std::max(fit, 0.01f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({std::floor(at.x), std::floor(at.y)});
    ImGui::Image((ImTextureID)(std::intptr_t)texture_, {wide * zoom, high * zoom});
    places_.item(place);
    if (!ImGui::IsItemHovered())
        return std::nullopt;
    const ImVec2 corner = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
    const auto pixel = [&](float from, float to, u32 size)
    { return std::min(static_cast<u32>(std::max((to - from) / zoom, 0.0f)), size - 1); };
    return std::array{pixel(corner.x, mouse.x, picture.width), pixel(corner.y, mouse.y, picture.height)};
}

} // namespace samples
