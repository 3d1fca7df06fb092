// SPDX-License-Identifier: MIT
#include "renderer/draw/early_submits.h"

#include "renderer/draw/collected_draws.h"
#include "renderer/draw/host_access.h"
#include "renderer/vulkan/stream.h"

#include <algorithm>

namespace renderer
{

u32 EarlySubmits::recorded_draws() const
{
    return serial_ == stream_.current() ? draws_ : 0;
}

void EarlySubmits::before_draw()
{
    if (recorded_draws() < kMostDraws)
        return;
    collected_.flush();
    submit();
}

void EarlySubmits::count_draw()
{
    draws_ = recorded_draws() + 1;
    serial_ = stream_.current();
}

void EarlySubmits::operation_ended()
{
    const bool many = recorded_draws() >= kDraws;
    if (!many && (reads_ == kReads || !host_access_.awaits_read()))
        return;
    reads_ += many ? 0 : 1;
    submit();
}

void EarlySubmits::transfer_ended(bool must_submit)
{
    if (transfers_ == kTransfers && !must_submit)
        return operation_ended();
    transfers_ = std::min(transfers_ + 1, kTransfers);
    submit();
}

void EarlySubmits::end_frame()
{
    transfers_ = reads_ = 0;
}

void EarlySubmits::submit()
{
    host_access_.read_ahead();
    stream_.submit();
}

} // namespace renderer
