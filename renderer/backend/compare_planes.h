// SPDX-License-Identifier: MIT
// What guest memory does not show of pictures of N x pixels, for whoever has the backend of Vulkan and another one: to
// compare them, and to go on with the other. Tests: the suites of tests/conformance at N, tests/cli/window_test.cpp.
#pragma once

#include "pica/command/lockstep.h"

namespace pica
{
class PlaneMemory;
class SoftwareCore;
} // namespace pica

namespace renderer
{

class Renderer;

// Compares the planes of both backends (pica/upscale/plane_comparison.h), after the operations that both have done. Reads
// back, so it submits and waits. Both must outlive what is returned. Empty at 1x.
pica::LockstepBackend::CompareBeside compare_planes(const pica::SoftwareCore& software, Renderer& vulkan);

// The planes of all guest memory, for a backend that goes on (PlaneMemory::take_over). Reads back, so it submits and waits.
// Null at 1x, without a backend, and after a failure. Valid until the backend does something else.
const pica::PlaneMemory* all_current_planes(Renderer* vulkan);

} // namespace renderer
