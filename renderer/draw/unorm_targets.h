// SPDX-License-Identifier: MIT
// UnormTargets: the colour buffers that all draws use as UNORM, because draws with fixed-function blending go there. Such a
// draw and one without it share a render pass only if the latter has a pipeline for UNORM passes. Devices that compile at
// the first draw are warmed up for one kind of pass alone, so they would split their passes at each change otherwise. Tests:
// async_pipelines_test.cpp
#pragma once

#include "pica/state/draw.h"

#include <algorithm>
#include <vector>

namespace renderer
{

// Not thread-safe. What was noted takes effect at the end of the frame, so that the passes of a frame are of one kind.
class UnormTargets
{
public:
    // enabled: else there are none.
    explicit UnormTargets(bool enabled) : enabled_(enabled) {}

    bool contains(pica::PhysAddr address, pica::ColorFormat format) const
    {
        return has(used_, {address, format});
    }
    // A draw with fixed-function blending goes to this target.
    void note(pica::PhysAddr address, pica::ColorFormat format)
    {
        const Target target{address, format};
        if (enabled_ && noted_.size() < kMost && !has(noted_, target))
            noted_.push_back(target);
    }
    // No batch may be open.
    void end_frame() { used_.assign(noted_.begin(), noted_.end()); }
    // Changes whenever what contains() says may change.
    std::size_t revision() const { return used_.size(); }

    // Programs have fewer. Beyond this, targets stay as they are.
    static constexpr std::size_t kMost = 64;

private:
    struct Target
    {
        pica::PhysAddr address;
        pica::ColorFormat format;
        bool operator==(const Target&) const = default;
    };
    static bool has(const std::vector<Target>& targets, const Target& target)
    {
        return std::find(targets.begin(), targets.end(), target) != targets.end();
    }

    const bool enabled_;
    std::vector<Target> noted_, used_; // used_ is the beginning of noted_
};

} // namespace renderer
