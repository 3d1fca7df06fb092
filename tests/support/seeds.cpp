// SPDX-License-Identifier: MIT
#include "tests/support/seeds.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace tests
{

u64 Random::next64()
{
    state_ += 0x9E3779B97F4A7C15u;
    u64 z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

bool chosen_seeds(SeedRange& range)
{
    const char* text = std::getenv("PICAVK_SEED");
    if (text == nullptr)
        return false;
    char* end = nullptr;
    range = {u32(std::strtoul(text, &end, 0)), 1};
    if (std::string_view(end).substr(0, 2) == "..")
    {
        const u32 last = u32(std::strtoul(end + 2, nullptr, 0));
        range.count = last >= range.first ? last - range.first + 1 : 1;
    }
    return true;
}

bool is_long_run()
{
    const char* longer = std::getenv("PICAVK_LONG");
    return longer != nullptr && std::string_view(longer) != "0";
}

double seed_scale()
{
    const char* text = std::getenv("PICAVK_SEED_SCALE");
    const double scale = text != nullptr ? std::strtod(text, nullptr) : 1.0;
    return scale > 0.0 ? scale : 1.0;
}

SeedRange seed_range(u32 count)
{
    SeedRange range{0, is_long_run() ? count * kLongFactor : count};
    chosen_seeds(range);
    return range;
}

std::string repeat_command(u32 seed)
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    // Long runs make other guest states from some seeds.
    std::string command =
        (is_long_run() ? "PICAVK_LONG=1 PICAVK_SEED=" : "PICAVK_SEED=") + std::to_string(seed) + " ";
    command += error ? std::string("<test program>") : program.string();
    if (const doctest::TestCaseData* test = doctest::getContextOptions()->currentTest)
    {
        std::string name = test->m_name;
        std::replace(name.begin(), name.end(), ',', '?'); // a comma separates filters
        command += " --test-case=\"" + name + "\"";
    }
    return command;
}

} // namespace tests
