// SPDX-License-Identifier: MIT
// Start-up self-test (design D11, Part II 2.8): driver behaviour becomes facts, and single parts fall back.
// The verdict is kept in a file per driver UUID and version where a directory is given. Tests:
// tests/renderer/self_test_test.cpp.
#pragma once

#include "renderer/vulkan/device.h"
#include "shadergen/target.h"

#include <functional>
#include <string>

namespace renderer
{

struct SelfTestResult
{
    u8 reciprocal_steps = 3;    // corrections that make the reciprocal exact; > 3: the device is not usable
    bool compute_exact = false; // + - * round to nearest even, unfused, in this stage
    bool vertex_exact = false;
    bool fragment_exact = false;
    bool coverage_exact = false;    // fixed-function coverage equals the integer top-left rule
    bool color_exact = false;       // all 256 codes through UINT attachments
    bool depth_exact = false;       // codes k * 2^-24 through gl_FragDepth and D32
    bool fixed_blend_exact = false; // ONE/ZERO/MIN/MAX on the UNORM view
    bool fetch_exact = false;       // destination read through an input attachment
    bool from_file = false;
    f32 milliseconds = 0.0f;

    // Can this device give the software core's bytes at all?
    bool usable() const
    {
        return reciprocal_steps <= 3 && compute_exact && vertex_exact && fragment_exact && color_exact &&
               depth_exact;
    }
    std::string text() const; // one line
    void for_each(const std::function<void(const char* name, bool exact)>& visit) const;
    bool operator==(const SelfTestResult&) const = default;
};

// directory empty: always measured, nothing written.
Result<SelfTestResult> run_self_test(Device& device, const std::string& directory);

// What the generator must know: facts, capabilities and the defaults of the design.
shadergen::Target make_target(const Device& device, const SelfTestResult& facts, u8 scale);

} // namespace renderer
