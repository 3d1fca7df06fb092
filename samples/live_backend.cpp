// SPDX-License-Identifier: MIT
#include "samples/live_backend.h"

#include "pica/memory/guest_memory.h"

namespace samples
{

void LiveBackend::exchange(pica::Backend& next)
{
    if (&next == current_)
        return;
    for (const pica::MemoryRegion& region : current_->memory().regions())
    {
        const auto size = pica::u32(region.bytes.size());
        current_->will_read(region.base, size);
        next.will_write(region.base, size);
        next.did_write(region.base, size);
    }
    current_ = &next;
}

void LiveBackend::draw(const pica::Draw& draw)
{
    ++draws_;
    last_target_ = draw.target;
    current_->draw(draw);
}

} // namespace samples
