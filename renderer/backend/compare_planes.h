// SPDX-License-Identifier: MIT
// For lockstep above 1x: what guest memory does not show of pictures of N x pixels. Tests: the suites of
// tests/conformance at N.
#pragma once

#include "pica/command/lockstep.h"

namespace pica
{
class SoftwareCore;
}

namespace renderer
{

class Renderer;

// Compares the planes of both backends (pica/upscale/plane_comparison.h), after the operations that both have done. Reads
// back, so it submits and waits. Both must outlive what is returned. Empty at 1x.
pica::LockstepBackend::CompareBeside compare_planes(const pica::SoftwareCore& software, Renderer& vulkan);

} // namespace renderer
