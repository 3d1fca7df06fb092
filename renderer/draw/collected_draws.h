// SPDX-License-Identifier: MIT
// CollectedDraws: the draws that are collected and not yet recorded. They are the open draw batch and the
// vertex work of the compute executor that precedes its render pass.
#pragma once

namespace renderer
{

class Batch;
class Residency;
class VertexExecutor;

class CollectedDraws
{
public:
    // executor: null where the CPU executes vertex programs.
    CollectedDraws(Batch& batch, VertexExecutor* executor, Residency& residency)
        : batch_(batch), executor_(executor), residency_(residency)
    {
    }

    // The flush: records the vertex work, then the render passes, and closes the batch. Does not submit. Does
    // nothing where no batch is open.
    void flush();

private:
    Batch& batch_;
    VertexExecutor* executor_;
    Residency& residency_;
};

} // namespace renderer
