// SPDX-License-Identifier: MIT
// The stream of commands to the device, and of barriers between them. access_tracker.h has those of single resources.
#pragma once

#include "renderer/vulkan/barrier_log.h"
#include "renderer/vulkan/debug.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace renderer
{

class FramesInFlight;

// Stream: the sequence of all commands of a renderer. Each submission has a command buffer and a fence, which are made on
// demand and used again. A submission has a serial number, and resources remember serials instead of waiting. Objects
// that submissions may still use are destroyed when these are done. After a host failure (Device::status) nothing
// is submitted. Not thread-safe.
class Stream
{
public:
    // Creates a command pool and, where the device has them, a timeline semaphore. The device must outlive the
    // stream.
    static Result<std::unique_ptr<Stream>> create(Device& device);
    ~Stream(); // waits until the device has finished
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    Device& device() { return device_; }
    // The command buffer being recorded, with all barriers that were asked for (need). Begins one if none is open,
    // which waits for the oldest submissions where too much is in flight (FramesInFlight).
    VkCommandBuffer cmd();
    // The same before a render pass whose beginning orders `dependency`: a barrier that was asked for is not recorded if
    // the dependency orders as much.
    VkCommandBuffer cmd_before_pass(const BarrierScope& dependency);
    // The serial of the submission being recorded.
    u64 current() const { return current_; }
    // Has anything been recorded since the last submission?
    bool has_recorded() const { return recording_ || has_uploads(); }
    // Submits what was recorded, if anything. Returns the last serial: when it is done, everything recorded
    // so far is. Does not wait.
    u64 submit();
    // Has the device finished this submission? Does not wait. Runs actions that are due.
    bool done(u64 serial);
    // Waits until a submission is done. Submits first if it is the one being recorded. An error: the device
    // has failed. Meanwhile Device::may_wait_on is called once a second.
    Status wait(u64 serial);
    // The same, and what was retired with that submission is freed. Makes the submission even if it has no commands: wait()
    // would make none, and return at once.
    Status wait_for_retired(u64 serial)
    {
        if (serial == current_ && !has_recorded())
            (void)cmd();
        return wait(serial);
    }
    // Submits, and waits until the device is done with everything, so that all that was retired is freed. An error as above.
    Status finish() { return wait_for_retired(current_); }
    // The timeline semaphore. It is signalled with the serials of submissions for which signal_timeline was
    // called. Null where the device has no timeline semaphores.
    VkSemaphore timeline() const { return timeline_; }
    // Makes the submission being recorded signal the timeline semaphore.
    void signal_timeline() { signals_ = true; }
    // Makes the next submission wait for a semaphore of the host. value: the value to wait for if it is a
    // timeline semaphore.
    void wait_for(VkSemaphore semaphore, u64 value);
    // Has wait_for been called since the last submission?
    bool has_waits() const { return !waits_.empty(); }
    // The last submission that waits for a semaphore of the host. 0: none.
    u64 last_wait() const { return last_wait_; }
    // Waits until no submission of this stream is in flight. Also returns if the device has failed or is
    // abandoned.
    void drain();

    // Runs an action on this thread after the submission being recorded is done, in a later call of cmd, done
    // or wait, or at destruction.
    void defer(std::function<void()> action);
    // Keeps an object alive until the submission being recorded is done.
    template <typename T>
    void retire(T object)
    {
        auto holder = std::make_shared<T>(std::move(object));
        defer([holder] {});
    }

    // The number of the open draw batch. Its commands are recorded later than the uploads made for it. So the
    // batch must be flushed before anything is overwritten that is marked with this number.
    u64 batch() const { return batch_; }
    // To be called when the collected draws have been recorded: advances the number.
    void end_batch();
    // Has the device finished with this batch, with those before it, and with what was recorded while they were open?
    bool batch_done(u64 batch);
    // To be called when the last work of a guest's frame has been submitted. What is in flight is bounded by frames.
    void end_frame();
    // To be called by owners of upload memory, when the submission being recorded takes some.
    void take_upload_bytes(u64 bytes);
    // What is in flight, as far as is known.
    const FramesInFlight& in_flight() const { return *in_flight_; }

    // Asks for a global memory barrier before the next command. The next call of cmd(), barrier() or submit() records
    // it, in one command with all others that were asked for. So callers that ask for barriers, AccessTracker among
    // them, get the command buffer afterwards.
    //
    // Compute shaders and transfers count as one here: a barrier from or to one of them is one from or to both. Devices run
    // them one after the other between barriers anyway, their work is short, and so one barrier does where their uses of a
    // resource take turns.
    void need(VkPipelineStageFlags from_stages, VkAccessFlags from, VkPipelineStageFlags to_stages,
              VkAccessFlags to);
    // The place of the commands that the next call of cmd() is for, or of the uploads where one is open.
    u64 place() const { return 2 * calls_ + (uploading_ ? 0 : 1); }
    // The place of the commands that the last call of cmd() was for.
    u64 last_place() const { return 2 * calls_ - 1; }
    // Is there a barrier that orders this between commands of an earlier place and those of place()? It is recorded, or
    // will be with the others that were asked for.
    bool has_barrier(u64 behind, const BarrierScope& scope) const;
    // The same for a barrier of an image, for example a change of its layout.
    void need(VkPipelineStageFlags from_stages, VkPipelineStageFlags to_stages,
              const VkImageMemoryBarrier& image);
    // Asks for a global memory barrier, and records it at once. For callers that hold the command buffer.
    void barrier(VkPipelineStageFlags from_stages, VkAccessFlags from, VkPipelineStageFlags to_stages,
                 VkAccessFlags to);
    // Uploads: copies from upload memory, which wait until the next call of cmd(), barrier() or submit(). They are recorded
    // together, so that all of them need one barrier before and one behind. Barriers that are asked for between
    // begin_upload and end_upload come before them. The copies must not overlap.
    void begin_upload();
    void upload(VkBuffer from, VkBuffer to, const VkBufferCopy& copy);
    void upload(VkBuffer from, VkImage to, const VkBufferImageCopy& copy); // to TRANSFER_DST_OPTIMAL
    void end_upload() { uploading_ = false; }
    // The number of the uploads that wait, which grows when they are recorded. Until then what they copy may be changed.
    u64 upload_group() const { return upload_group_; }
    // The host will read what these accesses wrote, after the submission being recorded is done. Its end has one barrier
    // for all of them.
    void host_will_read(VkPipelineStageFlags from_stages, VkAccessFlags from);
    // Has a barrier been recorded after the render passes of this batch (batch()) that orders compute shaders behind them,
    // and behind what had to come before them?
    bool compute_follows(u64 batch) const { return batch < compute_follows_; }

    // barriers: vkCmdPipelineBarrier between commands. waits: how often the CPU waited for a submission, wait_ns: and how
    // long in all.
    struct Counters
    {
        u64 submissions = 0, barriers = 0, waits = 0, wait_ns = 0;
    };
    Counters counters;

private:
    struct Needed
    {
        BarrierScope scope;
        bool memory = false;
        std::vector<VkImageMemoryBarrier> images;
    };
    struct Slot
    {
        VkCommandBuffer cmd = VK_NULL_HANDLE;
        UniqueFence fence;
        u64 serial = 0;         // of its last submission
        bool submitted = false; // the submission reached the device
    };
    explicit Stream(Device& device);
    VkCommandBuffer open();
    bool has_uploads() const { return !buffer_uploads_.empty() || !image_uploads_.empty(); }
    void record_uploads();
    VkCommandBuffer flush();
    void record_needed();
    void record(Needed& needed, u64 place);
    void collect();
    void forget_batches();
    // Waits until the submission is done or the device has failed.
    void await(const Slot& slot);
    Status create_timeline();
    Result<VkCommandBuffer> allocate_buffer();
    Result<Slot> make_slot();
    bool take_slot();
    Status begin(VkCommandBuffer buffer);
    VkResult submit(const Slot& slot);
    struct Deferred
    {
        u64 serial;
        std::function<void()> action;
    };

    Device& device_;
    UniqueCommandPool pool_;
    std::unique_ptr<FramesInFlight> in_flight_;
    Slot open_slot_;         // of the submission being recorded, if one is
    std::deque<Slot> slots_; // of submissions that may be in flight, oldest first
    std::vector<Slot> unused_slots_;
    // Used in place of a command buffer that cannot be begun. It is never submitted.
    VkCommandBuffer unused_ = VK_NULL_HANDLE;
    UniqueSemaphore timeline_;
    // The barriers that are not recorded yet.
    Needed needed_;
    BarrierLog log_;
    u64 calls_ = 1; // of cmd(). Uploads and what comes behind them have different places.
    struct BufferUploads
    {
        VkBuffer from = VK_NULL_HANDLE, to = VK_NULL_HANDLE;
        std::vector<VkBufferCopy> copies;
    };
    struct ImageUploads
    {
        VkBuffer from = VK_NULL_HANDLE;
        VkImage to = VK_NULL_HANDLE;
        std::vector<VkBufferImageCopy> copies;
    };
    std::vector<BufferUploads> buffer_uploads_;
    std::vector<ImageUploads> image_uploads_;
    u64 upload_group_ = 1;
    Needed before_uploads_;
    bool uploading_ = false;                    // between begin_upload and end_upload
    VkPipelineStageFlags host_read_stages_ = 0; // host_will_read
    VkAccessFlags host_read_from_ = 0;
    u64 compute_follows_ = 0;        // batches with lower numbers: see compute_follows()
    bool signals_ = false;           // the submission being recorded signals timeline_
    std::vector<VkSemaphore> waits_; // what the next submission waits for
    std::vector<u64> wait_values_;
    u64 last_wait_ = 0;
    std::deque<Deferred> deferred_;
    u64 current_ = 1;
    u64 completed_ = 0; // all serials up to this one are done
    u64 batch_ = 1;
    struct BatchEnd
    {
        u64 batch = 0, serial = 0; // the submission that has its last commands
    };
    std::deque<BatchEnd> batch_ends_; // of batches that may be at work
    u64 batches_done_ = 0;            // all batches up to this one are done
    u64 frame_ = 0;                   // of the guest, for labels in captures
    bool recording_ = false;
    std::optional<LabelScope> frame_label_; // exists while a command buffer is open
};

} // namespace renderer
