// SPDX-License-Identifier: MIT
// The triangles of a draw that can be seen: clips, divides and culls what the primitive assembler completes.
// Source: design.md, rows "Vertex output" to "Edge values". Tests: clip_test.cpp, vertex_stage_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "pica/vertex/shaded_vertex.h"

#include <array>
#include <span>
#include <vector>

namespace pica
{

class WorkSharer;

class VisibleTriangles
{
public:
    // That one thread takes at a time: some 10 microseconds.
    static constexpr u32 kTrianglesPerPart = 256;
    // The numbers of a triangle's vertices, in the order of the assembler.
    using Corners = std::array<u32, 3>;

    // scale: internal resolution N.
    explicit VisibleTriangles(u32 scale);

    void clear();
    // Clears, and takes the state of a draw.
    void begin(const Draw& draw);
    // The draw's vertices after the output map, for the caller to fill. add() takes their positions in it,
    // and appends the vertices that clipping makes.
    ShadedVertices& vertices() { return vertices_; }
    // Computes again what the viewport and the clip plane decide, for a vertex that an earlier draw shaded.
    void place(ShadedVertex& v) const;
    // Takes a triangle from the assembler.
    void add(u32 a, u32 b, u32 c) { place_triangle({a, b, c}, {triangles_, vertices_, 0}); }
    // The same for many triangles, in this order. sharer: many are divided among threads; null: this one takes all.
    void add_all(std::span<const Corners> triangles, WorkSharer* sharer);

    u32 count() const { return static_cast<u32>(triangles_.size()); }
    // As the functions of VertexStage.
    PixelRect bounds() const;
    u64 covered_pixels(const PixelRect& scissor) const;
    bool alphas_are_full() const;
    void emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const;

private:
    // Where triangles go, and the vertices that clipping makes. The first of these has the number first_made.
    struct Output
    {
        std::vector<Triangle>& triangles;
        ShadedVertices& made;
        u32 first_made;
    };
    // Some triangles of add_all, with the vertices that clipping made of them. The
    // first of these has the number of the vertices that there were before the first part.
    struct Part
    {
        std::vector<Triangle> triangles;
        ShadedVertices made;
    };
    void place_triangle(const Corners& corners, const Output& to) const;
    void clip(const Corners& corners, const Output& to) const;
    void add_visible(Triangle triangle, const ShadedVertex& p, const ShadedVertex& q, const ShadedVertex& r,
                     std::vector<Triangle>& to) const;
    void append(const Part& part, u32 given);

    u32 scale_;
    GeometryConstants geometry_;
    SnapBounds bounds_;
    bool lit_ = false;
    ShadedVertices vertices_;
    std::vector<Triangle> triangles_;
    std::vector<Part> parts_;
};

} // namespace pica
