// SPDX-License-Identifier: MIT
// All 14 texture formats (pica/hardware/textures.md, "Texel formats") as labelled patches over a checkerboard
// that shows their alpha: nearest filter, bilinear filter magnified, and turned.
#include "pica/texture/format.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

void write_texture_formats(StreamScene& scene)
{
    const TextureImage picture = landscape(64);
    std::vector<SceneTexture> textures;
    for (u32 format = 0; format < kTextureFormatCount; ++format)
        textures.push_back(scene.texture(static_cast<TextureFormat>(format), picture));
    const SceneTexture board =
        scene.texture(TextureFormat::I4, checkerboard(16, 16, 8, 0xFF606060, 0xFF383838));

    for (u32 frame = 0; frame < 3; ++frame)
    {
        scene.begin_screen(Screen::Top, 0x203040);
        scene.bind_texture(0, board);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_s, TextureWrap::Repeat, 0);
        scene.list.set(reg::TEXUNIT_PARAM::wrap_t, TextureWrap::Repeat, 0);
        scene.sprite(0, 0, 400, 240, 25, 15);

        scene.alpha_blending();
        for (u32 format = 0; format < kTextureFormatCount; ++format)
        {
            const f32 x = 40.0f + f32(format % 5) * 80, y = 36.0f + f32(format / 5) * 80;
            scene.bind_texture(0, textures[format]);
            scene.filter(0, frame == 0 ? TextureFilter::Nearest : TextureFilter::Linear);
            if (frame == 1) // a part of the picture
            {
                const std::array<StreamVertex, 4> zoomed = {
                    {{x - 32, y - 32, 0, 255, 255, 255, 255, 0.5f, 0.95f},
                     {x - 32, y + 32, 0, 255, 255, 255, 255, 0.5f, 0.55f},
                     {x + 32, y - 32, 0, 255, 255, 255, 255, 0.9f, 0.95f},
                     {x + 32, y + 32, 0, 255, 255, 255, 255, 0.9f, 0.55f}}};
                scene.draw(zoomed, Topology::TriangleStrip);
            }
            else if (frame == 2)
            {
                const f32 c = 36 * cosine(0.125f + f32(format) / 60),
                          s = 36 * sine(0.125f + f32(format) / 60);
                const std::array<StreamVertex, 4> turned = {{{x - c, y - s, 0, 255, 255, 255, 255, 0, 1},
                                                             {x - s, y + c, 0, 255, 255, 255, 255, 0, 0},
                                                             {x + s, y - c, 0, 255, 255, 255, 255, 1, 1},
                                                             {x + c, y + s, 0, 255, 255, 255, 255, 1, 0}}};
                scene.draw(turned, Topology::TriangleStrip);
            }
            else
            {
                scene.sprite(x - 32, y - 32, 64, 64);
            }
            const std::string name(format_name(static_cast<TextureFormat>(format)));
            scene.label(x - f32(name.size()) * 3, y + 34, name);
        }
        scene.label(334, 190, "TEXTURE", 0xFFFFE080);
        scene.label(334, 200, "FORMATS", 0xFFFFE080);
        scene.label(334, 212, frame == 0 ? "NEAREST" : frame == 1 ? "BILINEAR" : "TURNED", 0xFF80E0FF);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kTextureFormats("t_texture_formats", write_texture_formats);

} // namespace

} // namespace tests
