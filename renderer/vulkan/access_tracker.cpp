// SPDX-License-Identifier: MIT
#include "renderer/vulkan/access_tracker.h"

namespace renderer
{

namespace
{

// Barriers make these available. Others in a source mask have no effect.
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                                  VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

} // namespace

// Is there a barrier already that makes the last write visible to the next use?
bool AccessTracker::follows_write(const Stream& stream, const Access& next) const
{
    return written_stages_ == 0 ||
           (shared_ && stream.has_barrier(written_at_, {written_stages_, next.stages,
                                                        written_access_ & kWrites, next.mask}));
}

// Is there one already that orders the next use, a write, behind the reads?
bool AccessTracker::follows_reads(const Stream& stream, const Access& next) const
{
    return read_stages_ == 0 || (shared_ && stream.has_barrier(read_at_, {read_stages_, next.stages, 0, 0}));
}

void AccessTracker::use(Stream& stream, const Access& next)
{
    if (next.write)
    {
        if (!follows_write(stream, next) || !follows_reads(stream, next))
            stream.need(written_stages_ | read_stages_, written_access_, next.stages, next.mask);
        written_stages_ = next.stages;
        written_access_ = next.mask;
        read_stages_ = 0;
        visible_stages_ = 0;
        visible_access_ = 0;
        written_at_ = stream.place();
        return;
    }
    const bool visible =
        (visible_stages_ & next.stages) == next.stages && (visible_access_ & next.mask) == next.mask;
    if (!visible && !follows_write(stream, next))
    {
        stream.need(written_stages_, written_access_, next.stages, next.mask);
        visible_stages_ |= next.stages;
        visible_access_ |= next.mask;
    }
    read_stages_ |= next.stages;
    read_at_ = stream.place();
}

void AccessTracker::use_disjoint(Stream& stream, const Access& next)
{
    if (next.write && written_stages_ == next.stages && written_access_ == next.mask && read_stages_ == 0)
    {
        written_at_ = stream.place();
        return;
    }
    use(stream, next);
}

} // namespace renderer
