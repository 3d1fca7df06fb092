// SPDX-License-Identifier: MIT
// BarrierLog: the global memory barriers that a stream has recorded last, and between which commands. It tells whether
// one of them already orders two uses of a resource, whatever the barrier was recorded for.
#pragma once

#include "pica/base/types.h"
#include "renderer/vulkan/vulkan.h"

#include <array>

namespace renderer
{

// What a barrier orders: accesses of the stages before it and of the stages behind it.
struct BarrierScope
{
    VkPipelineStageFlags from_stages = 0, to_stages = 0;
    VkAccessFlags from = 0, to = 0;

    bool contains(const BarrierScope& other) const
    {
        const auto has = [](VkFlags all, VkFlags part) { return (all & part) == part; };
        return has(from_stages, other.from_stages) && has(to_stages, other.to_stages) &&
               has(from, other.from) && has(to, other.to);
    }
};

class BarrierLog
{
public:
    // place: grows from barrier to barrier.
    void add(pica::u64 place, const BarrierScope& scope) { kept_[next_++ % kept_.size()] = {place, scope}; }
    // Does one barrier behind this place order all that `scope` says? May be false where an older one does.
    bool has_behind(pica::u64 place, const BarrierScope& scope) const
    {
        for (const Recorded& recorded : kept_)
            if (recorded.place > place && recorded.scope.contains(scope))
                return true;
        return false;
    }

private:
    struct Recorded
    {
        pica::u64 place = 0;
        BarrierScope scope;
    };
    std::array<Recorded, 16> kept_; // a frame of few render passes has fewer
    std::size_t next_ = 0;
};

} // namespace renderer
