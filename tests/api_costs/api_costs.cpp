// SPDX-License-Identifier: MIT
// What the embedding interface itself costs: nanoseconds per call and per word of a command list, through the
// C ABI, on the backend that draws nothing. Medians over passes; run it on a quiet machine.
//     api_costs [--passes N]
#include "renderer/picavk.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

constexpr u32 kVram = 0x18000000, kFcram = 0x20000000, kBytes = 0x400000;
constexpr u32 kCalls = 20000;

template <typename Work>
void measure(const char* what, u32 passes, u32 units, Work work)
{
    std::vector<double> times;
    for (u32 pass = 0; pass <= passes; ++pass)
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
        if (pass != 0) // the first one warms up
            times.push_back(time.count() / units);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-44s %8.1f ns, fastest pass %8.1f ns\n", what, times[times.size() / 2], times.front());
}

// A list of `words` words that write registers without an effect of their own; consecutive: eight values a
// command.
std::vector<u32> command_list(u32 words, bool consecutive)
{
    std::vector<u32> list;
    while (list.size() + 12 < words)
    {
        list.push_back(u32(list.size()));
        list.push_back(0x0C0u | 0xFu << 16 | (consecutive ? 7u << 20 | 1u << 31 : 0u));
        for (u32 i = 0; consecutive && i < 8; ++i) // seven values and padding to eight bytes
            list.push_back(i < 7 ? u32(list.size()) : 0);
    }
    list.push_back(0x12345678);
    list.push_back(0x010u | 0xFu << 16);
    while (list.size() < words)
        list.push_back(0);
    return list;
}

} // namespace

int main(int argc, char** argv)
{
    u32 passes = 50;
    if (argc == 3 && std::string_view(argv[1]) == "--passes")
        passes = static_cast<u32>(std::max(1, std::atoi(argv[2])));
    else if (argc != 1)
        return std::fprintf(stderr, "usage: api_costs [--passes N]\n"), 2;

    std::vector<u8> vram(kBytes), fcram(kBytes);
    picavk::Options options;
    options.backend = picavk::Backend::Null;
    options.regions = {{kVram, kBytes, vram.data()}, {kFcram, kBytes, fcram.data()}};
    auto [made, status] = picavk::Context::create(options);
    if (!status)
        return std::fprintf(stderr, "api_costs: %s\n", status.message.c_str()), 1;
    PicavkContext* context = made.handle();

    measure("write_register, a GPU register", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                    (void)picavk_write_register(context, 0x10400470, i, 0xF);
            });
    measure("write_register, an internal register", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                    (void)picavk_write_register(context, 0x10401000 + 4 * 0x0C0, i, 0xF);
            });
    volatile u32 sum = 0; // keeps the reads
    measure("read_register", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                {
                    u32 value = 0;
                    (void)picavk_read_register(context, 0x10400470, &value);
                    sum = sum + value;
                }
            });
    measure("will_read and did_write, a page each", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                {
                    (void)picavk_will_read(context, kVram + (i % 1024) * 4096, 4096);
                    (void)picavk_did_write(context, kVram + (i % 1024) * 4096, 4096);
                }
            });
    measure("mark_written, a page", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                    picavk_mark_written(context, kVram + (i % 1024) * 4096, 4096);
            });
    for (const bool consecutive : {false, true})
    {
        const std::vector<u32> list = command_list(0x10000, consecutive);
        std::memcpy(fcram.data(), list.data(), list.size() * 4);
        (void)picavk_did_write(context, kFcram, kBytes);
        measure(consecutive ? "a word of a command list, seven values each"
                            : "a word of a command list, single writes",
                passes, u32(list.size()),
                [&] { (void)picavk_submit_command_list(context, kFcram, u32(list.size()) * 4); });
    }
    const std::vector<u32> nothing = command_list(16, false);
    std::memcpy(fcram.data(), nothing.data(), nothing.size() * 4);
    measure("submit_command_list of 16 words", passes, kCalls,
            [&]
            {
                for (u32 i = 0; i < kCalls; ++i)
                    (void)picavk_submit_command_list(context, kFcram, 64);
            });
    return 0;
}
