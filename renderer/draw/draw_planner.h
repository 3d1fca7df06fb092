// SPDX-License-Identifier: MIT
// Decides how a draw is done before anything of it is collected: state, viewport, and whether the CPU or the compute
// executor does the vertex work, in how many parts. The CPU's vertex work is done here.
#pragma once

#include "renderer/draw/residency.h"
#include "renderer/draw/state_chooser.h"

namespace renderer
{

class DrawPlanner
{
public:
    struct Parts
    {
        const Device& device;
        pica::GuestMemory& guest;
        pica::Report& report;
        GuestMirror& mirror;
        RenderTargets& targets;
        Residency& residency;
        CollectedDraws& collected;
        DrawStates& states;
        StateChooser& chooser;
        VertexExecutor* executor; // null: the CPU executes vertex programs
        pica::soft::VertexStage& vertex_stage;
    };
    struct Facts
    {
        bool coverage_in_shader = false; // of every draw
        u32 scale = 1;                   // internal resolution
    };
    DrawPlanner(const Parts& parts, const Facts& facts) : parts_(parts), facts_(facts) {}

    // False: nothing is to be drawn, but the vertex stage has moved on.
    bool prepare(const pica::Draw& draw, PreparedDraw& prepared);
    // Indices and attributes become current in guest memory. Gives the vertex numbers where they are needed later.
    pica::soft::IndexRange make_vertices_current(const pica::Draw& draw);

    struct Counters
    {
        u64 triangles = 0; // of draws whose vertices the CPU does
    };
    Counters counters;

private:
    bool device_takes(const pica::Draw& draw, PreparedDraw& prepared);
    bool takes_geometry(const pica::Draw& draw);
    bool plan_parts(const pica::Draw& draw, PreparedDraw& prepared);
    void leave_to_device(const pica::Draw& draw, PreparedDraw& prepared);
    void run_on_cpu(const pica::Draw& draw, PreparedDraw& prepared);

    Parts parts_;
    const Facts facts_;
};

} // namespace renderer
