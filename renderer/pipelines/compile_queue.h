// SPDX-License-Identifier: MIT
// CompileQueue: jobs for the worker threads that compile (design D10). The job that was wanted most recently
// runs first, because draws need its pipeline now. There is one job per key. The list of waiting jobs is
// bounded: the least recently wanted job is dropped, and a draw that still needs it adds it again. Vulkan
// objects that jobs make have no names (debug.h says why). All functions are thread-safe. Tests: tests/renderer/compile_queue_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace renderer
{

class CompileQueue
{
public:
    // The caller chooses the keys. A job must not throw. What it captures is destroyed on the worker, or, if
    // the job is dropped, by the thread that drops it.
    using Key = pica::u64;
    using Job = std::function<void()>;

    // Starts `threads` workers. capacity: the most waiting jobs, at least 1.
    CompileQueue(pica::u32 threads, std::size_t capacity);
    // Drops waiting jobs and waits until running jobs have ended.
    ~CompileQueue();
    CompileQueue(const CompileQueue&) = delete;
    CompileQueue& operator=(const CompileQueue&) = delete;

    // Moves a waiting job to the front. False: the key neither waits nor runs.
    bool want(Key key);
    // Adds a job at the front. Does nothing if the key waits or runs already.
    void add(Key key, Job job);
    // Adds a job that no draw needs now, at the back. Does nothing if the key waits or runs already.
    void add_later(Key key, Job job);
    // Drops all waiting jobs.
    void clear();
    // Waits until no job waits or runs.
    void wait_idle();
    // The same, at most for `time`. False: the time is over.
    bool wait_idle_for(std::chrono::milliseconds time);
    // True if no job waits or runs.
    bool idle() const;

    struct Counters
    {
        pica::u64 added = 0, run = 0, dropped = 0; // dropped: by the bound, by clear() or by the destructor
    };
    // The counters since creation.
    Counters counters() const;

private:
    struct Waiting
    {
        Key key;
        Job job;
    };
    void work();
    void add_at(bool front, Key key, Job job);

    const std::size_t capacity_;
    mutable std::mutex mutex_; // guards everything below but the threads
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::list<Waiting> waiting_; // most recently wanted first
    std::unordered_map<Key, std::list<Waiting>::iterator> places_;
    std::unordered_set<Key> running_;
    Counters counters_;
    bool stop_ = false;
    std::vector<std::thread> threads_;
};

// The number of threads that may compile beside the threads of the renderer, the guest and the driver: half
// of the machine's, 1 to 4.
pica::u32 compile_threads();

} // namespace renderer
