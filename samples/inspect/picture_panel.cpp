// SPDX-License-Identifier: MIT
#include "samples/inspect/picture_panel.h"

#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "samples/inspect/gl_canvas.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>

namespace samples
{

using namespace pica;

namespace
{

constexpr int kZooms[] = {1, 2, 4, 8, 16, 32};

// What memory has of the pixel.
std::string value_text(const ShownPicture& shown, const PixelPlace& place, Replay& replay)
{
    const u32 word = read_place(replay.memory(), replay.core().planes(), place);
    char text[64];
    if (shown.kind == ShownPicture::Kind::Stencil)
        std::snprintf(text, sizeof text, "stencil %u", word >> 24);
    else if (shown.kind == ShownPicture::Kind::Depth)
    {
        const u32 bits = place.bytes == 2 ? 16 : 24;
        const u32 code = word & ((1u << bits) - 1);
        std::snprintf(text, sizeof text, "depth 0x%X = %.6f", code,
                      static_cast<double>(code) / ((1u << bits) - 1));
    }
    else
        std::snprintf(text, sizeof text, "in memory 0x%0*X", static_cast<int>(place.bytes * 2), word);
    return text;
}

} // namespace

PicturePanel::~PicturePanel()
{
    for (const auto& [name, texture] : textures_)
        canvas_.destroy(texture);
}

void PicturePanel::upload()
{
    if (uploaded_ == model_.revision())
        return;
    uploaded_ = model_.revision();
    for (const ShownPicture& shown : model_.pictures())
        textures_[shown.name] = canvas_.upload(shown.picture, textures_[shown.name]);
}

void PicturePanel::zoom_with_wheel(float zoom, float x, float y)
{
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel == 0)
        return;
    const int* const first = std::begin(kZooms);
    const int* const end = std::end(kZooms);
    const int* next = wheel > 0 ? std::upper_bound(first, end, static_cast<int>(std::floor(zoom)))
                                : std::lower_bound(first, end, static_cast<int>(std::ceil(zoom))) - 1;
    if (next < first || next == end)
        return;
    zoom_ = *next;
    const float grows = static_cast<float>(*next) - zoom;
    scrolls_ = true;
    scroll_x_ = std::max(ImGui::GetScrollX() + x * grows, 0.0f);
    scroll_y_ = std::max(ImGui::GetScrollY() + y * grows, 0.0f);
}

// In the child window of the pictures, after them.
void PicturePanel::scroll(float zoom)
{
    if (scrolls_ && zoom == static_cast<float>(zoom_))
    {
        ImGui::SetScrollX(scroll_x_);
        ImGui::SetScrollY(scroll_y_);
        scrolls_ = false;
    }
    // What the mouse has moved before the button was pressed does not count.
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0) ||
        ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        return;
    ImGui::SetScrollX(ImGui::GetScrollX() - ImGui::GetIO().MouseDelta.x);
    ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseDelta.y);
}

void PicturePanel::draw_picture(const ShownPicture& shown, float zoom, u32 above)
{
    const ImVec2 size(static_cast<float>(shown.picture.width) * zoom,
                      static_cast<float>(shown.picture.height) * zoom);
    // In the window's pixels, so that pixels of the picture have edges.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({std::floor(at.x), std::floor(at.y)});
    ImGui::Image((ImTextureID)(std::intptr_t)textures_[shown.name], size);
    places_.item("picture " + shown.name);
    const ImVec2 corner = ImGui::GetItemRectMin();
    if (ImGui::IsItemHovered())
    {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const auto x = static_cast<u32>(std::max((mouse.x - corner.x) / zoom, 0.0f));
        const auto y = static_cast<u32>(std::max((mouse.y - corner.y) / zoom, 0.0f));
        if (x < shown.picture.width && y < shown.picture.height)
        {
            draw_pointed(shown, x, y);
            zoom_with_wheel(zoom, static_cast<float>(x) + 0.5f, static_cast<float>(above + y) + 0.5f);
        }
    }
    if (!pixel_.is_at(shown))
        return;
    const ImVec2 from(corner.x + static_cast<float>(pixel_.picked()->x) * zoom,
                      corner.y + static_cast<float>(pixel_.picked()->y) * zoom);
    const float side = std::max(zoom, 1.0f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    // Two frames, so that one is seen on any colour.
    list.AddRect({from.x - 3, from.y - 3}, {from.x + side + 3, from.y + side + 3}, IM_COL32(0, 0, 0, 255));
    list.AddRect({from.x - 2, from.y - 2}, {from.x + side + 2, from.y + side + 2},
                 IM_COL32(255, 255, 255, 255));
}

void PicturePanel::draw_pointed(const ShownPicture& shown, u32 x, u32 y)
{
    const u8* rgba = &shown.picture.rgba[(std::size_t{y} * shown.picture.width + x) * 4];
    std::string text = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
    if (const auto place = shown.place(x, y))
        text += "  " + hex(place->address) + "\n" + value_text(shown, *place, model_.here());
    ImGui::SetTooltip("%s\nshown as %u %u %u", text.c_str(), rgba[0], rgba[1], rgba[2]);
    if (ImGui::IsMouseClicked(0))
        pixel_.pick(shown, x, y);
}

void PicturePanel::draw_tab(const char* label, ShownPicture::Kind kind)
{
    u32 width = 0, height = 0, count = 0;
    for (const ShownPicture& shown : model_.pictures())
        if (shown.kind == kind)
        {
            width = std::max(width, shown.picture.width);
            height += shown.picture.height;
            ++count;
        }
    if (count == 0)
        return;
    const bool chosen = ImGui::BeginTabItem(label);
    places_.item(std::string("tab ") + label);
    if (!chosen)
        return;
    ImGui::BeginChild("picture", {0, 0}, false,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float lines = static_cast<float>(count) * ImGui::GetTextLineHeightWithSpacing() + 8.0f;
    const float fit =
        std::min((room.x - 1) / static_cast<float>(width), (room.y - lines) / static_cast<float>(height));
    const float zoom = zoom_ != 0 ? static_cast<float>(zoom_)
                       : fit >= 1 ? std::floor(fit)
                                  : std::max(fit, 0.1f);
    u32 above = 0;
    for (const ShownPicture& shown : model_.pictures())
        if (shown.kind == kind)
        {
            const u32 address = kind == ShownPicture::Kind::Screen  ? shown.config.address
                                : kind == ShownPicture::Kind::Color ? shown.target.color_address
                                                                    : shown.target.depth_address;
            ImGui::Text("%s  0x%08X  %u x %u", shown.name.c_str(), address, shown.picture.width,
                        shown.picture.height);
            draw_picture(shown, zoom, above);
            above += shown.picture.height;
        }
    scroll(zoom);
    ImGui::EndChild();
    ImGui::EndTabItem();
}

void PicturePanel::draw()
{
    upload();
    ImGui::TextUnformatted("zoom");
    for (const int zoom : {0, 1, 2, 4, 8, 16})
    {
        ImGui::SameLine();
        const std::string label = zoom == 0 ? "fit" : std::to_string(zoom) + "x";
        if (ImGui::RadioButton(label.c_str(), zoom_ == zoom))
            zoom_ = zoom;
        places_.item("zoom " + label);
    }
    if (!ImGui::BeginTabBar("pictures"))
        return;
    draw_tab("screens", ShownPicture::Kind::Screen);
    draw_tab("colour", ShownPicture::Kind::Color);
    draw_tab("depth", ShownPicture::Kind::Depth);
    draw_tab("stencil", ShownPicture::Kind::Stencil);
    ImGui::EndTabBar();
}

} // namespace samples
