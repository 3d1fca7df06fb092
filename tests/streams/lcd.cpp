// SPDX-License-Identifier: MIT
// The LCD block (pica/hardware/engines.md, "Display controllers"): fill colours instead of a framebuffer, one
// screen at a time and both, and the five framebuffer formats.
#include "pica/regs/external.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

namespace tests
{

namespace
{

constexpr u32 kEnable = 1u << 24;
constexpr u32 fill(u32 r, u32 g, u32 b)
{
    return kEnable | b << 16 | g << 8 | r;
}

struct LcdFrame
{
    PixelFormat format;
    const char* name;
    u32 top_fill, bottom_fill; // values of the registers
};

constexpr LcdFrame kFrames[] = {
    {PixelFormat::RGBA8, "RGBA8", 0, 0},
    {PixelFormat::RGB8, "RGB8, BOTTOM FILLED", 0, fill(40, 160, 220)},
    {PixelFormat::RGB565, "RGB565, TOP FILLED", fill(220, 90, 30), 0},
    // A colour without its enable bit shows nothing.
    {PixelFormat::RGB5A1, "RGB5A1", fill(255, 0, 255) & ~kEnable, fill(0, 255, 0) & ~kEnable},
    {PixelFormat::RGBA4, "RGBA4", 0, 0},
};

void write_lcd(StreamScene& scene)
{
    const SceneTexture picture = scene.texture(TextureFormat::RGB8, landscape(128));
    for (const LcdFrame& frame : kFrames)
    {
        scene.lcd_format = frame.format;
        for (const Screen screen : {Screen::Top, Screen::Bottom})
        {
            const f32 width = f32(screen_width(screen));
            scene.begin_screen(screen, 0x203040);
            scene.bind_texture(0, picture);
            scene.filter(0, TextureFilter::Linear);
            scene.combine(0, CombinerOp::Replace, CombinerSource::Texture0);
            scene.sprite(0, 0, width, 240);
            scene.label(8, 8, frame.name, 0xFFFFFFFF, 2);
            scene.end_screen();
        }
        scene.trace.register_write(ext::LCD_FILL_COLOR::ids[0], frame.top_fill);
        scene.trace.register_write(ext::LCD_FILL_COLOR::ids[1], frame.bottom_fill);
        scene.end_frame();
    }
}

const GeneratedStream kLcd("t_lcd", write_lcd);

} // namespace

} // namespace tests
