// SPDX-License-Identifier: MIT
// Clipping: the volume -w <= x, y <= w, -w <= z <= 0, the eye plane and the user plane (primitives.md,
// "Clipping algorithm"; test-vectors.md, "Cases worth a test"; design.md, row "Clip").
#include "pica/vertex/clip.h"

#include "pica/memory/guest_arena.h"
#include "pica/vertex/vertex_stage.h"
#include "tests/support/scenes/draw_scene.h"

#include <cmath>
#include <utility>

using namespace tests;

namespace
{

ShadedVertex corner(f32 x, f32 y, f32 z, f32 w)
{
    ShadedVertex v{};
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    v.attribute[0] = x;
    return v;
}

GeometryConstants geometry()
{
    GeometryConstants g;
    g.half_width = g.half_height = 32.0f;
    return g;
}

u32 clip(std::array<ShadedVertex, 3> triangle, const GeometryConstants& g, Polygon& polygon)
{
    for (u32 i = 0; i < 3; ++i)
        polygon[i] = triangle[i];
    return clip_triangle(g, kAttributeCount, polygon);
}

class NullReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

} // namespace

TEST_CASE("clip: vertices on z = 0 and z = -w are inside")
{
    Polygon p;
    CHECK(clip({corner(0, 0, 0, 1), corner(1, 0, -1, 1), corner(0, 1, -0.5f, 1)}, geometry(), p) == 3);
    CHECK(p[0].z == 0.0f);
    CHECK(p[1].z == -1.0f);
}

TEST_CASE("clip: a plane through a triangle leaves a triangle or a quadrilateral")
{
    Polygon p;
    // One vertex beyond x = w.
    REQUIRE(clip({corner(0, 0, -0.5f, 1), corner(2, 0, -0.5f, 1), corner(0, 0.5f, -0.5f, 1)}, geometry(),
                 p) == 4);
    CHECK(p[0].x == 0.0f);
    CHECK(p[1].x == 1.0f);
    CHECK(p[1].y == 0.0f);
    CHECK(p[1].attribute[0] == 1.0f);
    CHECK(p[2].x == 1.0f);
    CHECK(p[2].y == 0.25f);
    // Two vertices beyond.
    CHECK(clip({corner(0, 0, -0.5f, 1), corner(2, 0, -0.5f, 1), corner(2, 0.5f, -0.5f, 1)}, geometry(), p) ==
          3);
}

TEST_CASE("clip: w of 0 and below is cut off at the eye plane")
{
    Polygon p;
    CHECK(clip({corner(0, 0, 0, 0), corner(0, 0, 0, 0), corner(0, 0, 0, 0)}, geometry(), p) == 0);
    CHECK(clip({corner(0, 0, -1, -1), corner(1, 0, -1, -1), corner(0, 1, -1, -2)}, geometry(), p) == 0);
    const u32 count =
        clip({corner(0, 0, -0.5f, 1), corner(0.5f, 0, -0.5f, 1), corner(0, 0, 0.5f, -1)}, geometry(), p);
    REQUIRE(count >= 3);
    for (u32 i = 0; i < count; ++i)
    {
        CHECK(p[i].w > 0.0f);
        CHECK(p[i].z <= 0.0f);
        CHECK(p[i].z >= -p[i].w);
    }
}

TEST_CASE("clip: the user plane keeps its positive side")
{
    GeometryConstants g = geometry();
    g.clip_plane_enable = 1;
    const std::array<ShadedVertex, 3> triangle = {corner(-0.5f, 0, -0.5f, 1), corner(0.5f, 0, -0.5f, 1),
                                                  corner(0, 0.5f, -0.5f, 1)};
    Polygon p;
    g.clip_plane = {1, 0, 0, 0};
    const u32 right = clip(triangle, g, p);
    REQUIRE(right >= 3);
    for (u32 i = 0; i < right; ++i)
        CHECK(p[i].x >= 0.0f);
    g.clip_plane = {-1, 0, 0, 0};
    const u32 left = clip(triangle, g, p);
    REQUIRE(left >= 3);
    for (u32 i = 0; i < left; ++i)
        CHECK(p[i].x <= 0.0f);
    g.clip_plane = {0, 0, 0, 1};
    CHECK(clip(triangle, g, p) == 3);
    g.clip_plane = {0, 0, 0, -1};
    CHECK(clip(triangle, g, p) == 0);
}

