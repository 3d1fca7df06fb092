// SPDX-License-Identifier: MIT
#include "renderer/draw/collected_draws.h"

#include "renderer/draw/batch.h"
#include "renderer/residency/residency.h"
#include "renderer/vertex/vertex_executor.h"

namespace renderer
{

void CollectedDraws::flush()
{
    if (!batch_.open())
        return;
    if (executor_)
        executor_->record(); // the render pass reads the results of this vertex work
    batch_.record();
    residency_.batch_closes();
}

} // namespace renderer
