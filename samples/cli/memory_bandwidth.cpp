// SPDX-License-Identifier: MIT
#include "samples/cli/memory_bandwidth.h"

#include "pica/soft/thread_pool.h"
#include "samples/cli/worker_processes.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

namespace samples
{

namespace
{

constexpr int kPasses = 8;
constexpr std::size_t kBlockBytes = std::size_t{64} << 20; // of each processor, half of it source

void copy_halves(void* context, pica::u32 item)
{
    pica::u8* block = static_cast<std::vector<pica::u8>*>(context)[item].data();
    std::memcpy(block + kBlockBytes / 2, block, kBlockBytes / 2);
}

} // namespace

double measure_memory_bandwidth()
{
    // More processors do not find more bandwidth than these.
    const pica::u32 threads = std::clamp(processor_count(), 1u, 16u);
    std::vector<std::vector<pica::u8>> blocks(threads);
    try
    {
        for (std::vector<pica::u8>& block : blocks)
            block.assign(kBlockBytes, 1);
    }
    catch (const std::bad_alloc&)
    {
        return 0.0;
    }
    pica::soft::ThreadPool pool(threads);
    double best = 0.0;
    for (int pass = 0; pass < kPasses; ++pass)
    {
        const auto start = std::chrono::steady_clock::now();
        pool.run(copy_halves, blocks.data(), threads);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, double(threads) * double(kBlockBytes) / seconds);
    }
    return best;
}

} // namespace samples
