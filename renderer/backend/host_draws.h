// SPDX-License-Identifier: MIT
// Draws of the software renderer into guest memory, with the vertices that the vertex stage has: where the device has
// no copy of the target's memory (GuestMirror; extended FCRAM, 256 MiB, is larger than a storage buffer of some
// devices), and while pipelines are made. Tests: tests/conformance/coherence.cpp.
#pragma once

#include "pica/soft/software_core.h"
#include "renderer/draw/residency.h"

#include <memory>

namespace renderer
{

class HostDraws
{
public:
    struct Parts
    {
        pica::GuestMemory& guest;
        pica::Report& report;
        RenderTargets& targets;
        Residency& residency;
        CollectedDraws& collected;
        pica::soft::VertexStage& vertex_stage;
    };
    explicit HostDraws(const Parts& parts) : parts_(parts) {}

    // Makes target and textures current in guest memory and draws there.
    void draw(const pica::Draw& draw);
    // The two halves of it. Afterwards no draw is collected.
    void make_pixels_current(const pica::Draw& draw);
    void rasterise(const pica::Draw& draw, pica::SoftwareCore& core);

private:
    Parts parts_;
    std::unique_ptr<pica::SoftwareCore> core_; // made by the first draw
};

} // namespace renderer
