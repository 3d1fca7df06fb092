// SPDX-License-Identifier: MIT
#include "samples/inspect/wireframe.h"

#include <algorithm>
#include <cmath>

namespace samples
{

using namespace pica;

namespace
{

using Point = std::array<f32, 2>;
using Color = std::array<u8, 4>;

constexpr Color kGround = {24, 26, 32, 255};
constexpr Color kFrame = {110, 110, 70, 255};
constexpr Color kLine = {120, 190, 255, 255};
constexpr Color kPoint = {255, 255, 255, 255};
constexpr Color kChosen = {255, 150, 60, 255};

bool is_finite(const Point& point)
{
    return std::isfinite(point[0]) && std::isfinite(point[1]);
}

// Draws in pixels; what is outside is left out.
class Canvas
{
public:
    Canvas(const WireRect& rect, u32 width, u32 height)
        : picture_{width, height, std::vector<u8>(std::size_t{width} * height * 4)}
    {
        for (std::size_t i = 0; i < picture_.rgba.size(); ++i)
            picture_.rgba[i] = kGround[i % 4];
        const f32 wide = std::max(rect.right - rect.left, 1e-6f);
        const f32 high = std::max(rect.bottom - rect.top, 1e-6f);
        scale_ = std::min(static_cast<f32>(width) / wide, static_cast<f32>(height) / high);
        offset_ = {(static_cast<f32>(width) - (rect.left + rect.right) * scale_) / 2,
                   (static_cast<f32>(height) - (rect.top + rect.bottom) * scale_) / 2};
    }

    Picture take() { return std::move(picture_); }

    Point place(const Point& point) const
    {
        return {point[0] * scale_ + offset_[0], point[1] * scale_ + offset_[1]};
    }

    void dot(const Point& point, const Color& color, f32 side)
    {
        const Point at = place(point);
        for (f32 y = -side; y <= side; ++y)
            for (f32 x = -side; x <= side; ++x)
                set(at[0] + x, at[1] + y, color);
    }

    void line(const Point& from, const Point& to, const Color& color)
    {
        Point a = place(from), b = place(to);
        if (!clip(a, b, 0, picture_.width) || !clip(a, b, 1, picture_.height))
            return;
        const f32 length = std::ceil(std::max(std::abs(b[0] - a[0]), std::abs(b[1] - a[1])));
        for (f32 i = 0; i <= length; ++i)
        {
            const f32 part = length == 0 ? 0 : i / length;
            set(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, color);
        }
    }

private:
    void set(f32 x, f32 y, const Color& color)
    {
        if (!(x >= 0 && y >= 0 && x < static_cast<f32>(picture_.width) &&
              y < static_cast<f32>(picture_.height)))
            return;
        const std::size_t at = static_cast<std::size_t>(y) * picture_.width + static_cast<std::size_t>(x);
        std::copy(color.begin(), color.end(), &picture_.rgba[at * 4]);
    }

    // To the part between 0 and size along an axis. Returns false if there is none.
    static bool clip(Point& a, Point& b, std::size_t axis, u32 size)
    {
        const std::size_t other = 1 - axis;
        const f32 end = static_cast<f32>(size);
        if (!is_finite(a) || !is_finite(b) || (a[axis] < 0 && b[axis] < 0) ||
            (a[axis] > end && b[axis] > end))
            return false;
        const auto cut = [&](Point& outside, const Point& inside, f32 limit)
        {
            const f32 part = (limit - inside[axis]) / (outside[axis] - inside[axis]);
            outside = axis == 0 ? Point{limit, inside[other] + (outside[other] - inside[other]) * part}
                                : Point{inside[other] + (outside[other] - inside[other]) * part, limit};
        };
        if (a[axis] < 0)
            cut(a, b, 0);
        if (b[axis] < 0)
            cut(b, a, 0);
        if (a[axis] > end)
            cut(a, b, end);
        if (b[axis] > end)
            cut(b, a, end);
        return is_finite(a) && is_finite(b);
    }

    Picture picture_;
    f32 scale_ = 1;
    Point offset_{};
};

void draw_triangle(const Wireframe& wires, std::size_t triangle, const Color& color, Canvas& canvas)
{
    const auto& corners = wires.triangles[triangle];
    for (const u32 corner : corners)
        if (corner >= wires.points.size() || !is_finite(wires.points[corner]))
            return;
    for (std::size_t i = 0; i < 3; ++i)
        canvas.line(wires.points[corners[i]], wires.points[corners[(i + 1) % 3]], color);
}

} // namespace

std::optional<WireRect> Wireframe::bounds() const
{
    std::optional<WireRect> rect = frame;
    for (const Point& point : points)
    {
        if (!is_finite(point))
            continue;
        if (!rect)
            rect = WireRect{point[0], point[1], point[0], point[1]};
        rect->left = std::min(rect->left, point[0]);
        rect->right = std::max(rect->right, point[0]);
        rect->top = std::min(rect->top, point[1]);
        rect->bottom = std::max(rect->bottom, point[1]);
    }
    return rect;
}

Picture draw_wireframe(const Wireframe& wires, const WireRect& rect, u32 width, u32 height,
                       std::optional<std::size_t> chosen)
{
    Canvas canvas(rect, width, height);
    if (wires.frame)
    {
        const WireRect& frame = *wires.frame;
        const Point corners[] = {{frame.left, frame.top},
                                 {frame.right, frame.top},
                                 {frame.right, frame.bottom},
                                 {frame.left, frame.bottom}};
        for (std::size_t i = 0; i < 4; ++i)
            canvas.line(corners[i], corners[(i + 1) % 4], kFrame);
    }
    for (std::size_t i = 0; i < wires.triangles.size(); ++i)
        draw_triangle(wires, i, kLine, canvas);
    for (const Point& point : wires.points)
        if (is_finite(point))
            canvas.dot(point, kPoint, 0);
    if (chosen && *chosen < wires.triangles.size())
    {
        draw_triangle(wires, *chosen, kChosen, canvas);
        for (const u32 corner : wires.triangles[*chosen])
            if (corner < wires.points.size() && is_finite(wires.points[corner]))
                canvas.dot(wires.points[corner], kChosen, 2);
    }
    return canvas.take();
}

} // namespace samples
