// SPDX-License-Identifier: MIT
// From a Draw to snapped, visible triangles: fetch, vertex and geometry program, output map, assembly,
// clipping, viewport, culling, set-up. Used by the software core and, as its CPU executor, by the Vulkan
// renderer. Source: design.md, rows "Vertex output" to "Edge values". Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/vertex/assembler_slots.h"
#include "pica/vertex/geometry_path.h"
#include "pica/vertex/unique_vertices.h"
#include "pica/vertex/vertex_outputs.h"
#include "pica/vertex/vertex_runner.h"
#include "pica/vertex/visible_triangles.h"

#include <memory>

namespace pica
{

class KeptTail;
class WorkSharer;

class VertexStage
{
public:
    // scale: internal resolution, as a multiple of the console's.
    explicit VertexStage(u32 scale = 1);
    ~VertexStage();

    // Runs a draw. Its triangles stay until the next run. Vertices that belong to no complete triangle are
    // kept for the next draw (pica/hardware/primitives.md, "Assembly"). sharer: shades many vertices, and clips and
    // culls many triangles, on several threads; null: on this one.
    void run(const Draw& draw, const GuestMemory& memory, Report& report, WorkSharer* sharer = nullptr);

    // Leaves the assembler in the state in which run would leave it, but the program runs only for the vertices
    // that stay pending, and only when they are needed. For draws that the device executes.
    void run_tail(const Draw& draw, const GuestMemory& memory, Report& report);
    // The geometry shader unit. run_tail() does not change it.
    GeometryShaderUnit& geometry() { return geometry_.unit(); }
    const GeometryShaderUnit& geometry() const { return geometry_.unit(); }
    // Everything that goes on to later draws.
    Carryover save();
    void load(const Carryover& carryover);
    // Number of vertices kept for the next draw.
    u32 pending() const { return slots_.pending(); }
    // The assembler on its way to a device and back.
    AssemblerState assembler_state();
    void set_assembler_state(const AssemblerState& state);
    // The vertices kept from draws before this one, with which its first primitives begin.
    PendingVertices pending_vertices(const Draw& draw);

    u32 triangle_count() const { return triangles_.count(); }
    // The pixels [x1, x2) x [y1, y2), y up, that bound all triangles; empty if there are none.
    PixelRect bounds() const { return triangles_.bounds(); }
    // An upper bound of the covered pixels: for each triangle, the smaller of its bounding box inside the
    // scissor rectangle and its area plus one, in pixels of the stage's scale.
    u64 covered_pixels(const PixelRect& scissor) const { return triangles_.covered_pixels(scissor); }
    // Writes for each triangle layout.words words to `records`, and six numbers to `positions`: X and Y of vertices 0,
    // 1 and 2 of its triangle record. sharer: divides the triangles; null: this thread does them all.
    void emit(const RecordLayout& layout, u32* records, s32* positions, WorkSharer* sharer = nullptr) const;
    void emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const
    {
        triangles_.emit(layout, first, count, records, positions);
    }

    // Is the interpolated alpha of each pixel of the triangles 255? True only where that is sure.
    bool alphas_are_full() const { return triangles_.alphas_are_full(); }

    // Number of vertices for which the program ran in the last run.
    u32 shaded_vertices() const { return shaded_vertices_; }

private:
    void run_vertices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void run_geometry(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void begin_vertices(u32 count);
    void scan_indices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void begin_primitives(const Draw& draw);
    void finish_tail();
    void shade(const Draw& draw, u32 first_slot, u32 count, const GuestMemory& memory, Report& report);
    IndexRange fetched_numbers(const Draw& draw, u32 count) const;
    u32 shade_part(const Draw& draw, u32 first_slot, u32 begin, u32 end, VertexRunner& runner);
    // row(source): output register * 4 + component.
    template <typename Row>
    VertexOutputRows output_rows(const VertexKey& vertex, const GeometryConstants& geometry, Row row) const;
    void assemble(const Draw& draw, u32 first_slot, u32 count);
    template <typename Vertex, typename Emit>
    void push_vertices(Topology topology, u32 count, Vertex vertex, Emit emit);
    void feed_geometry(const Draw& draw, u32 count);
    void assemble_emitted(const Draw& draw);

    u32 scale_;
    VertexOutputFunction outputs_;
    VertexRunner runner_;
    std::vector<std::unique_ptr<VertexRunner>>
        helpers_;                  // of threads 1, 2, ... of the sharer; null before they are used
    std::vector<u8> begun_;        // by thread: has its runner begun the draw in progress?
    WorkSharer* sharer_ = nullptr; // of the draw in progress
    UniqueVertices unique_;        // of element draws
    GeometryPath geometry_;
    bool emits_ = false; // the draw in progress has a geometry shader
    AssemblerSlots slots_;
    std::unique_ptr<KeptTail> tail_; // of slots_
    VisibleTriangles triangles_;
    std::vector<VisibleTriangles::Corners>
        corners_; // of the triangles of a draw in progress, if threads share them
    u32 shaded_vertices_ = 0;
};

} // namespace pica
