// SPDX-License-Identifier: MIT
#include "pica/soft/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace pica;

TEST_CASE("thread pool: every item of every round runs exactly once before run returns")
{
    for (const u32 threads : {1u, 2u, 4u})
    {
        soft::ThreadPool pool(threads);
        CHECK(pool.threads() == threads);
        u32 wrong = 0;
        for (u32 round = 0; round < 500; ++round)
        {
            std::vector<std::atomic<u32>> runs(round % 17);
            pool.run([](void* context, u32 item)
                     { ++(*static_cast<std::vector<std::atomic<u32>>*>(context))[item]; },
                     &runs, static_cast<u32>(runs.size()));
            for (const std::atomic<u32>& count : runs)
                wrong += count != 1;
        }
        CHECK(wrong == 0);
    }
}
