// SPDX-License-Identifier: MIT
#include "renderer/draw/collected_draws.h"

namespace renderer
{

void CollectedDraws::flush()
{
    if (!batch_.open())
        return;
    if (executor_)
        executor_->record(); // the render pass reads the results of this vertex work
    batch_.record();
}

bool CollectedDraws::overlap(PhysAddr address, u64 size) const
{
    const auto touches = [&](const Surface* surface)
    { return surface && pica::overlap(surface->key.address, surface->bytes, address, size); };
    return batch_.open() && (touches(batch_.color()) || touches(batch_.depth()));
}

} // namespace renderer
