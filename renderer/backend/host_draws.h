// SPDX-License-Identifier: MIT
// HostDraws: executes the pixel work of a draw with the software renderer, in guest memory. The vertices are
// those that the vertex stage holds. Used where the device has no copy of the target's memory (GuestMirror;
// extended FCRAM, 256 MiB, is larger than the storage buffers of some devices), for draws that the device has no stencil
// for or does not draw exactly (DrawPlanner::is_for_host), and by SoftwareFallback. Tests: tests/conformance/coherence.cpp,
// tests/renderer/rehearsal_test.cpp, tests/renderer/stencil_fallback_test.cpp.
#pragma once

#include "pica/soft/software_core.h"

#include <memory>

namespace pica
{
class VertexStage;
}

namespace renderer
{

class CollectedDraws;
class DevicePlanes;
class HostAccess;
class Residency;

class HostDraws
{
public:
    struct Parts
    {
        pica::GuestMemory& guest;
        pica::Report& report;
        Residency& residency;
        HostAccess& host_access;
        CollectedDraws& collected;
        pica::VertexStage& vertex_stage;
        // Above 1x only: the planes, and the core that has them on the host.
        DevicePlanes* planes = nullptr;
        pica::SoftwareCore* scaled_core = nullptr;
    };
    explicit HostDraws(const Parts& parts) : parts_(parts) {}

    // Draws. The vertex stage must hold the draw's vertices. Makes target and textures current in guest
    // memory first, which submits and waits where the device has newer bytes. Host failures are kept in
    // Device::status.
    void draw(const pica::Draw& draw);
    // The two steps of draw(). make_pixels_current: makes target and textures current in guest memory, above 1x in the
    // host's planes too, and flushes; may submit and wait. rasterise: draws with `core`, above 1x the one of Parts, and
    // marks surfaces over the target as stale.
    void make_pixels_current(const pica::Draw& draw);
    void rasterise(const pica::Draw& draw, pica::SoftwareCore& core);

    pica::u64 draws = 0; // calls of draw()

private:
    Parts parts_;
    std::unique_ptr<pica::SoftwareCore> core_; // of 1x, created by the first draw
};

} // namespace renderer
