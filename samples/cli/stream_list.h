// SPDX-License-Identifier: MIT
// Verbs that take many streams: which of them this run takes, how many at the same time, and how far it is.
#pragma once

#include "pica/base/types.h"
#include "samples/cli/progress.h"

#include <span>
#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace samples
{

// One of `count` runs that together do all streams, each stream once.
struct Shard
{
    pica::u32 number = 1; // 1..count
    pica::u32 count = 1;

    bool takes(std::size_t index) const { return index % count == number - 1; }
    std::string text() const { return std::to_string(number) + "/" + std::to_string(count); }
    template <typename Item>
    std::vector<Item> part_of(const std::vector<Item>& items) const
    {
        std::vector<Item> part;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (takes(i))
                part.push_back(items[i]);
        return part;
    }
};

// Takes "2/8" apart; false if it is no shard.
bool parse_shard(const std::string& text, Shard& shard);
// --shard I/N: streams I, I + N, I + 2N ... of the list.
void add_shard_option(CLI::App& app, Shard& shard);
// --jobs N; 0 becomes the number of processors.
void add_jobs_option(CLI::App& app, pica::u32& jobs);

// Standard input can be read once. Is it there twice among the paths?
bool names_standard_input_again(std::span<const std::string> paths);
inline constexpr const char* kStandardInputOnce =
    "standard input can be read once, and is named more than once";

// "3 of 41 streams: s_shadow", where there is more than one.
void show_streams(Progress& progress, std::size_t done, std::size_t count, const std::string& name);

} // namespace samples
