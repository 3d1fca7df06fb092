// SPDX-License-Identifier: MIT
#include "renderer/draw/raster_viewport.h"

#include <doctest/doctest.h>

namespace
{

using namespace renderer;

VkPhysicalDeviceLimits limits()
{
    VkPhysicalDeviceLimits l{};
    l.maxViewportDimensions[0] = l.maxViewportDimensions[1] = 4096; // what every device has
    l.viewportBoundsRange[0] = -8192.0f;
    l.viewportBoundsRange[1] = 8191.0f;
    return l;
}

pica::GeometryConstants viewport(float half_width, float half_height, pica::s32 x, pica::s32 y)
{
    pica::GeometryConstants g;
    g.half_width = half_width;
    g.half_height = half_height;
    g.viewport_x = x;
    g.viewport_y = y;
    return g;
}

} // namespace

TEST_CASE("raster viewport: ordinary targets share one power of two at the origin")
{
    const RasterViewport top = choose_viewport(viewport(120, 200, 0, 0), 1, limits());
    const RasterViewport bottom = choose_viewport(viewport(120, 160, 0, 0), 1, limits());
    CHECK(top == RasterViewport{0, 0, 512});
    CHECK(top == bottom);
}

TEST_CASE("raster viewport: negative offsets move the origin to whole pixels, and everything stays inside")
{
    const RasterViewport v = choose_viewport(viewport(300, 200, -75, 30), 1, limits());
    CHECK(v.origin_x == -75);
    CHECK(v.origin_y == 0);
    CHECK(v.size == 1024); // -75 .. 525 needs 600
}

TEST_CASE("raster viewport: the internal scale counts before the size is chosen")
{
    CHECK(choose_viewport(viewport(120, 200, 0, 0), 2, limits()).size == 1024);
}

TEST_CASE("raster viewport: what no viewport of the device holds is left to the shader")
{
    CHECK(choose_viewport(viewport(4000, 200, 0, 0), 1, limits()).size != 0); // the snap cuts at 4096 pixels
    CHECK(choose_viewport(viewport(4000, 200, -10, 0), 1, limits()).size == 0); // 4106 pixels
}

TEST_CASE("raster viewport: the transform to clip space is exact")
{
    const shadergen::GraphicsPush push = RasterViewport{-8, 0, 512}.push();
    CHECK(push.origin[0] == -128);
    CHECK(push.scale == 1.0f / 4096.0f);
    CHECK(static_cast<float>(-128 - push.origin[0]) * push.scale - 1.0f == -1.0f);
    CHECK(static_cast<float>(504 * 16 - push.origin[0]) * push.scale - 1.0f == 1.0f);
}
