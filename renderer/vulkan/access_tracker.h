// SPDX-License-Identifier: MIT
// The barriers of single resources.
#pragma once

#include "renderer/vulkan/stream.h"

namespace renderer
{

// A way of using a resource: pipeline stages and kinds of access.
struct Access
{
    VkPipelineStageFlags stages = 0;
    VkAccessFlags mask = 0;
    bool write = false;
};

inline constexpr Access kTransferRead{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, false};
inline constexpr Access kTransferWrite{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, true};
inline constexpr Access kComputeRead{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false};
inline constexpr Access kComputeWrite{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, true};
inline constexpr Access kComputeImageWrite{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                                           true};
inline constexpr Access kFragmentRead{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                                      false};
// Use as colour attachment, input attachment and storage image of a draw.
inline constexpr Access kColorAttachment{
    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
    VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    true};
inline constexpr Access kDepthAttachment{
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, true};

// AccessTracker: remembers how a resource was last used, and asks for the barrier that the next use needs
// (Stream::need). The barriers are global memory barriers, because images of the renderer keep one layout.
class AccessTracker
{
public:
    // Shared: barriers that were recorded for other resources count, too. The commands of a use must then be recorded
    // before the second call of Stream::cmd() after it, or recorded() be called.
    enum class Barriers
    {
        Own,
        Shared,
    };
    AccessTracker() = default;
    explicit AccessTracker(Barriers barriers) : shared_(barriers == Barriers::Shared) {}

    // Asks for the barrier, if one is needed before `next`.
    void use(Stream& stream, const Access& next);
    // The same, but for a write that is known not to overlap the last write: no barrier between two writes of
    // the same kind.
    void use_disjoint(Stream& stream, const Access& next);
    // The commands of the last use come behind all barriers that are recorded now.
    void recorded(const Stream& stream) { written_at_ = read_at_ = stream.last_place(); }
    bool last_was_write() const { return written_stages_ != 0; }

private:
    bool follows_write(const Stream& stream, const Access& next) const;
    bool follows_reads(const Stream& stream, const Access& next) const;

    bool shared_ = false;
    // The last write, and the accesses that it has been made visible to since.
    VkPipelineStageFlags written_stages_ = 0;
    VkAccessFlags written_access_ = 0;
    VkPipelineStageFlags visible_stages_ = 0;
    VkAccessFlags visible_access_ = 0;
    VkPipelineStageFlags read_stages_ = 0; // readers since the last write
    u64 written_at_ = 0, read_at_ = 0;     // Stream::place of the last ones
};

} // namespace renderer
