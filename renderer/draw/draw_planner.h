// SPDX-License-Identifier: MIT
// DrawPlanner: decides how a draw is executed before anything of it is collected. It chooses the pipeline
// state, the viewport, the executor of the vertex work and the number of parts. Where the CPU executor is
// chosen, the planner runs it.
#pragma once

#include "pica/base/report.h"
#include "pica/state/vertex_memory.h"
#include "renderer/draw/attribute_ranges.h"
#include "renderer/draw/chosen_state.h"
#include "renderer/draw/draw_kinds.h"
#include "renderer/draw/source_alpha.h"

#include <array>
#include <optional>

namespace pica
{
class VertexStage;
class WorkSharer;
} // namespace pica

namespace renderer
{

class CollectedDraws;
class Device;
class DrawAccesses;
class GuestMirror;
class HostAccess;
class OpaqueTextures;
class RenderTargets;
class Residency;
class StateChooser;
class VertexExecutor;
struct GeometryPlan;
struct PreparedDraw;

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
        OpaqueTextures& opaque_textures;
        HostAccess& host_access;
        CollectedDraws& collected;
        StateChooser& chooser;
        VertexExecutor* executor; // null: the CPU does all vertex work
        pica::VertexStage& vertex_stage;
        pica::WorkSharer* vertex_threads; // divide the vertex work of the CPU; may be null
    };
    // What is decided once for all draws.
    struct Facts
    {
        bool coverage_in_shader = false; // fragment shaders test coverage in every draw
        bool stencil = true;             // the device has a stencil, and its stencil test is exact
        bool geometry_exact = true;      // geometry programs on the device are exact
        DrawKinds inexact;               // kinds of draws that the device does not draw exactly
        u32 scale = 1;                   // internal resolution
    };
    DrawPlanner(const Parts& parts, const Facts& facts) : parts_(parts), facts_(facts) {}

    // Chooses prepared.state, from prepared.scaled_units too. To be called before prepare(). Neither waits nor advances the
    // vertex stage. Returns false where the state is not final: choose_with_vertices() then chooses another, or the same.
    // Without an executor it does nothing, because no state decides who does the vertex work.
    bool choose_before_vertices(const pica::Draw& draw, PreparedDraw& prepared);
    // The same behind prepare(), where the CPU did the vertex work and does that of all draws with these keys. Then what
    // the vertices are may decide, too. Returns false, and does nothing, where the state stays as it was chosen before.
    bool choose_with_vertices(const pica::Draw& draw, PreparedDraw& prepared);
    // Does any draw of this kind leave pixels? False: it has no pixels, or no target.
    static bool has_effect(const pica::Draw& draw);
    // Fills the rest of what that has filled, and does the CPU's vertex work; all of it if `on_cpu`. May
    // submit and wait, where indices or attributes are newer on the device, or where the CPU executor needs
    // the state of the geometry shader unit. False: the draw has no pixels, triangles or target. The vertex
    // stage has advanced all the same, because later draws continue from it.
    bool prepare(const pica::Draw& draw, bool on_cpu, PreparedDraw& prepared);
    // May the compute executor run the draw, after choose_before_vertices()? Asks the workers for the program.
    bool device_may_run(const pica::Draw& draw, const PreparedDraw& prepared) const;
    // Leaves the vertex work of a draw to the device, although the CPU has done it: for a warm-up, whose result
    // is discarded. False: the device cannot do it in one part, and nothing was changed.
    bool move_to_device(const pica::Draw& draw, PreparedDraw& prepared) const;
    // Must the software renderer draw it? So it is where the device has no copy of the target's memory, has no
    // stencil or an inexact one, or does not draw such draws exactly. The decoded state has no stencil test where
    // that changes nothing.
    bool is_for_host(const pica::Draw& draw) const;
    // Makes indices and attributes current in guest memory; submits and waits where the device has newer
    // bytes. Returns the range of vertex numbers of the draw. The range may be empty where the compute
    // executor is absent and no attribute can be on the device.
    pica::IndexRange make_vertices_current(const pica::Draw& draw);

    // Moves the state of the geometry shader unit and of the assembler from the device to the vertex stage, if the
    // device has it. Then it flushes, submits and waits.
    void return_unit_state();

    struct Counters
    {
        u64 triangles = 0; // of draws whose vertex work the CPU did
    };
    Counters counters;

private:
    void make_current(pica::PhysAddr address, u64 size);
    void choose_state(const pica::Draw& draw, PreparedDraw& prepared);
    const FullAlphaNeeds& full_alpha_needs_of(const pica::Draw& draw);
    pica::IndexRange make_vertices_current(const pica::Draw& draw, DrawAccesses& read);
    bool target_in_memory(const pica::Draw& draw);
    bool device_takes(const pica::Draw& draw, const PreparedDraw& prepared) const;
    u32 most_triangles(const PreparedDraw& prepared) const;
    std::optional<GeometryPlan> plan_geometry(const pica::Draw& draw, const PreparedDraw& prepared);
    bool leave_to_device(const pica::Draw& draw, PreparedDraw& prepared);
    void return_geometry();
    void return_assembler(bool restarts);
    void run_on_cpu(const pica::Draw& draw, PreparedDraw& prepared);

    Parts parts_;
    const Facts facts_;
    // What was chosen for keys, with these units at N x.
    struct Remembered
    {
        u64 revision = 0; // of the keys; 0: unknown
        std::array<bool, 3> scaled_units{};
        bool opaque = false; // PreparedDraw::opaque
        ChosenState state;
    };
    std::array<Remembered, 4> remembered_; // programs go back and forth between a few
    u32 next_remembered_ = 0;
    // What keys need for a source alpha of 255.
    struct Needs
    {
        u64 revision = 0; // of the keys; 0: unknown
        FullAlphaNeeds needs;
    };
    std::array<Needs, 4> needs_;
    u32 next_needs_ = 0;
    AttributeRanges attributes_; // of the draw that was last looked at
    u64 in_memory_revision_ = 0; // the target of the keys of this revision is in memory
};

} // namespace renderer