TEST_CASE("clip: a triangle through all side planes becomes a polygon with seven corners and more")
{
    GeometryConstants g = geometry();
    g.clip_plane_enable = 1;
    g.clip_plane = {-1, -1, 0, 1.5f};
    Polygon p;
    const u32 count = clip(
        {corner(-1.6f, -1.2f, -0.9f, 1), corner(1.7f, -1.3f, -0.1f, 1), corner(0.1f, 2.2f, -0.5f, 1)}, g, p);
    CHECK(count >= 7);
    CHECK(count <= kMaxClippedVertices);
    for (u32 i = 0; i < count; ++i)
    {
        CHECK(std::fabs(p[i].x) <= 1.00001f);
        CHECK(std::fabs(p[i].y) <= 1.00001f);
        CHECK(p[i].x + p[i].y <= 1.5001f);
    }
}

TEST_CASE("clip: the shared edge of two triangles gets the same points from both sides")
{
    for_each_seed(200,
                  [](u32, Random& random)
                  {
                      const auto any = [&] {
                          return corner(random.real(-3, 3), random.real(-3, 3), random.real(-2, 1),
                                        random.real(0.1f, 2));
                      };
                      const ShadedVertex a = any();
                      ShadedVertex b = any();
                      b.x = 5.0f; // beyond x = w: the edge a-b is cut there if a is inside
                      Polygon p;
                      Polygon q;
                      GeometryConstants g = geometry();
                      const u32 n = clip({a, b, any()}, g, p);
                      const u32 m = clip({b, a, any()}, g, q);
                      if (a.x > a.w || a.x < -a.w || std::fabs(a.y) > a.w || a.z > 0 || a.z < -a.w || n < 3 ||
                          m < 3)
                          return;
                      // a is inside: the vertex behind it in p is the one before it in q.
                      for (u32 i = 0; i < n; ++i)
                          for (u32 k = 0; k < m; ++k)
                              if (p[i].x == a.x && p[i].y == a.y && q[k].x == a.x && q[k].y == a.y)
                              {
                                  const ShadedVertex& next = p[(i + 1) % n];
                                  const ShadedVertex& previous = q[(k + m - 1) % m];
                                  CHECK(next.x == previous.x);
                                  CHECK(next.y == previous.y);
                                  CHECK(next.z == previous.z);
                                  CHECK(next.w == previous.w);
                              }
                  });
}

TEST_CASE("clip: z just outside the depth planes is moved onto them, further out is cut")
{
    GuestArena arena(0x1000);
    NullReport report;
    VertexStage stage;
    const auto triangles = [&](f32 z)
    {
        DrawScene scene(64, 64);
        for (const auto& [x, y] : {std::pair{1.0f, 1.0f}, {9.0f, 1.0f}, {1.0f, 9.0f}})
        {
            SceneVertex v;
            v.position = scene.at(x, y, z);
            scene.add(v);
        }
        stage.run(scene.draw(), arena.memory(), report);
        return stage.triangle_count();
    };
    CHECK(triangles(0.0f) == 1);
    CHECK(triangles(1e-7f) == 1);
    CHECK(triangles(1e-5f) == 0);
    CHECK(triangles(-1.0f) == 1);
    CHECK(triangles(-1.00000214f) == 1);
    CHECK(triangles(-1.0001f) == 0);
}

TEST_CASE("clip: vertices that clipping made are drawn inside the viewport")
{
    // Triangles through the eye: their intersections there are rounded by much more than w is large.
    Random random(1);
    const GeometryConstants g = geometry();
    u32 outside = 0;
    for (u32 i = 0; i < 20000; ++i)
    {
        const f32 size = std::ldexp(1.0f, random.between(0, 20));
        const auto any = [&] { return random.real(-size, size); };
        const f32 x = any(), y = any(), z = any(), w = any();
        Polygon p;
        const u32 corners =
            clip({corner(x, y, z, w), corner(-x + random.real(-1, 1), -y, -z, -w), // almost opposite
                  corner(any(), any(), any(), any())},
                 g, p);
        for (u32 k = 0; k < corners; ++k)
        {
            outside += std::fabs(p[k].x) > p[k].w * 1.01f || std::fabs(p[k].y) > p[k].w * 1.01f;
            project(g, snap_bounds(g, 1), 1, p[k]);
            CHECK(p[k].screen_x >= 0);
            CHECK(p[k].screen_x <= 1024);
            CHECK(p[k].screen_y >= 0);
            CHECK(p[k].screen_y <= 1024);
        }
    }
    CHECK(outside > 0); // else this proves nothing
}
