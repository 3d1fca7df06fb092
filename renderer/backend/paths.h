// SPDX-License-Identifier: MIT
// Which of several equivalent methods a renderer uses. The choice is made once, from the options, the
// device's features and the self-test (renderer/PATHS.md).
#pragma once

#include "renderer/backend/options.h"
#include "renderer/draw/draw_kinds.h"
#include "renderer/pipelines/pipeline_cache.h"

namespace renderer
{

struct SelfTestResult;

// The chosen methods.
struct Paths
{
    BlendPath blend = BlendPath::Barrier;
    bool stencil = true;             // the device draws with a stencil test; else the software renderer
    bool coverage_in_shader = false; // the fragment shader tests coverage, instead of the fixed function
    bool compute = false;            // the compute executor exists
    bool interprets = false;         // ... and interprets all vertex programs
    bool serial_geometry = false;    // ... and runs geometry programs one invocation after the other
};

// Chooses the paths. An error where the options ask for a path that the device does not have or that the
// self-test found inexact.
Result<Paths> choose_paths(const Options& options, const Features& features, const SelfTestResult& self_test);

// The kinds of draws that the rehearsal found inexact. The software renderer draws them.
DrawKinds inexact_kinds(const SelfTestResult& self_test);

} // namespace renderer
