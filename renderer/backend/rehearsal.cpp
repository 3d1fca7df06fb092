// SPDX-License-Identifier: MIT
#include "renderer/backend/rehearsal.h"

#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/paths.h"
#include "renderer/backend/rehearsal_scene.h"
#include "renderer/backend/renderer.h"
#include "renderer/cache/device_key.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/self_test/self_test.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace renderer
{

namespace
{

using Fact = bool SelfTestResult::*;
using Exact = std::array<bool, kRehearsalClasses>;

// The facts to doubt where draws of a class differ, the likeliest first. interlock: it is forced.
std::span<const Fact> suspects(RehearsalClass which, bool interlock)
{
    static constexpr Fact kPlain[] = {&SelfTestResult::gathers_exact, &SelfTestResult::records_exact,
                                      &SelfTestResult::device_vertices_exact,
                                      &SelfTestResult::coverage_exact};
    static constexpr Fact kRepeated[] = {&SelfTestResult::indirect_exact,
                                         &SelfTestResult::device_vertices_exact};
    static constexpr Fact kStencil[] = {&SelfTestResult::stencil_exact};
    static constexpr Fact kLogicOp[] = {&SelfTestResult::logic_op_exact};
    static constexpr Fact kFixedBlend[] = {&SelfTestResult::fixed_blend_exact};
    static constexpr Fact kFetch[] = {&SelfTestResult::fetch_exact};
    static constexpr Fact kInterlock[] = {&SelfTestResult::interlock_exact};
    static constexpr Fact kLighting[] = {&SelfTestResult::lighting_exact};
    static constexpr Fact kProcedural[] = {&SelfTestResult::procedural_exact};
    static constexpr Fact kLevels[] = {&SelfTestResult::levels_exact};
    static constexpr Fact kCubes[] = {&SelfTestResult::cubes_exact};
    static constexpr Fact kShadows[] = {&SelfTestResult::shadows_exact};
    static constexpr Fact kGas[] = {&SelfTestResult::gas_exact};
    static constexpr Fact kGeometry[] = {&SelfTestResult::geometry_exact};
    switch (which)
    {
    case RehearsalClass::Plain:
        return kPlain;
    case RehearsalClass::Repeated:
        return kRepeated;
    case RehearsalClass::Stencil:
        return kStencil;
    case RehearsalClass::LogicOp:
        return kLogicOp;
    case RehearsalClass::FixedBlend:
        return kFixedBlend;
    case RehearsalClass::Fetch:
        return interlock ? std::span(kInterlock) : std::span(kFetch);
    case RehearsalClass::Lighting:
        return kLighting;
    case RehearsalClass::Procedural:
        return kProcedural;
    case RehearsalClass::Levels:
        return kLevels;
    case RehearsalClass::Cubes:
        return kCubes;
    case RehearsalClass::Shadows:
        return kShadows;
    case RehearsalClass::Gas:
        return kGas;
    case RehearsalClass::Geometry:
        return kGeometry;
    }
    return {};
}

// The software core's memory after each class.
class Expected
{
public:
    explicit Expected(pica::Report& report) : core_(arena_.memory(), report, {.threads = 1})
    {
        RehearsalScene::fill(arena_.memory());
        for (u32 i = 0; i < kRehearsalClasses; ++i)
        {
            scene_.play(static_cast<RehearsalClass>(i), core_);
            const std::span<const u8> bytes =
                arena_.memory().span(RehearsalScene::kBase, RehearsalScene::kBytes);
            after_[i].assign(bytes.begin(), bytes.end());
        }
    }
    const std::vector<u8>& after(u32 number) const { return after_[number]; }

private:
    static constexpr u32 kFcram = 0x10000; // not used
    pica::GuestArena arena_{kFcram};
    pica::SoftwareCore core_;
    RehearsalScene scene_;
    std::array<std::vector<u8>, kRehearsalClasses> after_;
};

// Compares guest memory of `renderer` with `expected`, and makes it equal.
bool settle(Renderer& renderer, const std::vector<u8>& expected)
{
    constexpr u32 kBytes = RehearsalScene::kBytes;
    renderer.will_read(RehearsalScene::kBase, kBytes);
    const std::span<u8> bytes = renderer.memory().span(RehearsalScene::kBase, kBytes);
    if (std::memcmp(bytes.data(), expected.data(), kBytes) == 0)
        return true;
    renderer.will_write(RehearsalScene::kBase, kBytes);
    std::memcpy(bytes.data(), expected.data(), kBytes);
    renderer.did_write(RehearsalScene::kBase, kBytes);
    return false;
}

// Plays everything once. A difference in one class does not reach the next one. failure: why there is an error.
Result<Exact> play(const Options& options, pica::Report& report, const Expected& expected,
                   CreateFailure& failure)
{
    pica::GuestArena arena(0x10000);
    RehearsalScene::fill(arena.memory());
    auto renderer = Renderer::create(options, arena.memory(), report, &failure);
    if (!renderer)
        return renderer.error();
    RehearsalScene scene;
    Exact exact{};
    for (u32 i = 0; i < kRehearsalClasses; ++i)
    {
        scene.play(static_cast<RehearsalClass>(i), **renderer);
        exact[i] = settle(**renderer, expected.after(i));
    }
    (*renderer)->end_frame();
    if (Status status = (*renderer)->status(); !status)
    {
        failure = CreateFailure::DeviceFailed;
        return status.error();
    }
    return exact;
}

// Rehearsal: plays the scene with assumed facts until it finds facts with which nothing differs.
class Rehearsal
{
public:
    Rehearsal(const Options& options, pica::Report& report, const Features& features)
        : options_(options), report_(report), expected_(report), gathers_(features.gathers)
    {
        options_.scale = 1; // what the device does with values does not depend on N
        options_.self_test = false;
        options_.rehearsal = RehearsalChoice::Never;
        options_.cache = {};
        options_.fallback = FallbackChoice::Auto;
        // Where the ubershader is never the fallback, its pipelines would be made for nothing.
        options_.ubershader = features.compiles_late ? UbershaderChoice::Never : UbershaderChoice::Mixed;
    }

    Status hold(SelfTestResult& facts)
    {
        auto exact = play_with(facts);
        // Each round clears at least one fact or ends.
        while (exact && facts.usable())
        {
            const auto first = std::find(exact->begin(), exact->end(), false);
            if (first == exact->end())
                return {};
            exact = doubt(static_cast<u32>(first - exact->begin()), facts);
        }
        return exact ? Status() : exact.error();
    }

    // Is everything exact with the interlock too, with the facts that hold() left? Not on a device that fails with it. An
    // error: that device is the host's.
    Result<bool> interlock_is_exact(const SelfTestResult& facts)
    {
        options_.blend_path = BlendPathChoice::Interlock;
        const auto exact = play_with(facts);
        if (!exact && device_failed() && options_.device)
            return exact.error();
        return exact && std::find(exact->begin(), exact->end(), false) == exact->end();
    }

    // Did the device fail? After an error.
    bool device_failed() const { return failure_ == CreateFailure::DeviceFailed; }

private:
    Result<Exact> play_with(const SelfTestResult& facts)
    {
        options_.assumed = &facts;
        return play(options_, report_, expected_, failure_);
    }

    // Clears the one fact without which the class is exact, else all that it depends on. What is exact then.
    Result<Exact> doubt(u32 which, SelfTestResult& facts)
    {
        SelfTestResult without_all = facts;
        bool any = false;
        const bool interlock = options_.blend_path == BlendPathChoice::Interlock;
        for (const Fact fact : suspects(static_cast<RehearsalClass>(which), interlock))
        {
            if (!(facts.*fact) || (fact == &SelfTestResult::gathers_exact && !gathers_))
                continue;
            SelfTestResult without = facts;
            without.*fact = without_all.*fact = false;
            any = true;
            if (!without.usable())
                continue;
            const auto exact = play_with(without);
            if (exact && !(*exact)[which])
                continue;
            facts = without;
            return exact;
        }
        facts = without_all;
        facts.scene_exact = any;
        return facts.usable() ? play_with(facts) : Exact{};
    }

    Options options_;
    pica::Report& report_;
    const Expected expected_;
    const bool gathers_; // else there is nothing to doubt
    CreateFailure failure_ = CreateFailure::Unavailable;
};

constexpr const char* kKind = "rehearsal";
constexpr u8 kVersion = 6; // to be increased when the scene changes, or how the renderer draws

// The verdict depends on the methods that the options choose.
std::vector<u8> key_of(const Device& device, const Options& options)
{
    std::vector<u8> key = device_key(device);
    for (const u8 byte :
         {kVersion, static_cast<u8>(options.vertex_executor), static_cast<u8>(options.blend_path),
          static_cast<u8>(options.coverage), static_cast<u8>(options.self_test)})
        key.push_back(byte);
    return key;
}

} // namespace

Status rehearse(const Options& options, pica::Report& report, Device& device, DiskCache* cache,
                SelfTestResult& facts)
{
    const std::vector<u8> key = key_of(device, options);
    if (cache != nullptr && options.rehearsal != RehearsalChoice::Always)
        if (const auto content = cache->find(kKind, key))
        {
            if (from_bytes(*content, facts))
                return {};
            cache->refuse(kKind, "it holds no verdict");
        }
    Rehearsal rehearsal(options, report, device.features);
    facts.interlock_chosen = false; // until it has been rehearsed
    Status status = rehearsal.hold(facts);
    const Result<Paths> paths = choose_paths(options, device.features, facts);
    const bool may_interlock = options.blend_path == BlendPathChoice::Auto &&
                               device.features.fragment_interlock && paths &&
                               paths->blend == BlendPath::Barrier;
    const auto keep = [&]
    {
        if (cache != nullptr)
            cache->keep(kKind, key, to_bytes(facts));
    };
    if (status && facts.usable() && may_interlock)
    {
        keep(); // for the next start, if the driver does not survive this
        const Result<bool> exact = rehearsal.interlock_is_exact(facts);
        if (exact)
            facts.interlock_chosen = *exact;
        else
            status = exact.error();
    }
    if (!status)
    {
        std::string message = "rehearsal: " + status.error().message;
        if (rehearsal.device_failed())
            device.fail(message);
        return Error{std::move(message)};
    }
    keep();
    return {};
}

} // namespace renderer
