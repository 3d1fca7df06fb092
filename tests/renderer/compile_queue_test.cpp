// SPDX-License-Identifier: MIT
// Order, bound and end of the queue of compile jobs. No Vulkan. Built with -fsanitize=thread it also shows
// that nothing is shared unguarded.
#include "renderer/pipelines/compile_queue.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

using namespace renderer;

namespace
{

// A job that holds the only worker until it is let go.
class Gate
{
public:
    CompileQueue::Job job()
    {
        return [this]
        {
            entered_.set_value();
            open_.get_future().wait();
        };
    }
    void wait_entered() { entered_.get_future().wait(); }
    void open() { open_.set_value(); }

private:
    std::promise<void> entered_, open_;
};

} // namespace

TEST_CASE("compile queue: the most recently wanted job runs first")
{
    CompileQueue queue(1, 16);
    Gate gate;
    queue.add(0, gate.job());
    gate.wait_entered();
    std::vector<int> order; // written by the one worker, read after wait_idle
    for (int key = 1; key <= 4; key++)
        queue.add(static_cast<pica::u64>(key), [&order, key] { order.push_back(key); });
    CHECK(queue.want(2));
    gate.open();
    queue.wait_idle();
    CHECK(order == std::vector<int>{2, 4, 3, 1});
    CHECK_FALSE(queue.want(2));
}

TEST_CASE("compile queue: a key waits or runs once")
{
    CompileQueue queue(1, 16);
    Gate gate;
    int runs = 0;
    queue.add(7, gate.job());
    gate.wait_entered();
    CHECK(queue.want(7)); // runs
    queue.add(7, [&runs] { runs += 100; });
    queue.add(8, [&runs] { runs += 1; });
    queue.add(8, [&runs] { runs += 10; });
    gate.open();
    queue.wait_idle();
    CHECK(runs == 1);
    // Done and forgotten: it may be added again.
    queue.add(8, [&runs] { runs += 10; });
    queue.wait_idle();
    CHECK(runs == 11);
    CHECK(queue.counters().run == 3);
}

TEST_CASE("compile queue: the bound drops what was wanted longest ago")
{
    CompileQueue queue(1, 2);
    Gate gate;
    queue.add(0, gate.job());
    gate.wait_entered();
    int sum = 0;
    for (int key = 1; key <= 2; key++)
        queue.add(static_cast<pica::u64>(key), [&sum, key] { sum += key; });
    CHECK(queue.want(1));
    queue.add(3, [&sum] { sum += 3; });
    CHECK_FALSE(queue.want(2));
    CHECK(queue.counters().dropped == 1);
    gate.open();
    queue.wait_idle();
    CHECK(sum == 4);
}

TEST_CASE("compile queue: its end drops what waits and waits for what runs")
{
    std::atomic<bool> ended{false};
    std::atomic<bool> ran_dropped{false};
    const auto held = std::make_shared<int>(1);
    Gate gate;
    std::thread opener;
    {
        CompileQueue queue(1, 16);
        queue.add(0,
                  [&, job = gate.job()]
                  {
                      job();
                      ended = true;
                  });
        gate.wait_entered();
        queue.add(1, [&ran_dropped, held] { ran_dropped = true; });
        CHECK(held.use_count() == 2);
        queue.clear();
        CHECK(held.use_count() == 1);
        queue.add(2, [held] {}); // may run or be dropped
        opener = std::thread([&gate] { gate.open(); });
    }
    opener.join();
    CHECK(ended);
    CHECK_FALSE(ran_dropped);
    CHECK(held.use_count() == 1);
}

TEST_CASE("compile queue: many threads, many wishes")
{
    std::atomic<pica::u64> runs{0};
    CompileQueue queue(4, 64);
    std::vector<std::thread> askers;
    for (int asker = 0; asker < 3; asker++)
        askers.emplace_back(
            [&queue, &runs]
            {
                for (pica::u64 i = 0; i < 2000; i++)
                    if (!queue.want(i % 97))
                        queue.add(i % 97, [&runs] { runs++; });
            });
    for (std::thread& asker : askers)
        asker.join();
    queue.wait_idle();
    const CompileQueue::Counters counters = queue.counters();
    CHECK(runs == counters.run);
    CHECK(counters.added == counters.run + counters.dropped);
    CHECK(counters.run >= 64); // those that waited in the end, at least
}

TEST_CASE("compile queue: a job may add jobs")
{
    CompileQueue queue(1, 4);
    int runs = 0;
    queue.add(1,
              [&]
              {
                  runs++;
                  queue.add(2, [&] { runs++; });
              });
    queue.wait_idle();
    CHECK(runs == 2);
}
