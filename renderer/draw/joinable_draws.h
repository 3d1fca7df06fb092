// SPDX-License-Identifier: MIT
// JoinableDraws: tells which earlier draw command of a batch a small draw may join. Draws that cover no pixel in common can
// be drawn in any order, so a draw may pass all commands whose pixels it does not touch, to one that binds the same. For
// devices that are a CPU: there each change of what is bound costs more than a small draw, and the CPU knows the triangles.
// Tests: joinable_draws_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "renderer/vertex/draw_geometry.h"

#include <optional>
#include <vector>

namespace renderer
{

class JoinableDraws
{
public:
    // Draws with more triangles stay where they are, and no draw passes them.
    static constexpr u32 kMostTriangles = 64;
    // So many draws are looked at, from the last one on, before a draw stays where it is.
    static constexpr u32 kMostLooks = 256;

    // A draw of a command, with its triangles in the host's memory.
    struct Part
    {
        pica::PixelRect
            bounds; // of all pixels that it may touch; of no meaning with more than kMostTriangles
        DrawGeometry geometry;
        const u32* records = nullptr;
        const s32* positions = nullptr;
    };

    void clear();
    // Appends a command of one draw.
    void append(const Part& part);
    // Appends a command of other draws, which none of these passes or joins.
    void append_fixed();
    // Adds a draw behind those of a command.
    void join(u32 command, const Part& part);

    // The command, by number from 0 on, that the draw may join: same(command) is true, and no draw of the commands behind it
    // shares a pixel with the draw. The last such command. Draws of many triangles join only what they follow in memory.
    template <typename Same>
    std::optional<u32> command_for(const Part& part, Same same) const
    {
        const u32 count = static_cast<u32>(commands_.size());
        if (count == 0 || is_fixed(count - 1))
            return std::nullopt;
        if (last_of(count - 1).geometry.continues_with(part.geometry) && same(count - 1))
            return count - 1;
        u32 looks = 0;
        for (u32 n = count; n-- > 0 && is_small(part) && !is_fixed(n) && commands_[n].small;)
        {
            if (same(n))
                return n;
            for (u32 i = commands_[n].first; i != kNone; i = parts_[i].next)
                if (++looks > kMostLooks || overlap(parts_[i].part.bounds, part.bounds))
                    return std::nullopt;
        }
        return std::nullopt;
    }

    bool is_fixed(u32 command) const { return commands_[command].first == kNone; }
    // Do the triangles of the command's draws lie in several places?
    bool is_scattered(u32 command) const;
    // Calls f(part) for the command's draws, in order.
    template <typename F>
    void for_each(u32 command, F f) const
    {
        for (u32 i = commands_[command].first; i != kNone; i = parts_[i].next)
            f(parts_[i].part);
    }

private:
    static constexpr u32 kNone = 0xFFFFFFFF;
    struct Link
    {
        Part part;
        u32 next = kNone;
    };
    struct Command
    {
        u32 first = kNone, last = kNone; // in parts_
        bool small = true;               // all of its draws
    };
    static bool overlap(const pica::PixelRect& a, const pica::PixelRect& b)
    {
        return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
    }
    static bool is_small(const Part& part) { return part.geometry.triangles <= kMostTriangles; }
    const Part& last_of(u32 command) const { return parts_[commands_[command].last].part; }
    u32 store(const Part& part);

    std::vector<Link> parts_;
    std::vector<Command> commands_;
};

} // namespace renderer
