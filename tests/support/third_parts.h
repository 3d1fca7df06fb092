// SPDX-License-Identifier: MIT
// ThirdParts: a WorkSharer whose every thread really does some of the work, for tests of what is shared.
#pragma once

#include "pica/base/work_sharer.h"

#include <thread>
#include <vector>

namespace tests
{

// Three threads, each of which does every third part, so that all have some.
class ThirdParts final : public pica::WorkSharer
{
public:
    void share(const Work& work) override
    {
        ++calls;
        shared_parts += work.parts;
        std::vector<std::thread> others;
        for (pica::u32 thread = 1; thread < threads(); ++thread)
            others.emplace_back([&work, thread] { run(work, thread); });
        run(work, 0);
        for (std::thread& other : others)
            other.join();
    }
    pica::u32 threads() const override { return 3; }

    pica::u32 calls = 0, shared_parts = 0;

private:
    static void run(const Work& work, pica::u32 thread)
    {
        for (pica::u32 part = thread; part < work.parts; part += 3)
            work.job(work.context, part, thread);
    }
};

} // namespace tests
