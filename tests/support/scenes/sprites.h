// SPDX-License-Identifier: MIT
// Random sprites of 2D programs: at whole pixels, 1:1 and with the nearest filter, mirrored, from any place of an atlas and
// blended. At N times the resolution they look as at 1x.
#pragma once

#include "tests/support/scenes/draw_scene.h"

namespace tests
{

struct Sprite
{
    s32 x, y, width, height;
    s32 s, t; // of its first texel
    bool mirror_s, mirror_t, blended, textured;
    u32 atlas; // size of the texture
    PixelRect scissor;
    u32 rgba;
};

// For a target of this size, which is at least 102 x 22. Some sprites are partly outside.
Sprite random_sprite(Random& random, s32 width, s32 height);
// Sets the state of a sprite and adds its vertices.
void set_sprite(DrawScene& scene, const Sprite& sprite);

} // namespace tests
