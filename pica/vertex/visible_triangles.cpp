// SPDX-License-Identifier: MIT
#include "pica/vertex/visible_triangles.h"

#include "pica/base/numeric.h"
#include "pica/base/work_sharer.h"
#include "pica/vertex/clip.h"
#include "pica/vertex/setup.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pica
{

namespace
{

// Sign bit for the quaternion of a triangle's vertex v, whose vertex 0 is `first`.
u32 quaternion_sign(const ShadedVertex& first, const ShadedVertex& v)
{
    const f32* a = first.attribute.data() + kQuaternionAttribute;
    const f32* b = v.attribute.data() + kQuaternionAttribute;
    return num::quaternion_flip(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
}

void flip_quaternion(ShadedVertex& v, u32 sign)
{
    for (u32 i = 0; i < 4; ++i)
        v.attribute[kQuaternionAttribute + i] = num::flip_sign(v.attribute[kQuaternionAttribute + i], sign);
}

} // namespace

VisibleTriangles::VisibleTriangles(u32 scale) : scale_(std::max(scale, 1u)) {}

void VisibleTriangles::clear()
{
    triangles_.clear();
    vertices_.clear();
}

void VisibleTriangles::begin(const Draw& draw)
{
    clear();
    geometry_ = draw.geometry;
    lit_ = draw.fragment.lighting.lights != 0;
    bounds_ = snap_bounds(geometry_, scale_);
}

void VisibleTriangles::place(ShadedVertex& v) const
{
    v.outside &= kNotFinite;
    for (u32 plane = 0; plane < kClipPlanes; ++plane)
        if ((plane != kClipUser || geometry_.clip_plane_enable) &&
            !(plane_distance(plane, geometry_, v) >= 0.0f))
            v.outside |= 1u << plane;
    project(geometry_, bounds_, scale_, v);
}

void VisibleTriangles::place_triangle(const Corners& corners, const Output& to) const
{
    const ShadedVertex& a = vertices_[corners[0]];
    const ShadedVertex& b = vertices_[corners[1]];
    const ShadedVertex& c = vertices_[corners[2]];
    const u32 any_outside = a.outside | b.outside | c.outside;
    if (any_outside == 0)
    {
        u32 flip = 0;
        if (lit_)
            flip = quaternion_sign(a, b) >> 30 | quaternion_sign(a, c) >> 29;
        add_visible({corners, corners[2], flip}, a, b, c, to.triangles);
        return;
    }
    if (any_outside & kNotFinite)
        return;
    // All vertices are outside of the first plane that any is outside of; the planes before it change
    // nothing.
    if (a.outside & b.outside & c.outside & any_outside & (0u - any_outside))
        return;
    clip(corners, to);
}

void VisibleTriangles::clip(const Corners& corners, const Output& to) const
{
    Polygon polygon;
    for (u32 i = 0; i < 3; ++i)
        polygon[i] = vertices_[corners[i]];
    if (lit_)
    {
        flip_quaternion(polygon[1], quaternion_sign(polygon[0], polygon[1]));
        flip_quaternion(polygon[2], quaternion_sign(polygon[0], polygon[2]));
    }
    const u32 count = clip_triangle(geometry_, lit_ ? kAttributeCount : kUnlitAttributeCount, polygon);
    if (count < 3)
        return;
    const u32 first = to.first_made + static_cast<u32>(to.made.size());
    for (u32 i = 0; i < count; ++i)
    {
        project(geometry_, bounds_, scale_, polygon[i]);
        to.made.push_back(polygon[i]);
    }
    for (u32 i = 0; i + 2 < count; ++i)
        add_visible({{first, first + i + 1, first + i + 2}, corners[2], 0}, polygon[0], polygon[i + 1],
                    polygon[i + 2], to.triangles);
}

// p, q, r: the triangle's vertices.
void VisibleTriangles::add_visible(Triangle triangle, const ShadedVertex& p, const ShadedVertex& q,
                                   const ShadedVertex& r, std::vector<Triangle>& to) const
{
    const s64 area = static_cast<s64>(q.screen_x - p.screen_x) * (r.screen_y - p.screen_y) -
                     static_cast<s64>(q.screen_y - p.screen_y) * (r.screen_x - p.screen_x);
    if (area == 0 || (area > 0 && geometry_.cull == CullMode::Front) ||
        (area < 0 && geometry_.cull == CullMode::Back))
        return;
    if (area < 0)
    {
        std::swap(triangle.vertex[1], triangle.vertex[2]);
        triangle.flip = (triangle.flip & 2u) << 1 | (triangle.flip & 4u) >> 1;
    }
    to.push_back(triangle);
}

void VisibleTriangles::add_all(std::span<const Corners> triangles, WorkSharer* sharer)
{
    if (sharer == nullptr || triangles.size() < 2 * kTrianglesPerPart)
    {
        for (const Corners& corners : triangles)
            place_triangle(corners, {triangles_, vertices_, 0});
        return;
    }
    const u32 given = static_cast<u32>(vertices_.size());
    const std::size_t parts = (triangles.size() + kTrianglesPerPart - 1) / kTrianglesPerPart;
    parts_.resize(std::max(parts_.size(), parts));
    share_parts(sharer, static_cast<u32>(parts), false,
                [&](u32 number, u32)
                {
                    Part& part = parts_[number];
                    part.triangles.clear();
                    part.made.clear();
                    const std::size_t begin = std::size_t{number} * kTrianglesPerPart;
                    for (const Corners& corners : triangles.subspan(
                             begin, std::min<std::size_t>(kTrianglesPerPart, triangles.size() - begin)))
                        place_triangle(corners, {part.triangles, part.made, given});
                });
    for (std::size_t number = 0; number < parts; ++number)
        append(parts_[number], given);
}

// given: the number of vertices that there were before the first part.
void VisibleTriangles::append(const Part& part, u32 given)
{
    const u32 moved = static_cast<u32>(vertices_.size()) - given;
    const std::size_t first = triangles_.size();
    triangles_.insert(triangles_.end(), part.triangles.begin(), part.triangles.end());
    vertices_.insert(vertices_.end(), part.made.begin(), part.made.end());
    if (moved == 0 || part.made.empty())
        return;
    for (Triangle& triangle : std::span(triangles_).subspan(first))
        for (u32& vertex : triangle.vertex)
            vertex += vertex >= given ? moved : 0;
}

// An interpolated alpha lies between those of the vertices, but for less than 2^-19 (shaders/include/raster.h, color_code).
// From 254.5 / 255 on its code is 255.
bool VisibleTriangles::alphas_are_full() const
{
    constexpr f32 kLeast = 254.75f / 255.0f;
    for (const ShadedVertex& v : vertices_)
        if (!(v.attribute[kColorAttribute + 3] >= kLeast))
            return false;
    return true;
}

PixelRect VisibleTriangles::bounds() const
{
    PixelRect r{};
    bool first = true;
    for (const Triangle& t : triangles_)
    {
        for (const u32 i : t.vertex)
        {
            const ShadedVertex& v = vertices_[i];
            const s32 x = v.screen_x >> 4;
            const s32 y = v.screen_y >> 4;
            if (first)
                r = {x, y, x + 1, y + 1};
            first = false;
            r = {std::min(r.x1, x), std::min(r.y1, y), std::max(r.x2, x + 1), std::max(r.y2, y + 1)};
        }
    }
    return r;
}

u64 VisibleTriangles::covered_pixels(const PixelRect& scissor) const
{
    u64 pixels = 0;
    for (const Triangle& t : triangles_)
    {
        const ShadedVertex& p = vertices_[t.vertex[0]];
        const ShadedVertex& q = vertices_[t.vertex[1]];
        const ShadedVertex& r = vertices_[t.vertex[2]];
        const s64 width = std::min((std::max({p.screen_x, q.screen_x, r.screen_x}) >> 4) + 1, scissor.x2) -
                          std::max(std::min({p.screen_x, q.screen_x, r.screen_x}) >> 4, scissor.x1);
        const s64 height = std::min((std::max({p.screen_y, q.screen_y, r.screen_y}) >> 4) + 1, scissor.y2) -
                           std::max(std::min({p.screen_y, q.screen_y, r.screen_y}) >> 4, scissor.y1);
        if (width <= 0 || height <= 0)
            continue;
        const s64 area = static_cast<s64>(q.screen_x - p.screen_x) * (r.screen_y - p.screen_y) -
                         static_cast<s64>(q.screen_y - p.screen_y) * (r.screen_x - p.screen_x);
        // |area| is twice the area in squares of 1/16 pixel.
        pixels += static_cast<u64>(std::min(width * height, std::abs(area) / 512 + 1));
    }
    return pixels;
}

void VisibleTriangles::emit(const RecordLayout& layout, u32 first, u32 count, u32* records,
                            s32* positions) const
{
    set_up(layout, std::span(triangles_).subspan(first, count), vertices_, geometry_.flat_color != 0, records,
           positions);
}

} // namespace pica
