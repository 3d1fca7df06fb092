// SPDX-License-Identifier: MIT
#include "samples/inspect/textures_panel.h"

#include "samples/inspect/places.h"
#include "samples/inspect/textures_model.h"

#include <imgui/imgui.h>

#include <algorithm>

namespace samples
{

using namespace pica;

void TexturesPanel::draw()
{
    if (!textures_.draw())
        return ImGui::TextWrapped("No draw up to the selected operation.");
    const ShownTexture* chosen = textures_.chosen();
    if (chosen == nullptr)
        return ImGui::TextWrapped("The draw reads no texture.");
    const std::size_t count = textures_.textures().size();
    const float rows = static_cast<float>(std::min<std::size_t>(count, 9));
    ImGui::BeginChild("textures", {0, rows * ImGui::GetTextLineHeightWithSpacing() + 12}, true);
    for (const ShownTexture& shown : textures_.textures())
    {
        if (ImGui::Selectable(shown.line().c_str(), &shown == chosen))
            textures_.choose(shown.name);
        places_.item(shown.name);
    }
    ImGui::EndChild();
    chosen = textures_.chosen();
    view_.draw_choice();
    const Json key = {*textures_.draw(), chosen->line()};
    if (const auto pixel = view_.draw(chosen->picture, key, "texture"))
    {
        const auto [x, y] = *pixel;
        const u8* rgba = &chosen->picture.rgba[(std::size_t{y} * chosen->picture.width + x) * 4];
        ImGui::SetTooltip("column %u, t row %u\n%u %u %u %u", x, chosen->picture.height - 1 - y, rgba[0],
                          rgba[1], rgba[2], rgba[3]);
    }
}

} // namespace samples
