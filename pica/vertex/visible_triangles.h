// SPDX-License-Identifier: MIT
// The triangles of a draw that can be seen: clips, divides and culls what the primitive assembler completes.
// Source: design.md, rows "Vertex output" to "Edge values". Tests: clip_test.cpp, vertex_stage_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "pica/vertex/shaded_vertex.h"

#include <vector>

namespace pica
{

class VisibleTriangles
{
public:
    // scale: internal resolution N.
    explicit VisibleTriangles(u32 scale);

    void clear();
    // Clears, and takes the state of a draw.
    void begin(const Draw& draw);
    // The draw's vertices after the output map, for the caller to fill. add() takes their positions in it,
    // and appends the vertices that clipping makes.
    std::vector<ShadedVertex>& vertices() { return vertices_; }
    // Computes again what the viewport and the clip plane decide, for a vertex that an earlier draw shaded.
    void place(ShadedVertex& v) const;
    // Takes a triangle from the assembler.
    void add(u32 a, u32 b, u32 c);

    u32 count() const { return static_cast<u32>(triangles_.size()); }
    // As the functions of VertexStage.
    PixelRect bounds() const;
    u64 covered_pixels(const PixelRect& scissor) const;
    void emit(const RecordLayout& layout, u32 first, u32 count, u32* records, s32* positions) const;

private:
    void add_visible(Triangle triangle);

    u32 scale_;
    GeometryConstants geometry_;
    SnapBounds bounds_;
    bool lit_ = false;
    std::vector<ShadedVertex> vertices_;
    std::vector<Triangle> triangles_;
};

} // namespace pica
