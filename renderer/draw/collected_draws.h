// SPDX-License-Identifier: MIT
// CollectedDraws: the draws that are collected and not yet recorded. They are the open draw batch and the
// vertex work of the compute executor that precedes its render pass.
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

    // The flush: records the vertex work, then the render passes, and closes the batch. Does not submit. Does
    // nothing where no batch is open.
    void flush();
    // Does the open batch draw to guest memory in [address, address + size)?
    bool overlap(PhysAddr address, u64 size) const;

private:
    Batch& batch_;
    VertexExecutor* executor_;
};

} // namespace renderer
