// SPDX-License-Identifier: MIT
#include "renderer/draw/joinable_draws.h"

namespace renderer
{

void JoinableDraws::clear()
{
    parts_.clear();
    commands_.clear();
}

u32 JoinableDraws::store(const Part& part)
{
    parts_.push_back({part, kNone});
    return static_cast<u32>(parts_.size()) - 1;
}

void JoinableDraws::append(const Part& part)
{
    const u32 stored = store(part);
    commands_.push_back({stored, stored, is_small(part)});
}

void JoinableDraws::append_fixed()
{
    commands_.emplace_back();
}

void JoinableDraws::join(u32 command, const Part& part)
{
    const u32 stored = store(part);
    parts_[commands_[command].last].next = stored;
    commands_[command].last = stored;
    commands_[command].small = commands_[command].small && is_small(part);
}

bool JoinableDraws::is_scattered(u32 command) const
{
    for (u32 i = commands_[command].first; i != kNone && parts_[i].next != kNone; i = parts_[i].next)
        if (!parts_[i].part.geometry.continues_with(parts_[parts_[i].next].part.geometry))
            return true;
    return false;
}

} // namespace renderer
