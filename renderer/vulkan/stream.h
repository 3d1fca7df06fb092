// SPDX-License-Identifier: MIT
// The one stream of commands: a ring of command buffers with a fence each, serial numbers instead of waiting,
// and destruction that waits for the device. Also the barrier bookkeeping of single resources.
#pragma once

#include "renderer/vulkan/debug.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace renderer
{

class Stream
{
public:
    static constexpr u32 kInFlight = 4;

    static Result<std::unique_ptr<Stream>> create(Device& device);
    ~Stream(); // waits for the device
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    Device& device() { return device_; }
    // The command buffer being recorded; begins one where none is open (that may wait for the oldest
    // submission).
    VkCommandBuffer cmd();
    // Serial of the submission being recorded.
    u64 current() const { return current_; }
    // Submits what was recorded, if anything. Returns the serial after which everything recorded so far is
    // done.
    u64 submit();
    bool done(u64 serial);
    // Submits first if serial is the one being recorded.
    Status wait(u64 serial);
    // Signalled with the serials of the submissions for which that was asked; null where the device has no
    // timeline semaphores.
    VkSemaphore timeline() const { return timeline_; }
    // Somebody may wait for the submission being recorded.
    void signal_timeline() { signals_ = true; }
    // The next submission begins after somebody else's semaphore; value: of a timeline semaphore.
    void wait_for(VkSemaphore semaphore, u64 value);
    // Returns when the device uses nothing of this stream any more, even if it has failed, or is abandoned.
    void drain();

    // Runs when the submission being recorded is done.
    void defer(std::function<void()> action);
    // Keeps an object alive until then.
    template <typename T>
    void retire(T object)
    {
        auto holder = std::make_shared<T>(std::move(object));
        defer([holder] {});
    }

    // Number of the batch of draws being collected. Its commands are recorded later than uploads made for it,
    // so whoever overwrites something that carries this number calls flush_batch first.
    u64 batch() const { return batch_; }
    // The collected draws have been recorded.
    void end_batch() { ++batch_; }
    // Number of the guest's frame, for the labels of captures.
    u64 frame = 0;
    // Set by the owner of batches; must record the collected draws and call end_batch.
    std::function<void()> batch_flusher;
    void flush_batch()
    {
        if (batch_flusher)
            batch_flusher();
    }

    void barrier(VkPipelineStageFlags from_stages, VkAccessFlags from, VkPipelineStageFlags to_stages,
                 VkAccessFlags to);

    struct Counters
    {
        u64 submissions = 0, barriers = 0, waits = 0;
    };
    Counters counters;

private:
    struct Slot
    {
        VkCommandBuffer cmd = VK_NULL_HANDLE;
        UniqueFence fence;
        u64 serial = 0;         // submission it was last used for; 0 = never
        bool submitted = false; // that submission reached the device
    };
    explicit Stream(Device& device) : device_(device) {}
    void collect();
    // Returns when the submission is done or the device has failed.
    void await(const Slot& slot);
    Status create_timeline();
    Status begin(VkCommandBuffer buffer);
    VkResult submit(const Slot& slot);
    struct Deferred
    {
        u64 serial;
        std::function<void()> action;
    };

    Device& device_;
    UniqueCommandPool pool_;
    std::array<Slot, kInFlight> slots_;
    VkCommandBuffer unused_ = VK_NULL_HANDLE; // is being recorded and never submitted: stands in for one that
                                              // cannot be begun
    UniqueSemaphore timeline_;
    bool signals_ = false;           // the submission being recorded
    std::vector<VkSemaphore> waits_; // of the next submission, with their values
    std::vector<u64> wait_values_;
    std::deque<Deferred> deferred_;
    u64 current_ = 1;
    u64 completed_ = 0; // every serial up to this one is done
    u64 batch_ = 1;
    bool recording_ = false;
    std::optional<LabelScope> frame_label_; // while recording
};

// One way of using a resource.
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
// Colour attachment, input attachment and storage image of a draw.
inline constexpr Access kColorAttachment{
    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
    VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    true};
inline constexpr Access kDepthAttachment{
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, true};

// Remembers how a resource was last used and records the barrier that the next use needs (a global memory
// barrier: images of this renderer keep one layout).
class AccessTracker
{
public:
    void use(Stream& stream, const Access& next);
    // The next write of the same kind is known not to overlap the previous one: no barrier between the two.
    void use_disjoint(Stream& stream, const Access& next);
    bool last_was_write() const { return written_stages_ != 0; }

private:
    VkPipelineStageFlags written_stages_ = 0; // last write, and what has been made visible to whom since
    VkAccessFlags written_access_ = 0;
    VkPipelineStageFlags visible_stages_ = 0;
    VkAccessFlags visible_access_ = 0;
    VkPipelineStageFlags read_stages_ = 0; // readers since the last write
};

} // namespace renderer
