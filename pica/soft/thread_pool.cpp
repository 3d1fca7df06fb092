// SPDX-License-Identifier: MIT
#include "pica/soft/thread_pool.h"

#include <system_error>

namespace pica::soft
{

ThreadPool::ThreadPool(u32 threads)
{
    try
    {
        for (u32 i = 1; i < threads; ++i)
            workers_.emplace_back([this] { work(); });
    }
    catch (const std::system_error&)
    {
        // The host has no more threads, so the existing ones do the work.
    }
}

ThreadPool::~ThreadPool()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_)
        worker.join();
}

void ThreadPool::take_items()
{
    for (u32 item = next_.fetch_add(1); item < items_; item = next_.fetch_add(1))
        job_(context_, item);
}

// A worker joins the round that is current when it wakes up. It may miss rounds that the others finished
// without it.
void ThreadPool::work()
{
    u64 seen = 0;
    std::unique_lock lock(mutex_);
    while (true)
    {
        wake_.wait(lock, [&] { return stop_ || (round_ != seen && items_ != 0); });
        if (stop_)
            return;
        seen = round_;
        ++busy_;
        lock.unlock();
        take_items();
        lock.lock();
        if (--busy_ == 0)
            done_.notify_one();
    }
}

void ThreadPool::run(Job job, void* context, u32 items)
{
    if (workers_.empty() || items < 2)
    {
        for (u32 i = 0; i < items; ++i)
            job(context, i);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        job_ = job;
        context_ = context;
        items_ = items;
        next_ = 0;
        ++round_;
    }
    wake_.notify_all();
    take_items();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    items_ = 0; // late workers find no work
}

} // namespace pica::soft
