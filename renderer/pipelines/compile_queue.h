// SPDX-License-Identifier: MIT
// Jobs for the worker threads that compile (design D10). What was wanted most recently runs first: a pipeline
// that draws ask for now helps the picture, one of the level before does not. One job per key; the list of
// waiting jobs is bounded, and the one not wanted for longest is dropped (whoever still needs it wants it
// again). Knows nothing of Vulkan. Tests: tests/renderer/compile_queue_test.cpp.
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
    // Keys are the caller's. A job must not throw; what it captures is destroyed on the worker or, where it
    // is dropped, by whoever drops it.
    using Key = pica::u64;
    using Job = std::function<void()>;

    CompileQueue(pica::u32 threads, std::size_t capacity);
    // Drops what waits and lets running jobs end.
    ~CompileQueue();
    CompileQueue(const CompileQueue&) = delete;
    CompileQueue& operator=(const CompileQueue&) = delete;

    // Makes a waiting job the next one. False where the key neither waits nor runs.
    bool want(Key key);
    // Adds a job as the next one; does nothing where want(key) is true.
    void add(Key key, Job job);
    // Drops what waits.
    void clear();
    // Returns when nothing waits and nothing runs.
    void wait_idle();
    // ... or the time is over: false.
    bool wait_idle_for(std::chrono::milliseconds time);
    bool idle() const;

    struct Counters
    {
        pica::u64 added = 0, run = 0, dropped = 0; // dropped: by the bound, clear or the destructor
    };
    Counters counters() const;

private:
    struct Waiting
    {
        Key key;
        Job job;
    };
    void work();

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

// How many threads may compile beside the renderer's own, the guest's and the driver's.
pica::u32 compile_threads();

} // namespace renderer
