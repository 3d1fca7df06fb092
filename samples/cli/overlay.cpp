// SPDX-License-Identifier: MIT
#include "samples/cli/overlay.h"

#include "samples/console/glyphs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace samples
{

namespace
{

using namespace pica;

constexpr u32 kGlyphWidth = 6; // with the gap
constexpr u32 kGlyphLines = 7;
constexpr u32 kLineHeight = 9;
constexpr u32 kMargin = 4;
constexpr u32 kBarHeight = 6;

// Pixels of the overlay are so many pixels wide.
u32 unit_of(u32 width)
{
    return std::max(width / 400, 1u);
}

struct Box
{
    u32 x, y, width, height;
};

Box timeline_box(u32 width, u32 height)
{
    const u32 unit = unit_of(width), margin = kMargin * unit, bar = kBarHeight * unit;
    if (width <= 2 * margin || height <= bar + margin)
        return {0, 0, 0, 0};
    return {margin, height - margin - bar, width - 2 * margin, bar};
}

constexpr std::string_view kKeys[] = {
    "",
    "space        play, pause",
    "left, right  a frame back, on",
    "a, d         a draw back, on",
    "page up, page down  10 frames",
    "home, end    first, last frame",
    "0-9, enter   go to a frame; or click the bar",
    "e eye  f filter  b backend  n next stream",
    "s screenshot  h this help  q quit",
};

class Canvas
{
public:
    explicit Canvas(Picture& picture) : picture_(picture), unit_(unit_of(picture.width)) {}

    u32 unit() const { return unit_; }

    // opacity: of 256.
    void fill(const Box& box, u32 grey, u32 opacity)
    {
        for (u32 y = box.y; y < std::min(box.y + box.height, picture_.height); ++y)
            for (u32 x = box.x; x < std::min(box.x + box.width, picture_.width); ++x)
                for (u32 c = 0; c < 3; ++c)
                {
                    u8& value = picture_.rgba[(std::size_t{y} * picture_.width + x) * 4 + c];
                    value = static_cast<u8>((value * (256 - opacity) + grey * opacity) >> 8);
                }
    }

    void text(u32 x, u32 y, std::string_view line)
    {
        for (char character : line)
        {
            if (character >= 'a' && character <= 'z')
                character = static_cast<char>(character - 'a' + 'A');
            const u32 code =
                character >= ' ' && character <= '_' ? static_cast<u32>(character - ' ') : '?' - ' ';
            for (u32 row = 0; row < kGlyphLines; ++row)
                for (u32 column = 0; column + 1 < kGlyphWidth; ++column)
                    if (kGlyphs[code / 16 * kGlyphLines + row][code % 16 * kGlyphWidth + column] == '#')
                        fill({x + column * unit_, y + row * unit_, unit_, unit_}, 255, 256);
            x += kGlyphWidth * unit_;
        }
    }

private:
    Picture& picture_;
    u32 unit_;
};

} // namespace

void draw_overlay(const OverlayContent& content, Picture& picture)
{
    Canvas canvas(picture);
    const u32 unit = canvas.unit(), margin = kMargin * unit;
    std::vector<std::string_view> lines(content.lines.begin(), content.lines.end());
    lines.insert(lines.end(), std::begin(kKeys), std::end(kKeys));
    std::size_t columns = 0;
    for (const std::string_view line : lines)
        columns = std::max(columns, line.size());
    const u32 width = static_cast<u32>(columns) * kGlyphWidth * unit, step = kLineHeight * unit;
    const u32 height = static_cast<u32>(lines.size()) * step;
    canvas.fill({margin, margin, width + 2 * margin, height + 2 * margin}, 0, 192);
    for (std::size_t i = 0; i < lines.size(); ++i)
        canvas.text(2 * margin, 2 * margin + static_cast<u32>(i) * step, lines[i]);

    const Box bar = timeline_box(picture.width, picture.height);
    canvas.fill(bar, 96, 224);
    const u32 frames = std::max(content.frames, 1u);
    const u32 begin = static_cast<u32>(u64{bar.width} * content.frame / frames);
    const u32 end = static_cast<u32>(u64{bar.width} * (content.frame + 1) / frames);
    canvas.fill({bar.x + begin, bar.y, std::max(end - begin, unit), bar.height}, 255, 256);
}

std::optional<u32> timeline_frame(PictureSize size, u32 frames, double x, double y)
{
    const Box bar = timeline_box(size.width, size.height);
    if (x < bar.x || y < bar.y || x >= bar.x + bar.width || y >= bar.y + bar.height)
        return std::nullopt;
    return std::min(static_cast<u32>((x - bar.x) * frames / bar.width), frames - 1);
}

} // namespace samples
