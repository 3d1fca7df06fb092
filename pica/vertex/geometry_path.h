// SPDX-License-Identifier: MIT
// The way of a draw's vertices through the geometry shader unit: outputs of the vertex program become inputs
// of the unit, and emitted primitives become rows of floats for the output map. Source:
// pica/hardware/geometry-unit.md. Tests: geometry_stage_test.cpp.
#pragma once

#include "pica/shader/batch_interpreter.h"
#include "pica/vertex/geometry_shader_unit.h"
#include "pica/vertex/unique_vertices.h"

#include <array>
#include <vector>

namespace pica
{

class GeometryPath
{
public:
    // The most primitives that the rows hold.
    static constexpr u32 kPrimitivesPerBatch = BatchInterpreter::kLanes / 3;

    GeometryShaderUnit& unit() { return unit_; }
    const GeometryShaderUnit& unit() const { return unit_; }

    // Variable mode: reads the index stream of a draw.
    void scan_primitives(const Draw& draw, u32 count, const GuestMemory& memory, UniqueVertices& unique,
                         Report& report);
    // Makes room for the attributes of `vertices` vertices.
    void begin(const GeometryFeed& feed, u32 vertices);
    // Keeps the outputs of a vertex batch as the attributes of the vertices from `first` on.
    void keep_attributes(const GeometryFeed& feed, u32 first, u32 lanes, const BatchInterpreter& batch);
    // Feeds vertex number `vertex` of those that were kept. May run the program.
    void push(const GeometryFeed& feed, u32 vertex)
    {
        unit_.push({&attributes_[std::size_t{vertex} * feed.attributes], feed.attributes});
    }
    // Variable mode: number of vertices of each primitive.
    std::span<const u32> primitive_vertices() const { return primitive_vertices_; }

    // Puts up to kPrimitivesPerBatch emitted primitives into the rows, three vertices each.
    void load_rows(u32 first, u32 primitives);
    // source: output of the unit * 4 + component.
    const f32* row(u32 source) const { return rows_[source].lane; }

private:
    GeometryShaderUnit unit_;
    std::vector<Vec4> attributes_; // of the draw's unique vertices
    std::vector<u32> primitive_vertices_;
    struct alignas(32) Row
    {
        f32 lane[BatchInterpreter::kLanes] = {};
    };
    std::array<Row, kGeometrySlotOutputs * 4> rows_;
};

} // namespace pica
