// SPDX-License-Identifier: MIT
// The order of the self-test, the record of its verdict, and what the generator concludes from it.
#include "renderer/self_test/self_test.h"

#include "renderer/cache/device_key.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/self_test/self_test_passes.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <vector>

namespace renderer
{

namespace
{

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
    {"barrier", &SelfTestResult::barrier_exact},
    {"scene", &SelfTestResult::scene_exact},
    {"stencil", &SelfTestResult::stencil_exact},
    {"logic_op", &SelfTestResult::logic_op_exact},
    {"gathers", &SelfTestResult::gathers_exact},
    {"records", &SelfTestResult::records_exact},
    {"indirect", &SelfTestResult::indirect_exact},
    {"device_vertices", &SelfTestResult::device_vertices_exact},
    {"geometry", &SelfTestResult::geometry_exact},
    {"lighting", &SelfTestResult::lighting_exact},
    {"procedural", &SelfTestResult::procedural_exact},
    {"shadows", &SelfTestResult::shadows_exact},
    {"gas", &SelfTestResult::gas_exact},
    {"levels", &SelfTestResult::levels_exact},
    {"cubes", &SelfTestResult::cubes_exact},
};

constexpr const char* kKind = "selftest";
constexpr u8 kVersion = 4; // of the record; to be increased when kFacts changes

bool read_verdict(DiskCache& cache, std::span<const u8> key, SelfTestResult& result)
{
    const auto content = cache.find(kKind, key);
    if (!content)
        return false;
    if (from_bytes(*content, result))
        return true;
    cache.refuse(kKind, "it holds no verdict");
    return false;
}

} // namespace

// The number of reciprocal steps, then a byte for a late compiler, for the choice of the interlock, and for each fact.
std::vector<u8> to_bytes(const SelfTestResult& result)
{
    std::vector<u8> bytes{result.reciprocal_steps, static_cast<u8>(result.compiles_late ? 1 : 0),
                          static_cast<u8>(result.interlock_chosen ? 1 : 0)};
    for (const Fact& fact : kFacts)
        bytes.push_back(result.*fact.value ? 1 : 0);
    return bytes;
}

bool from_bytes(std::span<const u8> bytes, SelfTestResult& result)
{
    constexpr u8 kMostSteps = 4;
    const bool valid = bytes.size() == 3 + std::size(kFacts) && bytes.front() <= kMostSteps &&
                       std::all_of(bytes.begin() + 1, bytes.end(), [](u8 fact) { return fact <= 1; });
    if (!valid)
        return false;
    result.reciprocal_steps = bytes.front();
    result.compiles_late = bytes[1] != 0;
    result.interlock_chosen = bytes[2] != 0;
    for (std::size_t i = 0; i < std::size(kFacts); ++i)
        result.*kFacts[i].value = bytes[3 + i] != 0;
    return true;
}

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
    std::snprintf(time, sizeof time, from_cache ? " (kept verdict)" : " (%.0f ms)",
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
    const VkPhysicalDeviceLimits& limits = device.properties.limits;
    const u32 components = std::min(limits.maxVertexOutputComponents - 4, limits.maxFragmentInputComponents);
    target.varying_words =
        static_cast<u8>(std::clamp(components & ~3u, u32{MAX_FLAT_RECORD_WORDS}, u32{MAX_VARYING_WORDS}));
    target.choice = device.features.branches ? shadergen::Choice::Branch : shadergen::Choice::Select;
    target.votes = device.features.votes;
    target.gathers = device.features.gathers && facts.gathers_exact;
    target.flat_constants = device.features.flat_constants;
    target.scale = scale;
    return target;
}

SelfTestResult assumed_facts()
{
    SelfTestResult facts;
    facts.compute_exact = facts.vertex_exact = facts.fragment_exact = facts.coverage_exact = true;
    facts.color_exact = facts.depth_exact = facts.fixed_blend_exact = true;
    facts.fetch_exact = facts.barrier_exact = true;
    return facts;
}

Result<SelfTestResult> run_self_test(Device& device, DiskCache* cache)
{
    SelfTestResult result;
    std::vector<u8> key = device_key(device);
    key.push_back(kVersion);
    if (cache != nullptr && read_verdict(*cache, key, result))
    {
        result.from_cache = true;
        return result;
    }
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
    if (cache != nullptr)
        cache->keep(kKind, key, to_bytes(result));
    return result;
}

} // namespace renderer
