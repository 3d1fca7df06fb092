// SPDX-License-Identifier: MIT
// SelfTestPasses: the passes of the self-test, one per group of facts. Part of self_test.cpp.
#pragma once

#include "renderer/self_test/self_test.h"
#include "renderer/self_test/self_test_bench.h"

namespace renderer
{

class SelfTestPasses
{
public:
    SelfTestPasses(Device& device, Memory& memory, Stream& stream, const shadergen::Target& target)
        : device_(device), memory_(memory), stream_(stream), target_(target)
    {
    }

    // Runs all passes; submits and waits. An error only if the device fails: inexact results are facts.
    Status run(SelfTestResult& result);

private:
    SelfTestBench bench() { return SelfTestBench(device_, memory_, stream_, target_); }
    Status compute(SelfTestResult& result);
    Status stages(SelfTestResult& result); // vertex and fragment arithmetic, colour and depth codes
    Status coverage(SelfTestResult& result);
    Status fixed_blend(SelfTestResult& result);
    Result<Buffer> blend_destination();
    Status fetch(SelfTestResult& result);
    Status fetch(bool raster_order, bool& exact);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    shadergen::Target target_;
};

} // namespace renderer
