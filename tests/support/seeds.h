// SPDX-License-Identifier: MIT
// Deterministic random numbers and ranges of seeds for the seeded suites. PICAVK_SEED=n repeats one seed,
// PICAVK_SEED=a..b a range. PICAVK_LONG=1 multiplies the number of seeds by kLongFactor. PICAVK_SEED_SCALE=f
// runs this share of the conformance seeds (for slow builds).
#pragma once

#include "pica/base/types.h"

#include <doctest/doctest.h>

#include <span>
#include <string>

namespace tests
{

using namespace pica;

constexpr u32 kLongFactor = 25;

// SplitMix64: the same numbers on every machine, unlike the distributions of the standard library.
class Random
{
public:
    // Seeds and the steps of the stream must differ: otherwise neighbouring seeds would give shifted copies
    // of one stream.
    explicit Random(u64 seed) : state_(seed)
    {
        state_ = next64() ^ 0x1234567u;
        state_ = next64();
    }

    u64 next64();
    u32 next() { return u32(next64() >> 32); }
    // [0, bound); bound 0 gives 0.
    u32 below(u32 bound) { return bound == 0 ? 0 : u32((u64(next()) * bound) >> 32); }
    // [low, high], both inclusive.
    s32 between(s32 low, s32 high) { return s32(s64(low) + s64(below(u32(s64(high) - low + 1)))); }
    bool chance(u32 numerator, u32 denominator) { return below(denominator) < numerator; }
    // [low, high) on a grid of 2^-24 of the range.
    f32 real(f32 low, f32 high) { return low + (high - low) * (f32(next() >> 8) * 0x1p-24f); }
    template <typename T>
    T pick(std::span<const T> choices)
    {
        return choices[below(u32(choices.size()))];
    }
    template <typename T>
    T pick(std::initializer_list<T> choices)
    {
        return *(choices.begin() + below(u32(choices.size())));
    }

private:
    u64 state_;
};

struct SeedRange
{
    u32 first;
    u32 count;
};

// 0..count-1, times kLongFactor in long runs, or the seeds of PICAVK_SEED.
SeedRange seed_range(u32 count);
// The seeds of PICAVK_SEED, if it is set.
bool chosen_seeds(SeedRange& range);
bool is_long_run();
// PICAVK_SEED_SCALE, else 1.
double seed_scale();
// The command that repeats the running test case with this seed.
std::string repeat_command(u32 seed);

// Runs body(seed, random) for each seed; a failing assertion inside names the seed and the command to repeat
// it.
template <typename Body>
void for_each_seed(u32 count, Body body)
{
    const SeedRange range = seed_range(count);
    for (u32 seed = range.first; seed - range.first < range.count; ++seed)
    {
        INFO("seed ", seed, ", repeat with: ", repeat_command(seed));
        Random random(seed);
        body(seed, random);
    }
}

} // namespace tests
