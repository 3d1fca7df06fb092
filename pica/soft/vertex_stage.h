// SPDX-License-Identifier: MIT
// From a Draw to snapped, visible triangles: fetch, vertex and geometry program, output map, assembly,
// clipping, viewport, culling, set-up. Used by the software core and, as its CPU executor, by the Vulkan
// renderer. Source: design.md, rows "Vertex output" to "Edge values". Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/soft/clip.h"
#include "pica/soft/geometry_stage.h"
#include "pica/soft/primitive.h"
#include "pica/soft/vertex_fetch.h"
#include "pica/soft/vertex_outputs.h"
#include "pica/state/carryover.h"
#include "pica/state/pending_vertices.h"
#include "pica/state/triangle_record.h"

#include <vector>

namespace pica::soft
{

class VertexStage
{
public:
    // scale: internal resolution N.
    explicit VertexStage(u32 scale = 1);

    // Runs a draw. Its triangles stay until the next run. Vertices that belong to no complete triangle are
    // kept for the next draw (pica/hardware/primitives.md, "Assembly").
    void run(const Draw& draw, const GuestMemory& memory, Report& report);

    // Leaves the assembler in the state in which run would leave it, but runs the program only for the
    // vertices that stay pending. For draws that the device executes.
    void run_tail(const Draw& draw, const GuestMemory& memory, Report& report);
    // The geometry shader unit. run_tail() does not change it.
    GeometryStage& geometry() { return geometry_; }
    const GeometryStage& geometry() const { return geometry_; }
    // Everything that goes on to later draws (vertex_stage_carryover.cpp).
    Carryover save() const;
    void load(const Carryover& carryover);
    // Number of vertices kept for the next draw.
    u32 pending() const { return assembler_.pending(); }
    // The assembler on its way to a device and back.
    AssemblerState assembler_state() const;
    void set_assembler_state(const AssemblerState& state);
    // The vertices with which the draw continues.
    PendingVertices pending_vertices(const Draw& draw) const;

    u32 triangle_count() const { return static_cast<u32>(triangles_.size()); }
    // The pixels [x1, x2) x [y1, y2), y up, that bound all triangles; empty if there are none.
    PixelRect bounds() const;
    // An upper bound of the covered pixels: for each triangle, the smaller of its bounding box inside the
    // scissor rectangle and its area plus one, in pixels of the stage's scale.
    u64 covered_pixels(const PixelRect& scissor) const;
    // Writes layout.words words and six positions for each triangle: X, Y of vertices 0, 1, 2 of its triangle
    // record.
    void emit(const RecordLayout& layout, u32* records, s32* positions) const
    {
        emit(layout, 0, triangle_count(), records, positions);
    }
    void emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const;

    // Number of vertices for which the program ran in the last run.
    u32 shaded_vertices() const { return shaded_vertices_; }

private:
    static std::array<f32, 24> row_of(const ShadedVertex& v);
    void scan_indices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void bind(const Draw& draw);
    void shade(const Draw& draw, u32 first_slot, u32 count, const GuestMemory& memory, Report& report);
    void set_output_rows(const Draw& draw);
    const f32* output_row(u8 source) const; // output register * 4 + component
    // With a geometry shader: vertex_stage_geometry.cpp.
    void run_geometry(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void scan_primitives(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void feed_geometry(const Draw& draw, u32 count);
    void assemble_emitted(const Draw& draw);
    void load_pending(const Draw& draw);
    void keep_attributes(const Draw& draw, u32 first, u32 lanes);
    void begin_indices();
    u32 unique_vertex(u32 index);
    void assemble(const Draw& draw, u32 first_slot, u32 count);
    void add_triangle(const Draw& draw, u32 a, u32 b, u32 c);
    void add_visible(CullMode cull, Triangle triangle);

    u32 scale_;
    VertexOutputFunction outputs_;
    VertexOutputRows output_rows_;
    BatchInterpreter interpreter_;
    const Program* program_ = nullptr; // the program that is bound, with the next member
    u64 program_id_ = 0;
    u64 uniforms_revision_ = 0;
    VertexFetch fetch_;
    PrimitiveAssembler assembler_;
    std::array<ShadedVertex, 2> pending_;
    bool flat_ = false;
    bool lit_ = false;
    SnapBounds bounds_;
    u32 shaded_vertices_ = 0;

    // Pending ones, then unique ones of the draw, then those made by clipping.
    std::vector<ShadedVertex> vertices_;
    std::vector<Triangle> triangles_;
    // Element draws: the vertex number of each unique vertex, and the unique vertex of each element.
    std::vector<u32> unique_;
    std::vector<u32> elements_;
    struct IndexSlot
    {
        u32 epoch = 0; // of the last draw that used this index
        u32 unique = 0;
    };
    std::vector<IndexSlot> index_slots_;
    u32 epoch_ = 0;

    GeometryStage geometry_;
    bool emits_ = false;                  // the draw in progress has a geometry shader
    std::vector<Vec4> fed_;               // attributes of its unique vertices, for the geometry shader unit
    std::vector<u32> primitive_vertices_; // variable mode: number of vertices of each primitive
    // Rows of emitted vertices; row number: output register * 4 + component.
    struct alignas(32) EmittedRow
    {
        f32 lane[BatchInterpreter::kLanes] = {};
    };
    std::array<EmittedRow, kGeometrySlotOutputs * 4> emitted_rows_;
};

} // namespace pica::soft
