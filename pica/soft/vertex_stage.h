// SPDX-License-Identifier: MIT
// From a Draw to snapped, visible triangles: fetch, vertex and geometry program, output map, assembly,
// clipping, viewport, culling, setup. Used by the software core and, as CPU executor, by the Vulkan renderer.
// Source: design.md, rows "Vertex output" to "Edge values". Tests: vertex_stage_test.cpp.
#pragma once

#include "pica/soft/clip.h"
#include "pica/soft/geometry_stage.h"
#include "pica/soft/primitive.h"
#include "pica/soft/vertex_fetch.h"
#include "pica/soft/vertex_outputs.h"
#include "pica/state/carryover.h"
#include "pica/state/triangle_record.h"

#include <vector>

namespace pica::soft
{

// [our rule] Vertices of a draw beyond this are dropped and reported: the bound on the work of one draw.
inline constexpr u32 kMaxDrawVertices = 1u << 20;

// Vertex numbers first..last that a draw fetches.
struct IndexRange
{
    u64 first = 0;
    u64 last = 0;
};

// What earlier draws left in the assembler: vertices behind the output map as the vertex shaders write them,
// in the order in which they came.
struct PendingVertices
{
    u32 count = 0;          // 0..2
    bool odd_strip = false; // the next triangle of the strip is an odd one (geometry sheet 12.8)
    std::array<std::array<f32, 24>, 2> rows{}; // by semantic
};

class VertexStage
{
public:
    // scale: internal resolution N.
    explicit VertexStage(u32 scale = 1);

    // Runs a draw; the triangles stay until the next run. Vertices that no triangle has used yet are kept for
    // the next draw (geometry sheet 8.1).
    void run(const Draw& draw, const GuestMemory& memory, Report& report);

    // What the draw will fetch: element draws scan their indices.
    static IndexRange index_range(const Draw& draw, const GuestMemory& memory);
    // Leaves the assembler as run would, running the program for the vertices that stay pending only: for
    // draws that somebody else executes.
    void run_tail(const Draw& draw, const GuestMemory& memory, Report& report);
    // The geometry unit; run_tail() leaves it alone.
    GeometryStage& geometry() { return geometry_; }
    const GeometryStage& geometry() const { return geometry_; }
    // What goes on to later draws, all of it (vertex_stage_carryover.cpp).
    Carryover save() const;
    void load(const Carryover& carryover);
    // Vertices kept for the next draw.
    u32 pending() const { return assembler_.pending(); }
    // The assembler on its way to a device and back: its state and the vertices in its slots, by semantic.
    struct AssemblerState
    {
        u32 word = 0; // STATE_ASSEMBLER of shaders/include/layout.h
        std::array<std::array<f32, 24>, 2> slots{};
    };
    AssemblerState assembler_state() const;
    void set_assembler_state(const AssemblerState& state);
    // What the draw continues.
    PendingVertices pending_vertices(const Draw& draw) const;

    u32 triangle_count() const { return static_cast<u32>(triangles_.size()); }
    // Pixels [x1, x2) x [y1, y2), y up, that bound all triangles; empty where there is none.
    PixelRect bounds() const;
    // Sum over the triangles: the smaller of their bounding box inside the scissor rectangle and their area
    // plus one, in pixels of the stage's scale.
    u64 covered_pixels(const PixelRect& scissor) const;
    // Writes layout.words words per triangle and six positions: X, Y of vertices 0, 1, 2 of the record.
    void emit(const RecordLayout& layout, u32* records, s32* positions) const
    {
        emit(layout, 0, triangle_count(), records, positions);
    }
    void emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const;

    // Vertices that the program ran for in the last run.
    u32 shaded_vertices() const { return shaded_vertices_; }

private:
    static std::array<f32, 24> row_of(const ShadedVertex& v);
    void scan_indices(const Draw& draw, u32 count, const GuestMemory& memory, Report& report);
    void bind(const Draw& draw);
    void shade(const Draw& draw, u32 first_slot, u32 count, const GuestMemory& memory, Report& report);
    void set_output_rows(const Draw& draw);
    const f32* output_row(u8 source) const; // output register * 4 + component
    // Geometry shader: vertex_stage_geometry.cpp.
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
    const Program* program_ = nullptr; // bound, with this
    u64 program_id_ = 0;
    u64 uniforms_revision_ = 0;
    VertexFetch fetch_;
    PrimitiveAssembler assembler_;
    std::array<ShadedVertex, 2> pending_;
    bool flat_ = false;
    bool lit_ = false;
    SnapBounds bounds_;
    u32 shaded_vertices_ = 0;

    std::vector<ShadedVertex> vertices_; // pending ones, unique ones of the draw, those made by clipping
    std::vector<Triangle> triangles_;
    // Element draws: vertex number per unique vertex, unique vertex per element.
    std::vector<u32> unique_;
    std::vector<u32> elements_;
    struct IndexSlot
    {
        u32 epoch = 0; // of the draw that used this index last
        u32 unique = 0;
    };
    std::vector<IndexSlot> index_slots_;
    u32 epoch_ = 0;

    GeometryStage geometry_;
    bool emits_ = false;                  // the draw in work has a geometry shader
    std::vector<Vec4> fed_;               // attributes of its unique vertices, for the unit
    std::vector<u32> primitive_vertices_; // variable mode: vertices of each primitive
    // Rows of emitted vertices: output register * 4 + component.
    struct alignas(32) EmittedRow
    {
        f32 lane[BatchInterpreter::kLanes] = {};
    };
    std::array<EmittedRow, kGeometrySlotOutputs * 4> emitted_rows_;
};

} // namespace pica::soft
