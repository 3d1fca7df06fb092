// SPDX-License-Identifier: MIT
// VertexJob: what the compute executor is asked to do.
#pragma once

#include "pica/state/pending_vertices.h"
#include "pica/state/vertex_memory.h"
#include "renderer/vertex/vertex_work.h"

namespace renderer
{

struct GeometryWork;

// The vertex work of one draw, or of a part of one.
struct VertexJob
{
    const pica::Draw& draw;
    pica::IndexRange vertices;              // vertex numbers
    const pica::PendingVertices& pending;   // vertices that earlier draws left for it
    const GeometryWork* geometry = nullptr; // null: the draw has no geometry program
};

} // namespace renderer
