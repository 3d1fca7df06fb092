// SPDX-License-Identifier: MIT
#include "pica/vertex/clip.h"

#include "pica/base/numeric.h"

#include <algorithm>

namespace pica
{

namespace
{

ShadedVertex intersect(const ShadedVertex& inside, const ShadedVertex& outside, f32 da, f32 db,
                       u32 attributes)
{
    const f32 t = num::clip_parameter(da, db);
    ShadedVertex v{};
    v.x = num::clip_position(inside.x, outside.x, t);
    v.y = num::clip_position(inside.y, outside.y, t);
    v.z = num::clip_position(inside.z, outside.z, t);
    v.w = num::clip_position(inside.w, outside.w, t);
    for (u32 i = 0; i < attributes; ++i)
        v.attribute[i] = num::clip_attribute(inside.attribute[i], outside.attribute[i], t);
    return v;
}

} // namespace

f32 plane_distance(u32 plane, const GeometryConstants& geometry, const ShadedVertex& v)
{
    switch (plane)
    {
    case kClipRight:
        return v.w - v.x;
    case kClipLeft:
        return v.w + v.x;
    case kClipTop:
        return v.w - v.y;
    case kClipBottom:
        return v.w + v.y;
    case kClipNear:
        return -v.z;
    case kClipFar:
        return v.z + v.w;
    case kClipEye:
        return v.w - num::clip_epsilon();
    default:
        return num::user_plane_distance(geometry.clip_plane[0], geometry.clip_plane[1],
                                        geometry.clip_plane[2], geometry.clip_plane[3], v.x, v.y, v.z, v.w);
    }
}

u32 clip_triangle(const GeometryConstants& geometry, u32 attributes, Polygon& polygon)
{
    const u32 planes = geometry.clip_plane_enable ? kClipPlanes : kClipUser;
    u32 count = 3;
    Polygon source;
    for (u32 plane = 0; plane < planes; ++plane)
    {
        std::array<f32, kMaxClippedVertices + 1> distance;
        bool any_outside = false;
        for (u32 i = 0; i < count; ++i)
        {
            distance[i] = plane_distance(plane, geometry, polygon[i]);
            any_outside = any_outside || !(distance[i] >= 0.0f);
        }
        if (!any_outside)
            continue;
        for (u32 i = 0; i < count; ++i)
            source[i] = polygon[i];
        u32 kept = 0;
        u32 previous = count - 1;
        for (u32 i = 0; i < count; previous = i++)
        {
            const bool inside = distance[i] >= 0.0f;
            const bool previous_inside = distance[previous] >= 0.0f;
            // A convex polygon gains at most one vertex at each plane; rounding may make it slightly concave.
            if (inside != previous_inside && kept < kMaxClippedVertices)
                polygon[kept++] =
                    inside
                        ? intersect(source[i], source[previous], distance[i], distance[previous], attributes)
                        : intersect(source[previous], source[i], distance[previous], distance[i], attributes);
            if (inside && kept < kMaxClippedVertices)
                polygon[kept++] = source[i];
        }
        count = kept;
        if (count < 3)
            return 0;
    }
    return count;
}

void project(const GeometryConstants& geometry, const SnapBounds& bounds, u32 scale, ShadedVertex& v)
{
    const f32 iw = num::inverse_w(v.w);
    const f32 scale16 = static_cast<f32>(16 * scale);
    const f32 limit = static_cast<f32>(65536 * scale);
    const f32 sx =
        num::viewport_transform(v.x, iw, geometry.half_width, static_cast<f32>(geometry.viewport_x));
    const f32 sy =
        num::viewport_transform(v.y, iw, geometry.half_height, static_cast<f32>(geometry.viewport_y));
    v.inverse_w = iw;
    v.depth = num::depth_over_w(v.z, iw);
    v.screen_x = std::clamp(num::snap_coordinate(sx, scale16, limit), bounds.low_x, bounds.high_x);
    v.screen_y = std::clamp(num::snap_coordinate(sy, scale16, limit), bounds.low_y, bounds.high_y);
}

} // namespace pica
