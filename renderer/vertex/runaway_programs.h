// SPDX-License-Identifier: MIT
// RunawayPrograms: watches geometry programs that the device interprets one invocation after the other. It counts their
// dispatches until they are known to be done, so that guest programs cannot occupy the device for minutes. Programs that
// ran out of their budget (runaways) are left to the CPU afterwards, which gives the same bits.
#pragma once

#include "renderer/vulkan/stream.h"

#include <vector>

namespace renderer
{

// Not thread-safe.
class RunawayPrograms
{
public:
    explicit RunawayPrograms(Stream& stream) : stream_(stream) {}

    // The submission being recorded will run the program in so many dispatches.
    void watch(u64 program, u32 dispatches);
    // Dispatches that are not known to be done.
    u32 dispatches_in_flight() const { return dispatches_in_flight_; }
    bool is_runaway(u64 program) const;
    // To be called when a submission is done. out_of_budget: one of its programs was. It is not known which, so all that
    // are watched count as runaways.
    void finish(u64 serial, bool out_of_budget);

private:
    struct Watched
    {
        u64 serial = 0;
        u64 program = 0;
    };
    Stream& stream_;
    u32 dispatches_in_flight_ = 0;
    std::vector<Watched> watched_;
    std::vector<u64> runaways_;
};

} // namespace renderer
