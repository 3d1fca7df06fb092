// SPDX-License-Identifier: MIT
#include "tests/support/seeds.h"

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

SeedRange seed_range(u32 count)
{
    if (const char* seed = std::getenv("PICAVK_SEED"))
        return {u32(std::strtoul(seed, nullptr, 0)), 1};
    const char* longer = std::getenv("PICAVK_LONG");
    if (longer != nullptr && std::string_view(longer) != "0")
        return {0, count * kLongFactor};
    return {0, count};
}

std::string repeat_command(u32 seed)
{
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    std::string command = "PICAVK_SEED=" + std::to_string(seed) + " ";
    command += error ? std::string("<test program>") : program.string();
    if (const doctest::TestCaseData* test = doctest::getContextOptions()->currentTest)
        command += std::string(" --test-case=\"") + test->m_name + "\"";
    return command;
}

} // namespace tests
