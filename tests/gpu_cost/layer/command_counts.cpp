// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/command_counts.h"

#include "tests/gpu_cost/layer/log.h"

#include <nlohmann/json.hpp>

namespace gpu_cost
{

void CommandCounts::write() const
{
    nlohmann::ordered_json counts;
    for (std::size_t i = 0; i < kGroups; ++i)
        counts[kGroupNames[i]] = counts_[i].load(std::memory_order_relaxed);
    log_line({{"counts", counts}});
}

} // namespace gpu_cost
