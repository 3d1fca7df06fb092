// SPDX-License-Identifier: MIT
#include "renderer/vulkan/stream.h"

#include "renderer/vulkan/frames_in_flight.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace renderer
{

namespace
{
constexpr u64 kSecond = 1000 * 1000 * 1000; // ns

constexpr VkPipelineStageFlags kKernels =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
// Barriers make these available. Others in a source mask would have no effect.
constexpr VkAccessFlags kWrites =
    VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
constexpr VkAccessFlags kKernelWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
} // namespace

Stream::Stream(Device& device) : device_(device), in_flight_(std::make_unique<FramesInFlight>()) {}

Result<std::unique_ptr<Stream>> Stream::create(Device& device)
{
    std::unique_ptr<Stream> stream(new Stream(device));
    auto pool_info = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool_info.queueFamilyIndex = device.queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    if (Status status = device.check(device.vk.vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool),
                                     "vkCreateCommandPool");
        !status)
        return status.error();
    stream->pool_ = UniqueCommandPool(device.handle, device.vk, pool);

    if (device.features.timeline_semaphore)
        if (Status status = stream->create_timeline(); !status)
            return status.error();
    const Result<VkCommandBuffer> unused = stream->allocate_buffer();
    if (!unused)
        return unused.error();
    stream->unused_ = *unused;
    if (Status status = stream->begin(stream->unused_); !status)
        return status.error();
    return stream;
}

Result<VkCommandBuffer> Stream::allocate_buffer()
{
    auto info = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkAllocateCommandBuffers(device_.handle, &info, &buffer),
                                      "vkAllocateCommandBuffers");
        !status)
        return status.error();
    return buffer;
}

Result<Stream::Slot> Stream::make_slot()
{
    const Result<VkCommandBuffer> buffer = allocate_buffer();
    if (!buffer)
        return buffer.error();
    const auto info = make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    VkFence fence = VK_NULL_HANDLE;
    if (Status status =
            device_.check(device_.vk.vkCreateFence(device_.handle, &info, nullptr, &fence), "vkCreateFence");
        !status)
        return status.error();
    return Slot{*buffer, UniqueFence(device_.handle, device_.vk, fence)};
}

// Makes open_slot_ one that nothing uses. False: the device has failed.
bool Stream::take_slot()
{
    if (open_slot_.cmd != VK_NULL_HANDLE)
        return true;
    if (!unused_slots_.empty())
    {
        open_slot_ = std::move(unused_slots_.back());
        unused_slots_.pop_back();
        return true;
    }
    Result<Slot> made = make_slot();
    if (made)
        open_slot_ = std::move(*made);
    else
        device_.fail(made.error().message);
    return static_cast<bool>(made);
}

Status Stream::create_timeline()
{
    auto type = make<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = make<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &type;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    if (Status status = device_.check(
            device_.vk.vkCreateSemaphore(device_.handle, &info, nullptr, &semaphore), "vkCreateSemaphore");
        !status)
        return status;
    timeline_ = UniqueSemaphore(device_.handle, device_.vk, semaphore);
    return {};
}

Stream::~Stream()
{
    drain();
    while (!deferred_.empty())
    {
        const Deferred deferred = std::move(deferred_.front());
        deferred_.pop_front();
        deferred.action();
    }
}

VkCommandBuffer Stream::cmd()
{
    const VkCommandBuffer buffer = flush();
    ++calls_;
    return buffer;
}

VkCommandBuffer Stream::cmd_before_pass(const BarrierScope& dependency)
{
    (void)open();
    if (has_uploads())
        record_uploads();
    if (needed_.images.empty() && dependency.contains(needed_.scope))
        needed_ = {};
    return cmd();
}

VkCommandBuffer Stream::flush()
{
    const VkCommandBuffer buffer = open();
    record_needed();
    return buffer;
}

