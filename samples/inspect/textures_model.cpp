// SPDX-License-Identifier: MIT
#include "samples/inspect/textures_model.h"

#include "pica/soft/software_core.h"
#include "pica/texture/format.h"
#include "samples/cli/dump_pictures.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

Picture with_alpha(const Picture& picture, AlphaView view)
{
    constexpr u32 kSquare = 8; // pixels
    Picture result = picture;
    for (std::size_t i = 0; i < result.rgba.size(); i += 4)
    {
        const u32 alpha = result.rgba[i + 3];
        const u32 x = static_cast<u32>(i / 4 % picture.width), y = static_cast<u32>(i / 4 / picture.width);
        const u32 ground = (x / kSquare + y / kSquare) % 2 == 0 ? 102 : 153;
        for (std::size_t channel = 0; channel < 3; ++channel)
        {
            u8& value = result.rgba[i + channel];
            if (view == AlphaView::Alone)
                value = static_cast<u8>(alpha);
            else if (view == AlphaView::Checkered)
                value = static_cast<u8>((value * alpha + ground * (255 - alpha) + 127) / 255);
        }
        result.rgba[i + 3] = 255;
    }
    return result;
}

std::string ShownTexture::line() const
{
    std::string text = name;
    std::replace(text.begin(), text.end(), '_', ' ');
    return text + "  " + std::string(format_name(format)) + "  " + std::to_string(picture.width) + " x " +
           std::to_string(picture.height) + "  " + hex(address);
}

void TexturesModel::find()
{
    if (found_at_ == model_.revision())
        return;
    found_at_ = model_.revision();
    textures_.clear();
    draw_ = model_.last_draw();
    if (!draw_)
        return;
    Replay& replay = model_.replay();
    visit_draw(replay, *draw_,
               [&](const Draw& draw)
               {
                   for (NamedPicture& named : texture_pictures(draw, replay.memory(), replay.core().planes()))
                   {
                       ShownTexture shown;
                       shown.unit = static_cast<u32>(named.name[std::string("texture").size()] - '0');
                       shown.name = std::move(named.name);
                       shown.address = named.address;
                       shown.format = draw.texture[shown.unit].format;
                       shown.picture = std::move(named.picture);
                       textures_.push_back(std::move(shown));
                   }
               });
}

std::optional<std::size_t> TexturesModel::draw()
{
    find();
    return draw_;
}

const std::vector<ShownTexture>& TexturesModel::textures()
{
    find();
    return textures_;
}

const ShownTexture* TexturesModel::chosen()
{
    find();
    if (textures_.empty())
        return nullptr;
    const auto found = std::find_if(textures_.begin(), textures_.end(),
                                    [&](const ShownTexture& shown) { return shown.name == wanted_; });
    return found != textures_.end() ? &*found : &textures_.front();
}

Json TexturesModel::log()
{
    if (!draw())
        return {{"operation", nullptr}};
    Json names = Json::array();
    for (const ShownTexture& shown : textures_)
        names.push_back(shown.name);
    Json json = {{"operation", *draw_}, {"textures", std::move(names)}};
    if (const ShownTexture* shown = chosen())
        json["chosen"] = shown->line();
    return json;
}

} // namespace samples
