// SPDX-License-Identifier: MIT
// VertexBudget: bounds the time that the device needs for the vertex work of one submission, because drivers give up a
// device whose submissions take seconds. The work of a draw is the number of instructions that its programs may run. How
// long the device takes for them is measured, with timestamps around large batches. Tests:
// tests/renderer/vertex_budget_test.cpp
#pragma once

#include "pica/state/draw.h"
#include "renderer/vertex/vertex_speed.h"
#include "renderer/vulkan/work_timer.h"

#include <array>

namespace renderer
{

// Not thread-safe. Host failures are kept in Device::status.
class VertexBudget
{
public:
    // How long the vertex work of a submission may take, in nanoseconds. Windows ends a driver's work after two seconds,
    // and other work is in the submission too.
    static constexpr u64 kSubmissionNs = 150 * 1000 * 1000;

    VertexBudget(Device& device, Stream& stream) : stream_(stream), timer_(device, stream) {}
    Status create() { return timer_.create(); }

    // The work of a draw, or of the largest part that it can be made in.
    u64 work_of(const pica::Draw& draw);
    // Is this more than a submission may have? Then the device does not get it.
    bool is_too_much(u64 work) const { return speed_.ns_of(work) > kSubmissionNs; }
    // Must the submission being recorded end before it gets this work too?
    bool must_submit(u64 work) const;
    // The submission being recorded gets the work.
    void add(u64 work);
    // Around the commands of what was added since the last end(), outside of render passes.
    void begin(VkCommandBuffer cmd);
    void end(VkCommandBuffer cmd);

private:
    // What an invocation of a program may run. Remembers the last answer.
    struct Charge
    {
        u64 program = 0;
        pica::LoopCounts integers{};
        u32 instructions = 0;
        u32 of(const pica::Program& asked, const pica::ShaderUniforms& uniforms);
    };

    Stream& stream_;
    WorkTimer timer_;
    VertexSpeed speed_;
    WorkTimer::Totals seen_; // of the timer, in speed_
    Charge vertex_;
    Charge geometry_;
    u64 serial_ = 0; // of the submission that has work_
    u64 work_ = 0;
    u64 batch_work_ = 0; // since the last end()
};

} // namespace renderer