VkCommandBuffer Stream::open()
{
    if (recording_)
        return open_slot_.cmd;
    collect();
    if (const u64 serial = in_flight_->before_next(FramesInFlight::Clock::now()); serial != 0)
        (void)wait(serial); // a failure stays in the device's status
    // After a failure callers finish what they are doing, and some of the functions that they call may still
    // reach the driver. So they get a valid command buffer.
    if (!take_slot() || !begin(open_slot_.cmd))
        return unused_;
    recording_ = true;
    // The label belongs to this command buffer only, because the host may submit commands between two of
    // them.
    frame_label_.emplace(device_, open_slot_.cmd, "picavk frame %llu",
                         static_cast<unsigned long long>(frame_));
    return open_slot_.cmd;
}

Status Stream::begin(VkCommandBuffer buffer)
{
    auto info = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    return device_.check(device_.vk.vkBeginCommandBuffer(buffer, &info), "vkBeginCommandBuffer");
}

void Stream::wait_for(VkSemaphore semaphore, u64 value)
{
    waits_.push_back(semaphore);
    wait_values_.push_back(value);
}

VkResult Stream::submit(const Slot& slot)
{
    auto info = make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &slot.cmd;
    const std::vector<VkPipelineStageFlags> stages(waits_.size(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    info.waitSemaphoreCount = static_cast<u32>(waits_.size());
    info.pWaitSemaphores = waits_.data();
    info.pWaitDstStageMask = stages.data();
    auto values = make<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    if (timeline_)
    {
        values.waitSemaphoreValueCount = info.waitSemaphoreCount;
        values.pWaitSemaphoreValues = wait_values_.data();
        info.pNext = &values;
    }
    if (timeline_ && signals_)
    {
        values.signalSemaphoreValueCount = 1;
        values.pSignalSemaphoreValues = &current_;
        info.signalSemaphoreCount = 1;
        info.pSignalSemaphores = &timeline_.ref();
    }
    signals_ = false;
    VkResult result{};
    {
        const QueueLock lock(device_);
        result = device_.vk.vkQueueSubmit(device_.queue, 1, &info, slot.fence);
    }
    if (!waits_.empty())
        last_wait_ = current_;
    waits_.clear();
    wait_values_.clear();
    return result;
}

u64 Stream::submit()
{
    if (!has_recorded())
        return current_ - 1;
    if (host_read_stages_ != 0)
        need(std::exchange(host_read_stages_, 0), std::exchange(host_read_from_, 0),
             VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    record_needed();
    if (!recording_) // the device has failed
        return current_ - 1;
    recording_ = false;
    Slot slot = std::exchange(open_slot_, {});
    slot.submitted = false;
    frame_label_.reset();
    const Status ended = device_.check(device_.vk.vkEndCommandBuffer(slot.cmd), "vkEndCommandBuffer");
    if (!ended)
        device_.fail(ended.error().message);
    if (device_.status())
    {
        (void)device_.check(device_.vk.vkResetFences(device_.handle, 1, &slot.fence.ref()), "vkResetFences");
        const VkResult result = submit(slot);
        if (const Status status = device_.check(result, "vkQueueSubmit"); !status)
            device_.fail(status.error().message);
        slot.submitted = result == VK_SUCCESS;
        ++counters.submissions;
    }
    slot.serial = current_;
    slots_.push_back(std::move(slot));
    in_flight_->submitted(current_);
    return current_++;
}

void Stream::take_upload_bytes(u64 bytes)
{
    in_flight_->take_upload_bytes(bytes);
}

void Stream::end_frame()
{
    in_flight_->end_frame(FramesInFlight::Clock::now());
    ++frame_;
}

void Stream::collect()
{
    for (; !slots_.empty(); slots_.pop_front())
    {
        // This is done after a failure too, because objects that earlier submissions use must stay until
        // these are done.
        Slot& slot = slots_.front();
        if (slot.submitted)
        {
            const VkResult result = device_.vk.vkGetFenceStatus(device_.handle, slot.fence);
            if (result == VK_NOT_READY)
                break;
            (void)device_.check(result, "vkGetFenceStatus"); // a failure stays in the device's status
        }
        completed_ = slot.serial;
        unused_slots_.push_back(std::move(slot));
    }
    in_flight_->done(completed_);
    while (!deferred_.empty() && deferred_.front().serial <= completed_)
    {
        const Deferred deferred = std::move(deferred_.front());
        deferred_.pop_front();
        deferred.action();
    }
}

bool Stream::done(u64 serial)
{
    if (serial > completed_)
        collect();
    return serial <= completed_;
}

Status Stream::wait(u64 serial)
{
    if (serial >= current_)
        submit();
    if (done(serial) || serial >= current_)
        return device_.status();
    ++counters.waits;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < slots_.size() && slots_[i].serial <= serial; ++i)
        await(slots_[i]);
    counters.wait_ns +=
        static_cast<u64>((std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1));
    collect();
    return device_.status();
}

// Waits in steps of a second, each with a call of Device::may_wait_on. Counting steps ignores time in which
// the whole process was stopped.
void Stream::await(const Slot& slot)
{
    for (u32 seconds = 0; slot.submitted;)
    {
        const VkResult result =
            device_.vk.vkWaitForFences(device_.handle, 1, &slot.fence.ref(), VK_TRUE, kSecond);
        if (result == VK_TIMEOUT && device_.may_wait_on(++seconds))
            continue;
        if (result != VK_TIMEOUT)
            (void)device_.check(result, "vkWaitForFences"); // a failure stays in the device's status
        return;
    }
}

void Stream::drain()
{
    // Waits for each fence and not for the device: the device may have work of the host that depends on
    // something only this thread will do.
    for (const Slot& slot : slots_)
        await(slot); // if the device hangs, nothing is freed afterwards (Device::abandon)
    // Validation layers (1.3.239) use objects after a fence has released them, while they retire submissions
    // that signal timeline semaphores. They stop when the device is idle.
    if (!device_.is_host_owned())
        device_.wait_idle();
}

void Stream::end_batch()
{
    forget_batches();
    batch_ends_.push_back({batch_++, current_});
}

void Stream::forget_batches()
{
    for (; !batch_ends_.empty() && batch_ends_.front().serial <= completed_; batch_ends_.pop_front())
        batches_done_ = batch_ends_.front().batch;
}

bool Stream::batch_done(u64 batch)
{
    if (batch > batches_done_)
    {
        collect();
        forget_batches();
    }
    return batch <= batches_done_;
}

void Stream::defer(std::function<void()> action)
{
    deferred_.push_back({current_, std::move(action)});
}

void Stream::barrier(VkPipelineStageFlags from_stages, VkAccessFlags from, VkPipelineStageFlags to_stages,
                     VkAccessFlags to)
{
    need(from_stages, from, to_stages, to);
    (void)cmd();
}

void Stream::host_will_read(VkPipelineStageFlags from_stages, VkAccessFlags from)
{
    host_read_stages_ |= from_stages;
    host_read_from_ |= from;
}

void Stream::need(VkPipelineStageFlags from_stages, VkAccessFlags from, VkPipelineStageFlags to_stages,
                  VkAccessFlags to)
{
    Needed& needed = uploading_ ? before_uploads_ : needed_;
    BarrierScope& scope = needed.scope;
    scope.from_stages |= from_stages;
    scope.to_stages |= to_stages;
    scope.from |= from & kWrites;
    scope.to |= to;
    if ((from_stages & kKernels) != 0)
    {
        scope.from_stages |= kKernels;
        scope.from |= kKernelWrites;
    }
    if ((to_stages & kKernels) != 0)
    {
        scope.to_stages |= kKernels;
        scope.to |= kKernelWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    }
    needed.memory = true;
}

bool Stream::has_barrier(u64 behind, const BarrierScope& scope) const
{
    const auto comes = [&](const Needed& needed, u64 at)
    { return at > behind && at <= place() && needed.scope.contains(scope); };
    return log_.has_behind(behind, scope) || comes(before_uploads_, 2 * calls_) ||
           comes(needed_, 2 * calls_ + 1);
}

void Stream::begin_upload()
{
    // What was asked for until now is for commands to come, and these are some.
    if (!has_uploads())
    {
        if (before_uploads_.memory || !before_uploads_.images.empty())
            record_needed(); // of an upload that failed
        std::swap(before_uploads_, needed_);
    }
    uploading_ = true;
}

void Stream::upload(VkBuffer from, VkBuffer to, const VkBufferCopy& copy)
{
    if (buffer_uploads_.empty() || buffer_uploads_.back().from != from || buffer_uploads_.back().to != to)
        buffer_uploads_.push_back({from, to, {}});
    buffer_uploads_.back().copies.push_back(copy);
}

void Stream::upload(VkBuffer from, VkImage to, const VkBufferImageCopy& copy)
{
    if (image_uploads_.empty() || image_uploads_.back().from != from || image_uploads_.back().to != to)
        image_uploads_.push_back({from, to, {}});
    image_uploads_.back().copies.push_back(copy);
}

void Stream::record_uploads()
{
    uploading_ = false;
    record(before_uploads_, 2 * calls_);
    const VkCommandBuffer cmd = open();
    for (const BufferUploads& upload : buffer_uploads_)
        device_.vk.vkCmdCopyBuffer(cmd, upload.from, upload.to, static_cast<u32>(upload.copies.size()),
                                   upload.copies.data());
    for (const ImageUploads& upload : image_uploads_)
        device_.vk.vkCmdCopyBufferToImage(cmd, upload.from, upload.to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                          static_cast<u32>(upload.copies.size()), upload.copies.data());
    buffer_uploads_.clear();
    image_uploads_.clear();
    ++upload_group_;
}

void Stream::need(VkPipelineStageFlags from_stages, VkPipelineStageFlags to_stages,
                  const VkImageMemoryBarrier& image)
{
    const auto is_same = [&](const VkImageMemoryBarrier& other) { return other.image == image.image; };
    const auto has_same = [&](const Needed& needed)
    { return std::any_of(needed.images.begin(), needed.images.end(), is_same); };
    const bool uploading = uploading_;
    if (has_same(needed_) || (uploading && has_same(before_uploads_)))
        (void)flush(); // the two are ordered
    uploading_ = uploading;
    Needed& needed = uploading_ ? before_uploads_ : needed_;
    needed.scope.from_stages |= from_stages;
    needed.scope.to_stages |= to_stages;
    needed.images.push_back(image);
}

void Stream::record_needed()
{
    if (has_uploads() || before_uploads_.memory || !before_uploads_.images.empty())
        record_uploads();
    record(needed_, 2 * calls_ + 1);
}

// One command takes all barriers: it orders more than each of them alone would, and never less.
void Stream::record(Needed& needed, u64 place)
{
    if (!needed.memory && needed.images.empty())
        return;
    const BarrierScope& scope = needed.scope;
    auto memory = make<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = scope.from;
    memory.dstAccessMask = scope.to;
    device_.vk.vkCmdPipelineBarrier(open(), scope.from_stages, scope.to_stages, 0, needed.memory ? 1 : 0,
                                    &memory, 0, nullptr, static_cast<u32>(needed.images.size()),
                                    needed.images.data());
    ++counters.barriers;
    log_.add(place, scope);
    // A barrier from one of these stages is one from all earlier stages of graphics, too.
    constexpr VkPipelineStageFlags kLast =
        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    constexpr VkAccessFlags kShader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if ((scope.from_stages & kLast) != 0 && (scope.to_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0 &&
        (scope.to & kShader) == kShader)
        compute_follows_ = batch_;
    needed.scope = {};
    needed.memory = false;
    needed.images.clear();
}

} // namespace renderer
