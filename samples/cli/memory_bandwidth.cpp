// SPDX-License-Identifier: MIT
#include "samples/cli/memory_bandwidth.h"

#include "samples/cli/worker_processes.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <new>
#include <system_error>
#include <vector>

namespace samples
{

namespace
{

constexpr int kPasses = 8;
constexpr std::size_t kBlockBytes = std::size_t{64} << 20; // of each processor, half of it source

void copy_half(std::vector<pica::u8>& block)
{
    std::memcpy(block.data() + kBlockBytes / 2, block.data(), kBlockBytes / 2);
}

// Each block by a thread of its own.
void copy_halves(std::vector<std::vector<pica::u8>>& blocks)
{
    std::vector<std::future<void>> copies;
    for (std::vector<pica::u8>& block : blocks)
        copies.push_back(std::async(std::launch::async, copy_half, std::ref(block)));
    for (std::future<void>& copy : copies)
        copy.get();
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
    double best = 0.0;
    for (int pass = 0; pass < kPasses; ++pass)
    {
        const auto start = std::chrono::steady_clock::now();
        try
        {
            copy_halves(blocks);
        }
        catch (const std::system_error&)
        {
            return 0.0; // the host has no more threads
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, double(threads) * double(kBlockBytes) / seconds);
    }
    return best;
}

} // namespace samples
