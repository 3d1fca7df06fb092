// SPDX-License-Identifier: MIT
// The paths that a renderer takes for its whole life, decided once from options, features and the self-test
// (renderer/PATHS.md).
#pragma once

#include "renderer/backend/options.h"
#include "renderer/pipelines/pipeline_cache.h"

namespace renderer
{

struct SelfTestResult;

struct Paths
{
    BlendPath blend = BlendPath::Barrier;
    bool coverage_in_shader = false; // the fragment shader tests the edges
    bool compute = false;            // vertex work on the device
    bool interprets = false;         // ... with interpreted programs alone
};

// An error where the options ask for what the device does not have.
Result<Paths> choose_paths(const Options& options, const Features& features, const SelfTestResult& self_test);

} // namespace renderer
