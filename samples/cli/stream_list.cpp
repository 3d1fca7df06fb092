// SPDX-License-Identifier: MIT
#include "samples/cli/stream_list.h"

#include "samples/cli/input_file.h"
#include "samples/cli/worker_processes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace samples
{

namespace
{

constexpr pica::u32 kMaxJobs = 256;

} // namespace

bool names_standard_input_again(std::span<const std::string> paths)
{
    return std::ranges::count(paths, kStandardInput) > 1;
}

bool parse_shard(const std::string& text, Shard& shard)
{
    Shard parsed;
    const char* const end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, parsed.number);
    if (number.ec != std::errc() || number.ptr == end || *number.ptr != '/')
        return false;
    const auto count = std::from_chars(number.ptr + 1, end, parsed.count);
    if (count.ec != std::errc() || count.ptr != end || parsed.number < 1 || parsed.number > parsed.count)
        return false;
    shard = parsed;
    return true;
}

void add_shard_option(CLI::App& app, Shard& shard)
{
    app.add_option_function<std::string>(
           "--shard",
           [&shard](const std::string& text)
           {
               if (!parse_shard(text, shard))
                   throw CLI::ValidationError("--shard: " + text +
                                              " is not I/N with I from 1 to N, as in 2/8");
           },
           "Take part I of N of the list: every Nth stream. N runs with I from 1 to N take each stream once")
        ->option_text("I/N")
        ->default_str(shard.text());
}

void add_jobs_option(CLI::App& app, pica::u32& jobs)
{
    app.add_option_function<pica::u32>(
           "--jobs", [&jobs](pica::u32 number) { jobs = number == 0 ? processor_count() : number; },
           "Streams at the same time, each in a process of its own; 0: as many as there are processors")
        ->check(CLI::Range(0u, kMaxJobs))
        ->option_text("N")
        ->default_str(std::to_string(jobs));
}

void show_streams(Progress& progress, std::size_t done, std::size_t count, const std::string& name)
{
    if (count > 1)
        progress.show(std::to_string(done) + " of " + std::to_string(count) + " streams: " + name);
}

} // namespace samples
