// SPDX-License-Identifier: MIT
// The vertices of a draw as JSON and as Wavefront OBJ, for `picavk dump`.
#pragma once

#include "pica/inspect/draw_vertices.h"
#include "samples/cli/json_text.h"

#include <string>

namespace samples
{

Json vertices_json(const pica::DrawVertices& vertices, const pica::VertexKey& key);

// The lowest input register that the program reads, as x y z. With a geometry program there are points, not triangles.
std::string obj_before(const pica::DrawVertices& vertices);
// Normalised device coordinates (x / w, y / w, z / w), with texture coordinates 0. Triangles with a vertex that has none
// (w is not above 0) are comments.
std::string obj_after(const pica::DrawVertices& vertices, const pica::VertexKey& key);

} // namespace samples
