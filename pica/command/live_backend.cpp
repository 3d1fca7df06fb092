// SPDX-License-Identifier: MIT
#include "pica/command/live_backend.h"

#include "pica/memory/guest_memory.h"

namespace pica
{

void LiveBackend::exchange(Backend& next)
{
    if (&next == current_)
        return;
    for (const MemoryRegion& region : current_->memory().regions())
    {
        const auto size = u32(region.bytes.size());
        current_->will_read(region.base, size);
        next.will_write(region.base, size);
        next.did_write(region.base, size);
    }
    next.load_carryover(current_->save_carryover());
    current_ = &next;
}

void LiveBackend::draw(const Draw& draw)
{
    ++draws_;
    last_target_ = draw.target;
    tell(draw);
    current_->draw(draw);
}

} // namespace pica
