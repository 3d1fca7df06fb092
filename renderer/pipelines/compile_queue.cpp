// SPDX-License-Identifier: MIT
#include "renderer/pipelines/compile_queue.h"

#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <utility>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace renderer
{

namespace
{

// Compilation has low priority, because a fallback draws until the pipeline is ready. It is lower than that of the thread
// that made this one, whose priority this one begins with.
void lower_priority_of_this_thread()
{
#ifdef __linux__
    constexpr int kNicer = 10;
    // Linux has a priority per thread, and cuts what is too low. If it cannot be lowered, only smoothness suffers.
    const id_t thread = static_cast<id_t>(syscall(SYS_gettid));
    (void)setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kNicer);
#endif
}

} // namespace

pica::u32 compile_threads()
{
    return std::clamp(std::thread::hardware_concurrency() / 2, 1u, 4u);
}

CompileQueue::CompileQueue(pica::u32 threads, std::size_t capacity)
    : capacity_(std::max<std::size_t>(capacity, 1))
{
    threads_.reserve(threads);
    for (pica::u32 i = 0; i < threads; i++)
        threads_.emplace_back(
            [this]
            {
                lower_priority_of_this_thread();
                work();
            });
}

CompileQueue::~CompileQueue()
{
    clear();
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
    clear(); // jobs that running jobs added
}

bool CompileQueue::want(Key key)
{
    const std::lock_guard lock(mutex_);
    if (const auto it = places_.find(key); it != places_.end())
    {
        waiting_.splice(waiting_.begin(), waiting_, it->second);
        return true;
    }
    return running_.count(key) != 0;
}

void CompileQueue::add(Key key, Job job)
{
    add_at(true, key, std::move(job));
}

void CompileQueue::add_later(Key key, Job job)
{
    add_at(false, key, std::move(job));
}

void CompileQueue::add_at(bool front, Key key, Job job)
{
    std::list<Waiting> dropped; // destroyed after the lock is released
    {
        const std::lock_guard lock(mutex_);
        if (stop_ || running_.count(key) != 0 || places_.count(key) != 0)
            return;
        places_.emplace(key,
                        waiting_.insert(front ? waiting_.begin() : waiting_.end(), {key, std::move(job)}));
        counters_.added++;
        if (waiting_.size() > capacity_)
        {
            places_.erase(waiting_.back().key);
            dropped.splice(dropped.begin(), waiting_, std::prev(waiting_.end()));
            counters_.dropped++;
        }
    }
    wake_.notify_one();
}

void CompileQueue::clear()
{
    std::list<Waiting> dropped;
    {
        const std::lock_guard lock(mutex_);
        dropped.swap(waiting_);
        places_.clear();
        counters_.dropped += dropped.size();
        if (running_.empty())
            idle_.notify_all();
    }
}

void CompileQueue::wait_idle()
{
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return waiting_.empty() && running_.empty(); });
}

bool CompileQueue::wait_idle_for(std::chrono::milliseconds time)
{
    std::unique_lock lock(mutex_);
    return idle_.wait_for(lock, time, [this] { return waiting_.empty() && running_.empty(); });
}

bool CompileQueue::idle() const
{
    const std::lock_guard lock(mutex_);
    return waiting_.empty() && running_.empty();
}

CompileQueue::Counters CompileQueue::counters() const
{
    const std::lock_guard lock(mutex_);
    return counters_;
}

void CompileQueue::work()
{
    name_nothing_on_this_thread();
    std::unique_lock lock(mutex_);
    for (;;)
    {
        wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
        if (stop_)
            return;
        Waiting next = std::move(waiting_.front());
        waiting_.pop_front();
        places_.erase(next.key);
        running_.insert(next.key);
        lock.unlock();
        next.job();
        next.job = nullptr;
        lock.lock();
        running_.erase(next.key);
        counters_.run++;
        if (waiting_.empty() && running_.empty())
            idle_.notify_all();
    }
}

} // namespace renderer
