// SPDX-License-Identifier: MIT
// The order of the self-test, the file of its verdict, and what the generator concludes from it.
#include "renderer/self_test/self_test.h"

#include "pica/state/keys.h"
#include "renderer/self_test/self_test_passes.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace renderer
{

namespace
{

// To be increased whenever the tests change. Verdicts of other versions are measured again.
constexpr u32 kVersion = 1;

struct Fact
{
    const char* name;
    bool SelfTestResult::*value;
};
constexpr Fact kFacts[] = {
    {"compute", &SelfTestResult::compute_exact},
    {"vertex", &SelfTestResult::vertex_exact},
    {"fragment", &SelfTestResult::fragment_exact},
    {"coverage", &SelfTestResult::coverage_exact},
    {"color", &SelfTestResult::color_exact},
    {"depth", &SelfTestResult::depth_exact},
    {"fixed_blend", &SelfTestResult::fixed_blend_exact},
    {"fetch", &SelfTestResult::fetch_exact},
};

std::filesystem::path file_of(const Device& device, const std::string& directory)
{
    // The name contains everything that may change the verdict. That includes the driver's own words, because
    // some drivers keep their number and UUIDs over years. It includes the features in use, because a masked
    // feature changes what is tested.
    std::string identity(reinterpret_cast<const char*>(device.driver_uuid), VK_UUID_SIZE);
    identity.append(reinterpret_cast<const char*>(device.properties.pipelineCacheUUID), VK_UUID_SIZE);
    identity += device.driver_info;
    identity += device.properties.deviceName;
    char name[160];
    std::snprintf(name, sizeof name, "selftest-%u-%04x-%04x-%08x-%d%d%d-%016llx", kVersion,
                  device.properties.vendorID, device.properties.deviceID, device.properties.driverVersion,
                  device.features.float_rte, device.features.float_nan_preserve,
                  device.features.rasterization_order_access,
                  static_cast<unsigned long long>(pica::hash_bytes(identity.data(), identity.size())));
    return std::filesystem::path(directory) / (std::string(name) + ".txt");
}

// The file's text is "steps N name 0|1 ... end". Anything else counts as no verdict.
bool read_verdict(const std::filesystem::path& path, SelfTestResult& result)
{
    std::ifstream file(path);
    std::string word;
    u32 steps = 0;
    if (!(file >> word >> steps) || word != "steps" || steps > 4)
        return false;
    result.reciprocal_steps = static_cast<u8>(steps);
    for (const Fact& fact : kFacts)
    {
        u32 value = 0;
        if (!(file >> word >> value) || word != fact.name || value > 1)
            return false;
        result.*fact.value = value != 0;
    }
    return static_cast<bool>(file >> word) && word == "end";
}

void write_verdict(const std::filesystem::path& path, const SelfTestResult& result)
{
    // A verdict that cannot be written is measured again next time. The file is written under another name
    // and then renamed, so that readers see all of it or nothing.
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::filesystem::path temporary = path;
    temporary += ".new";
    {
        std::ofstream file(temporary);
        file << "steps " << u32{result.reciprocal_steps};
        for (const Fact& fact : kFacts)
            file << ' ' << fact.name << ' ' << (result.*fact.value ? 1 : 0);
        file << " end\n";
        if (!file)
            return;
    }
    std::filesystem::rename(temporary, path, error);
}

} // namespace

void SelfTestResult::for_each(const std::function<void(const char* name, bool exact)>& visit) const
{
    for (const Fact& fact : kFacts)
        visit(fact.name, this->*fact.value);
}

std::string SelfTestResult::text() const
{
    std::string line = "reciprocal steps " + std::to_string(reciprocal_steps);
    for (const Fact& fact : kFacts)
        line += std::string(", ") + fact.name + (this->*fact.value ? " exact" : " INEXACT");
    char time[48];
    std::snprintf(time, sizeof time, from_file ? " (kept verdict)" : " (%.0f ms)",
                  static_cast<double>(milliseconds));
    return line + time;
}

shadergen::Target make_target(const Device& device, const SelfTestResult& facts, u8 scale)
{
    shadergen::Target target;
    target.rounding_mode_rte = device.features.float_rte;
    target.nan_preserve = device.features.float_nan_preserve;
    target.reciprocal_steps = facts.reciprocal_steps;
    target.record_path = device.features.beyond_stride ? shadergen::RecordPath::FlatVaryings
                                                       : shadergen::RecordPath::TexelBuffer;
    target.choice = device.features.branches ? shadergen::Choice::Branch : shadergen::Choice::Select;
    target.scale = scale;
    return target;
}

Result<SelfTestResult> run_self_test(Device& device, const std::string& directory)
{
    SelfTestResult result;
    const std::filesystem::path path =
        directory.empty() ? std::filesystem::path() : file_of(device, directory);
    if (!directory.empty() && read_verdict(path, result))
    {
        result.from_file = true;
        return result;
    }
    result = {};
    const auto start = std::chrono::steady_clock::now();
    Memory memory(device);
    {
        auto stream = Stream::create(device);
        if (!stream)
            return stream.error();
        SelfTestPasses passes(device, memory, **stream, make_target(device, result, 1));
        if (Status status = passes.run(result); !status)
            return Error{"self-test: " + status.error().message};
    }
    result.milliseconds =
        std::chrono::duration<f32, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!directory.empty())
        write_verdict(path, result);
    return result;
}

} // namespace renderer
