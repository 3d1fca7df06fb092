// SPDX-License-Identifier: MIT
// The draws that are collected and not yet recorded: the draw batch, and the vertex work of the compute
// executor in front of it.
#pragma once

#include "renderer/draw/batch.h"
#include "renderer/vertex/vertex_executor.h"

namespace renderer
{

class CollectedDraws
{
public:
    // executor: null where the CPU executes vertex programs.
    CollectedDraws(Batch& batch, VertexExecutor* executor) : batch_(batch), executor_(executor) {}

    // Records them, and closes the batch. Does not submit. Nothing happens where no batch is open.
    void flush();
    // Does the open batch draw to memory of this range?
    bool overlap(PhysAddr address, u64 size) const;

private:
    Batch& batch_;
    VertexExecutor* executor_;
};

} // namespace renderer
