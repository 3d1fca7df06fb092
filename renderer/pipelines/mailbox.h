// SPDX-License-Identifier: MIT
// Mailbox: messages from worker threads to the renderer's thread. Checking an empty mailbox costs one atomic
// load.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace renderer
{

template <typename T>
class Mailbox
{
public:
    // Adds a message. May be called by any thread.
    void post(T message)
    {
        const std::lock_guard lock(mutex_);
        posted_.push_back(std::move(message));
        any_.store(true, std::memory_order_release);
    }
    // Is there a message?
    bool any() const { return any_.load(std::memory_order_acquire); }
    // Calls take(message) for each message posted so far, in their order. For one thread only.
    template <typename Take>
    void collect(Take take)
    {
        if (!any())
            return;
        {
            const std::lock_guard lock(mutex_);
            taken_.swap(posted_);
            any_.store(false, std::memory_order_relaxed);
        }
        for (T& message : taken_)
            take(message);
        taken_.clear();
    }

private:
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::vector<T> posted_; // guarded by mutex_
    std::vector<T> taken_;  // used by the collecting thread only
};

} // namespace renderer
