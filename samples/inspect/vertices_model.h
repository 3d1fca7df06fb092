// SPDX-License-Identifier: MIT
// The vertices of the last draw up to the selected operation: before and after the programs as a table and as wireframes,
// and the triangles. Knows nothing of the window. Tests: tests/cli/inspect_draw_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"
#include "samples/inspect/wireframe.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pica
{
struct AssembledVertex;
struct DrawVertices;
} // namespace pica

namespace samples
{

// From which side the vertices before the program are seen.
enum class WireView : pica::u8
{
    Xy,
    Xz,
    Zy,
};

class VerticesModel
{
public:
    // The elements of a draw that are shown.
    static constexpr pica::u32 kMostElements = 1u << 16;

    explicit VerticesModel(StreamModel& model);
    ~VerticesModel();
    VerticesModel(const VerticesModel&) = delete;
    VerticesModel& operator=(const VerticesModel&) = delete;

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    const pica::DrawVertices& vertices();
    bool has_geometry_program();

    // The registers that the vertex program reads and writes, "v0" and "o0": the columns of the table. Its rows are the
    // elements.
    const std::vector<std::string>& columns();
    // "1 0.5 -3 1"
    std::string cell(std::size_t element, std::size_t column);
    // The index in the guest's arrays, or the place in them.
    pica::u64 vertex_of(std::size_t element);
    // "vertex 4 (10.5 20.0)": a corner, and where the picture of the target has it.
    std::string corner_text(std::size_t triangle, std::size_t corner);

    // x y z of the lowest register that the vertex program reads. Points alone if a geometry program makes the triangles.
    Wireframe before(WireView view);
    // In pixels of the picture of the target, which is turned as the screens are; the frame is the target.
    Wireframe after();

    // What `--log` writes.
    Json log();

private:
    void find();
    std::array<pica::f32, 2> place_of(const pica::AssembledVertex& vertex) const;

    StreamModel& model_;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    bool has_geometry_ = false;
    std::unique_ptr<pica::DrawVertices> vertices_;
    pica::GeometryConstants constants_;
    pica::RenderTarget target_;
    std::vector<std::string> columns_;
};

} // namespace samples
