// SPDX-License-Identifier: MIT
// The ranges of guest memory that an operation may write: at least all that it does write.
#pragma once

#include "pica/command/backend.h"
#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

namespace pica
{

// A range of memory, and how its bytes are named in messages. bytes_per_pixel 0: it holds no tiled pixels.
struct WrittenRange
{
    ByteRange bytes;
    const char* what = "";
    u32 bytes_per_pixel = 0;
    RenderTarget target;
};

// Calls visit(const WrittenRange&) for each range.
template <typename Visit>
void for_each_written(const Draw& draw, Visit&& visit)
{
    const RenderTarget& target = draw.target;
    const u32 pixels = u32{target.width} * target.height;
    if (pixels == 0)
        return;
    visit(WrittenRange{{target.color_address, target.color_bytes()},
                       "colour target",
                       target.color_bytes() / pixels,
                       target});
    if (target.has_depth != 0)
        visit(WrittenRange{{target.depth_address, target.depth_bytes()},
                           "depth target",
                           target.depth_bytes() / pixels,
                           target});
}

template <typename Visit>
void for_each_written(const MemoryFill& fill, Visit&& visit)
{
    visit(WrittenRange{fill.output_range(), "filled memory", 0, {}});
}

template <typename Visit>
void for_each_written(const DisplayTransfer& transfer, Visit&& visit)
{
    visit(WrittenRange{transfer.output_range(), "transferred memory", 0, {}});
}

template <typename Visit>
void for_each_written(const TextureCopy& copy, Visit&& visit)
{
    visit(WrittenRange{copy.output_range(), "copied memory", 0, {}});
}

} // namespace pica
