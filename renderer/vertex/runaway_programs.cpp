// SPDX-License-Identifier: MIT
#include "renderer/vertex/runaway_programs.h"

#include <algorithm>

namespace renderer
{

namespace
{

constexpr std::size_t kRunawaysKept = 256;

} // namespace

// Only when a submission is done is known how long it took.
void RunawayPrograms::watch(u64 program, u32 dispatches)
{
    watched_.push_back({stream_.current(), program});
    dispatches_in_flight_ += dispatches;
    stream_.defer([this, dispatches] { dispatches_in_flight_ -= dispatches; });
}

bool RunawayPrograms::is_runaway(u64 program) const
{
    return std::find(runaways_.begin(), runaways_.end(), program) != runaways_.end();
}

void RunawayPrograms::finish(u64 serial, bool out_of_budget)
{
    if (out_of_budget)
    {
        if (runaways_.size() >= kRunawaysKept)
            runaways_.clear();
        for (const Watched& watched : watched_)
            if (!is_runaway(watched.program))
                runaways_.push_back(watched.program);
        watched_.clear();
    }
    std::erase_if(watched_, [&](const Watched& watched) { return watched.serial < serial; });
}

} // namespace renderer
