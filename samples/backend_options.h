// SPDX-License-Identifier: MIT
// The arguments that several verbs share: which backend, and which of its equivalent paths.
#pragma once

#include "samples/playback.h"
#include "samples/verbs.h"

namespace samples
{

// --backend auto|vulkan|software, with the value in `choice` as default.
void add_backend_option(CLI::App& app, BackendChoice& choice);
// --force KEY=VALUE, repeatable; fills in the choices of the Vulkan backend.
void add_force_option(CLI::App& app, renderer::Options& options);

} // namespace samples
