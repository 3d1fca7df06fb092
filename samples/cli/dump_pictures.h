// SPDX-License-Identifier: MIT
// Pictures of render targets and textures as they are in guest memory, for `picavk dump`.
#pragma once

#include "pica/state/draw.h"
#include "samples/cli/png_file.h"

#include <string>
#include <vector>

namespace pica
{
class GuestMemory;
class PlaneMemory;
} // namespace pica

namespace samples
{

struct NamedPicture
{
    std::string name; // of the file, without .png
    Picture picture;
    pica::PhysAddr address = 0; // textures: where the level begins
};

// The range of codes that a grey picture shows from black to white.
struct GreyRange
{
    std::string name; // of the picture
    pica::u32 darkest = 0;
    pica::u32 lightest = 0;
};

struct TargetPictures
{
    std::vector<NamedPicture> pictures;
    std::vector<GreyRange> ranges;
};

// N of the planes; 1 for null.
pica::u32 scale_of(const pica::PlaneMemory* planes);

// when: "before" or "after", a part of the names. The first row of a picture is the one with the highest y. Buffers that
// are not in memory are left out.
//   color_WHEN         opaque; color_WHEN_alpha: alpha as grey, where the format has it
//   depth_WHEN         grey, from the lowest code to the highest; depth_WHEN_code: R, G, B are bits 16-23, 8-15, 0-7
//   stencil_WHEN       likewise, where the format has it
// With planes (null: none), pictures are N times as wide and high (design.md, "N times the resolution").
TargetPictures target_pictures(const pica::RenderTarget& target, const std::string& when,
                               const pica::GuestMemory& memory, const pica::PlaneMemory* planes = nullptr);

// textureUNIT_levelL, or textureUNIT_FACE_levelL of a cube: all levels that the draw can read, with alpha. The first row
// of a picture is the one with the highest t. With planes, textures that the draw samples at N x are N times as wide and
// high.
std::vector<NamedPicture> texture_pictures(const pica::Draw& draw, const pica::GuestMemory& memory,
                                           const pica::PlaneMemory* planes = nullptr);

} // namespace samples
