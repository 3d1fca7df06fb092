// SPDX-License-Identifier: MIT
// The start-up self-test (design D11, Part II 2.8). It measures what the driver does, and single parts of the
// renderer use exact fallbacks where it is not exact. The disk cache keeps the verdict, if there is
// one. Tests: tests/renderer/self_test_test.cpp.
#pragma once

#include "renderer/vulkan/device.h"
#include "shadergen/target.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace renderer
{

class DiskCache;

// What the self-test found.
struct SelfTestResult
{
    // Corrections after which the reciprocal is exact. More than 3: the device is not usable.
    u8 reciprocal_steps = 3;
    // In compute, vertex and fragment shaders: + - * round to nearest even and are not fused.
    bool compute_exact = false;
    bool vertex_exact = false;
    bool fragment_exact = false;
    bool coverage_exact = false;    // fixed-function coverage equals the integer top-left rule
    bool color_exact = false;       // all 256 codes survive UINT attachments
    bool depth_exact = false;       // codes k * 2^-24 survive gl_FragDepth and D32
    bool fixed_blend_exact = false; // blending with ONE, ZERO, MIN and MAX on the UNORM view is exact
    // Reading the destination through an input attachment is exact: with rasterization-order access where the
    // device has it, else with barriers; and with barriers, whatever the device has.
    bool fetch_exact = false;
    bool barrier_exact = false;
    // What the rehearsal finds (renderer/backend/rehearsal.h); true until it is held.
    bool scene_exact = true;           // what needs none of the methods below
    bool stencil_exact = true;         // the stencil test and its operations
    bool logic_op_exact = true;        // fixed-function logic operations
    bool gathers_exact = true;         // four texels by one textureGather
    bool records_exact = true;         // triangle records as attributes beyond the stride
    bool indirect_exact = true;        // several indirect draws in a command
    bool device_vertices_exact = true; // vertex work on the device
    bool geometry_exact = true;        // geometry programs on the device
    // Kinds of draws (renderer/draw/draw_kinds.h).
    bool lighting_exact = true;
    bool procedural_exact = true;
    bool shadows_exact = true;
    bool gas_exact = true;
    bool levels_exact = true;
    bool cubes_exact = true;
    // The interlock, while it is rehearsed. No verdict: where it is forced and inexact there is no renderer.
    bool interlock_exact = true;
    // The rehearsal has drawn everything exactly with the interlock, on a device without exact rasterization-order access: it is
    // used there, because draws then need no groups of triangles that do not overlap, which the CPU finds.
    bool interlock_chosen = false;
    // The first draw with a pipeline took far longer than the second. No matter of exactness: it decides which
    // fallback draws at first (Features::compiles_late).
    bool compiles_late = false;
    bool from_cache = false; // read from the disk cache, not measured
    f32 milliseconds = 0.0f; // duration of the test

    // Can this device give the same bytes as the software renderer at all?
    bool usable() const
    {
        return reciprocal_steps <= 3 && compute_exact && vertex_exact && fragment_exact && color_exact &&
               depth_exact && scene_exact && (fetch_exact || barrier_exact);
    }
    std::string text() const; // all verdicts in one line
    // Calls visit(name, exact) for each verdict.
    void for_each(const std::function<void(const char* name, bool exact)>& visit) const;
    bool operator==(const SelfTestResult&) const = default;
};

// The verdicts as bytes, for records of the disk cache, and back. False: the bytes are no verdicts; `result` is as it
// was.
std::vector<u8> to_bytes(const SelfTestResult& result);
bool from_bytes(std::span<const u8> bytes, SelfTestResult& result);

// The facts to assume where the caller asked for no self-test.
SelfTestResult assumed_facts();

// Runs the self-test, or reads the verdict of an earlier run on this device, driver and version of the shaders from
// the cache. If that is null, the test always runs. Submits and waits. An error: the device failed. Inexact results are
// no errors.
Result<SelfTestResult> run_self_test(Device& device, DiskCache* cache);

// What the shader generator must know: the facts of the self-test, the features of the device, and the
// defaults of the design.
shadergen::Target make_target(const Device& device, const SelfTestResult& facts, u8 scale);

} // namespace renderer
