// SPDX-License-Identifier: MIT
// A few threads that share the items of one job at a time; the caller works too. With one thread nothing is
// started. Tests: thread_pool_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace pica::soft
{

class ThreadPool
{
public:
    // threads: how many work in parallel, the caller included.
    explicit ThreadPool(u32 threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    u32 threads() const { return static_cast<u32>(workers_.size()) + 1; }

    // Calls job(context, item) once for each item in [0, items), in any order and on any thread. Returns when
    // all calls have returned.
    using Job = void (*)(void* context, u32 item);
    void run(Job job, void* context, u32 items);

private:
    void work();
    void take_items();

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    u64 round_ = 0; // guarded by mutex_, like the next four
    bool stop_ = false;
    u32 busy_ = 0;
    Job job_ = nullptr;
    void* context_ = nullptr;
    u32 items_ = 0;
    std::atomic<u32> next_{0};
};

} // namespace pica::soft
