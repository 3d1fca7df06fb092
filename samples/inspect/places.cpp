// SPDX-License-Identifier: MIT
#include "samples/inspect/places.h"

#include <imgui/imgui.h>

#include <utility>

namespace samples
{

void Places::item(const std::string& name)
{
    const ImVec2 from = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    places_[name] = {static_cast<int>(from.x), static_cast<int>(from.y), static_cast<int>(size.x),
                     static_cast<int>(size.y)};
}

Json Places::take()
{
    return std::exchange(places_, Json::object());
}

} // namespace samples
