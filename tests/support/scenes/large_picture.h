// SPDX-License-Identifier: MIT
// Pictures with planes, and the same pictures as they would be in a memory with N x N as many pixels. So what is drawn
// or transferred at N times the resolution can be compared with the same at 1x, on pictures N times larger. Source:
// pica/design.md, "N times the resolution".
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/texture/morton.h"
#include "pica/upscale/plane_memory.h"

#include <algorithm>
#include <array>

namespace tests
{

using namespace pica;

struct LargePicture
{
    enum class Layout : u8
    {
        Linear,
        Tiles,
        Blocks,
    };
    PhysAddr address = 0; // of both
    u32 width = 0;        // pitch, in pixels of the guest
    u32 height = 0;
    u32 bytes = 4; // per pixel
    Layout layout = Layout::Tiles;

    static u64 index(Layout layout, u32 x, u32 y, u32 width)
    {
        return layout == Layout::Linear  ? u64{y} * width + x
               : layout == Layout::Tiles ? tiled_index(x, y, width)
                                         : block32_index(x, y, width);
    }
    PhysAddr at(u32 x, u32 y) const
    {
        return static_cast<PhysAddr>(address + index(layout, x, y, width) * bytes);
    }
    PhysAddr large_at(u32 n, u32 x, u32 y) const
    {
        return static_cast<PhysAddr>(address + index(layout, x, y, width * n) * bytes);
    }

    // Every pixel of the large picture becomes that of the guest.
    void replicate(const GuestMemory& memory, u32 n, GuestMemory& large) const
    {
        for (u32 y = 0; y < height * n; ++y)
            for (u32 x = 0; x < width * n; ++x)
                std::copy_n(memory.span(at(x / n, y / n), bytes).data(), bytes,
                            large.span(large_at(n, x, y), bytes).data());
    }
    // Every pixel of the large picture becomes that of its plane.
    void copy_planes(const PlaneMemory& planes, GuestMemory& large) const
    {
        const u32 n = planes.scale();
        for (u32 y = 0; y < height * n; ++y)
            for (u32 x = 0; x < width * n; ++x)
                planes.load(y % n * n + x % n, at(x / n, y / n), large.span(large_at(n, x, y), bytes));
    }
    // How many pixels differ, in columns below `columns`. Guest memory must be the plane in the middle, too.
    u32 differences(const PlaneMemory& planes, const GuestMemory& large, u32 columns) const
    {
        const u32 n = planes.scale();
        u32 wrong = 0;
        std::array<u8, 4> pixel{};
        for (u32 y = 0; y < height * n; ++y)
            for (u32 x = 0; x < columns * n; ++x)
            {
                const u32 plane = y % n * n + x % n;
                planes.load(plane, at(x / n, y / n), std::span(pixel).first(bytes));
                const u8* expected = large.span(large_at(n, x, y), bytes).data();
                wrong += !std::equal(expected, expected + bytes, pixel.data());
                if (plane == planes.middle())
                    wrong += !std::equal(expected, expected + bytes,
                                         planes.memory().span(at(x / n, y / n), bytes).data());
            }
        return wrong;
    }
    u32 differences(const PlaneMemory& planes, const GuestMemory& large) const
    {
        return differences(planes, large, width);
    }
};

} // namespace tests
