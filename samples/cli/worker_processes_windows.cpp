// SPDX-License-Identifier: MIT
// Windows cannot copy a process, so the pieces are done here, one after another, whatever `jobs` says. A piece that crashes
// ends the program.
#include "samples/cli/worker_processes.h"

#include <algorithm>
#include <thread>

namespace samples
{

void run_in_processes(const ProcessWork& work)
{
    for (std::size_t i = 0; i < work.count && work.done(i, work.work(i)); ++i)
        ;
}

pica::u32 processor_count()
{
    return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace samples
