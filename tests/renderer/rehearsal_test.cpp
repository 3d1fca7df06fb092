// SPDX-License-Identifier: MIT
// The rehearsal on this machine's device, and on devices that do one thing inexactly: each must end in a
// renderer that is exact all the same, or in none.
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "renderer/backend/rehearsal_scene.h"
#include "renderer/backend/renderer.h"
#include "renderer/vulkan/device.h"
#include "tests/support/device/faults.h"
#include "tests/support/kept_report.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

using namespace tests;
using namespace renderer;

namespace
{

struct Outcome
{
    std::string error;                 // why there is no renderer
    std::vector<std::string> inexact;  // verdicts
    bool equal = false;                // the scene leaves the bytes of the software core
    std::vector<RehearsalClass> wrong; // classes of the scene that do not
    std::string blend_path;
    u64 blend_barriers = 0;
    u64 host_draws = 0;                       // by the software renderer
    u64 device_draws = 0, geometry_draws = 0; // whose vertices or geometry programs the device did
};

std::span<u8> scene_bytes(pica::GuestArena& arena)
{
    return arena.memory().span(RehearsalScene::kBase, RehearsalScene::kBytes);
}

// Makes a renderer, which may hold the rehearsal, and plays the scene on it.
Outcome start(const Options& options)
{
    Outcome result;
    KeptReport report;
    pica::GuestArena arena(0x10000), expected(0x10000);
    RehearsalScene::fill(arena.memory());
    RehearsalScene::fill(expected.memory());
    auto made = Renderer::create(options, arena.memory(), report);
    if (!made)
    {
        result.error = made.error().message;
        return result;
    }
    Renderer& renderer = **made;
    for (const DeviceFacts::Verdict& verdict : renderer.facts().self_test)
        if (!verdict.exact)
            result.inexact.push_back(verdict.name);
    for (const DeviceFacts::Path& path : renderer.facts().paths)
        if (path.name == "blend path")
            result.blend_path = path.choice;
    pica::SoftwareCore core(expected.memory(), report);
    RehearsalScene scene, same;
    for (u32 i = 0; i < kRehearsalClasses; ++i)
    {
        scene.play(static_cast<RehearsalClass>(i), renderer);
        same.play(static_cast<RehearsalClass>(i), core);
        // A difference is counted once.
        renderer.will_write(RehearsalScene::kBase, RehearsalScene::kBytes);
        if (std::memcmp(scene_bytes(arena).data(), scene_bytes(expected).data(), RehearsalScene::kBytes) != 0)
            result.wrong.push_back(static_cast<RehearsalClass>(i));
        std::memcpy(scene_bytes(arena).data(), scene_bytes(expected).data(), RehearsalScene::kBytes);
        renderer.did_write(RehearsalScene::kBase, RehearsalScene::kBytes);
    }
    result.equal = result.wrong.empty();
    result.blend_barriers = renderer.statistics().blend_barriers;
    result.host_draws = renderer.statistics().host_draws;
    result.device_draws = renderer.statistics().device_draws;
    result.geometry_draws = renderer.statistics().geometry_draws;
    for (const std::string& message : renderer.validation_messages())
        FAIL_CHECK(message);
    return result;
}

bool has(bool Features::*feature)
{
    const auto device = Device::create({});
    REQUIRE(device);
    return (*device)->features.*feature;
}

bool has_raster_order()
{
    return has(&Features::rasterization_order_access);
}

Options rehearsing()
{
    Options options;
    options.rehearsal = RehearsalChoice::Always;
    options.ubershader = UbershaderChoice::Never; // the device draws from the first draw on
    options.masked_features = {"inlined_calls"};  // else no rule finds a function of a shader
    return options;
}

} // namespace

TEST_CASE("rehearsal: the scene draws in every class, and differently each time")
{
    KeptReport report;
    pica::GuestArena arena(0x10000);
    RehearsalScene::fill(arena.memory());
    pica::SoftwareCore core(arena.memory(), report);
    RehearsalScene scene;
    const std::span<u8> bytes = arena.memory().span(RehearsalScene::kBase, RehearsalScene::kBytes);
    std::vector<u8> before(bytes.begin(), bytes.end());
    for (u32 i = 0; i < kRehearsalClasses; ++i)
    {
        CAPTURE(i);
        scene.play(static_cast<RehearsalClass>(i), core);
        u32 changed = 0;
        for (u32 k = 0; k < 0x4000; ++k) // the colour buffer
            changed += bytes[k] != before[k];
        CHECK(changed > 0x1000);
        before.assign(bytes.begin(), bytes.end());
    }
}

TEST_CASE("rehearsal: nothing is inexact on this machine's device")
{
    for (const VertexExecutorChoice executor : {VertexExecutorChoice::Cpu, VertexExecutorChoice::Compute})
    {
        Options options = rehearsing();
        options.validation = true;
        options.masked_features.clear();
        options.vertex_executor = executor;
        const Outcome result = start(options);
        CHECK(result.error.empty());
        CHECK(result.inexact.empty());
        CHECK(result.equal);
        CHECK(result.host_draws == 0);
    }
    // As a GPU: vertex work on the device, and the rehearsal draws with the ubershader too.
    Options options = rehearsing();
    options.masked_features = {"cpu", "late_compiler"};
    const Outcome result = start(options);
    CHECK(result.error.empty());
    CHECK(result.inexact.empty());
    CHECK(result.equal);
    CHECK(result.geometry_draws == 2);
}

TEST_CASE("rehearsal: what a device does inexactly is replaced, and the renderer is exact")
{
    struct Case
    {
        const char* rules;
        VertexExecutorChoice executor;
        std::vector<std::string> inexact;
    };
    const auto cpu = VertexExecutorChoice::Cpu;
    std::vector<Case> cases = {
        {"corrupt-stencil:1:1", cpu, {"stencil"}},
        {"corrupt-logic-op:1:1", cpu, {"logic_op"}},
        {"corrupt-blend:1:1", cpu, {"fixed_blend"}},
        {"corrupt-records:1:1", cpu, {"records"}},
        {"corrupt-stencil:1:1,corrupt-logic-op:1:1,corrupt-records:1:1",
         cpu,
         {"stencil", "logic_op", "records"}},
    };
    // Where there is no other way to read the destination, a device that does this inexactly is refused.
    if (has_raster_order())
    {
        cases.push_back({"corrupt-raster-order:1:1", cpu, {"fetch"}});
        cases.push_back({"corrupt-barrier:1:1", cpu, {"barrier"}});
    }
    if (has(&Features::gathers))
        cases.push_back({"corrupt-gathers:1:1", cpu, {"gathers"}});
    for (const Case& one : cases)
    {
        CAPTURE(one.rules);
        const Faults faults(one.rules);
        Options options = rehearsing();
        options.vertex_executor = one.executor;
        const Outcome result = start(options);
        CHECK(result.error == "");
        CHECK(result.inexact == one.inexact);
        CHECK(result.equal);
    }
}

TEST_CASE("rehearsal: the software renderer draws the kinds of draws that the device draws inexactly, alone")
{
    struct Case
    {
        std::string rules;
        std::vector<std::string> inexact;
        u64 host_draws; // of the scene: those of the kinds
        // What is wrong without the rehearsal. Some draws are of two kinds.
        std::vector<RehearsalClass> wrong;
    };
    const Case cases[] = {
        {"corrupt-lighting:1:1", {"lighting"}, 3, {RehearsalClass::Lighting}},
        {"corrupt-procedural:1:1", {"procedural"}, 2, {RehearsalClass::Procedural}},
        {"corrupt-levels:1:1", {"levels"}, 3, {RehearsalClass::Levels, RehearsalClass::Cubes}},
        {"corrupt-cubes:1:1", {"cubes"}, 3, {RehearsalClass::Cubes}},
        {"corrupt-shadows:1:1", {"shadows"}, 4, {RehearsalClass::Shadows}},
        {"corrupt-gas:1:1", {"gas"}, 5, {RehearsalClass::Gas}},
        {"corrupt-lighting:1:1,corrupt-levels:1:1,corrupt-gas:1:1",
         {"lighting", "gas", "levels"},
         11,
         {RehearsalClass::Lighting, RehearsalClass::Levels, RehearsalClass::Cubes, RehearsalClass::Gas}},
    };
    for (const Case& one : cases)
    {
        CAPTURE(one.rules);
        const Faults faults(one.rules);
        Options options = rehearsing();
        const Outcome result = start(options);
        CHECK(result.error == "");
        CHECK(result.inexact == one.inexact);
        CHECK(result.equal);
        CHECK(result.host_draws == one.host_draws);
        options.rehearsal = RehearsalChoice::Never;
        const Outcome unaware = start(options);
        CHECK(unaware.error == "");
        CHECK(unaware.wrong == one.wrong);
        CHECK(unaware.host_draws == 0);
    }
}

TEST_CASE("rehearsal: geometry programs that the device runs inexactly go to the CPU, and nothing else does")
{
    const Faults faults("corrupt-geometry:1:1");
    Options options = rehearsing();
    // So that the device does the vertex work, with a function that the rule finds.
    options.masked_features = {"cpu", "inlined_calls"};
    const Outcome result = start(options);
    CHECK(result.error == "");
    CHECK(result.inexact == std::vector<std::string>{"geometry"});
    CHECK(result.equal);
    CHECK(result.host_draws == 0);
    CHECK(result.device_draws > 20);
    CHECK(result.geometry_draws == 0);
    options.rehearsal = RehearsalChoice::Never;
    const Outcome unaware = start(options);
    CHECK(unaware.wrong == std::vector<RehearsalClass>{RehearsalClass::Geometry});
    CHECK(unaware.geometry_draws == 2);
}

TEST_CASE("rehearsal: vertex work that the device does inexactly goes to the CPU")
{
    struct Case
    {
        const char* rules;
        const char* inexact;
    };
    for (const Case& one :
         {Case{"corrupt-indirect:1:1", "indirect"}, Case{"corrupt-device-vertices:1:1", "device_vertices"}})
    {
        CAPTURE(one.rules);
        const Faults faults(one.rules);
        Options options = rehearsing();
        options.masked_features = {"cpu"}; // so that the device does the vertex work
        // The rehearsal draws in other forms where the driver compiles when a pipeline is made.
        for (const bool compiles_late : {true, false})
        {
            CAPTURE(compiles_late);
            if (!compiles_late)
                options.masked_features.emplace_back("late_compiler");
            const Outcome result = start(options);
            CHECK(result.error == "");
            CHECK(result.inexact == std::vector<std::string>{one.inexact});
            CHECK(result.equal);
        }
    }
}

TEST_CASE("rehearsal: without stencil attachments the device draws nothing that tests the stencil")
{
    const Faults faults("corrupt-stencil:1:1,no-depth-stencil:1:1");
    const Outcome result = start(rehearsing());
    CHECK(result.error == "");
    CHECK(result.inexact.empty());
    CHECK(result.equal);
}

TEST_CASE("rehearsal: the interlock is rehearsed where it is forced, and refused where it is inexact")
{
    Options options = rehearsing();
    options.rehearsal = RehearsalChoice::Auto; // without a cache
    options.blend_path = BlendPathChoice::Interlock;
    {
        const Faults faults(interlock_rule());
        const Outcome result = start(options);
        CHECK(result.error == "");
        CHECK(result.inexact.empty());
        CHECK(result.equal);
        CHECK(result.blend_barriers == 0);
    }
    const Faults faults("corrupt-interlock:1:1," + interlock_rule());
    CHECK(start(options).error.find("blend path interlock: the rehearsal found") != std::string::npos);
    Options free = options; // uses another path
    free.blend_path = BlendPathChoice::Auto;
    free.rehearsal = RehearsalChoice::Always;
    const Outcome other = start(free);
    CHECK(other.inexact.empty());
    CHECK(other.equal);
    options.rehearsal = RehearsalChoice::Never;
    const Outcome unaware = start(options);
    CHECK(unaware.error == "");
    CHECK(unaware.wrong.size() >= 3); // blending, shadow maps, gas
}

TEST_CASE("rehearsal: without rasterization-order access the interlock is chosen where it is exact")
{
    Options options = rehearsing();
    options.masked_features.emplace_back("rasterization_order");
    {
        const Faults faults(interlock_rule());
        const Outcome result = start(options);
        CHECK(result.error == "");
        CHECK(result.inexact.empty());
        CHECK(result.equal);
        CHECK(result.blend_path == "fragment shader interlock");
        CHECK(result.blend_barriers == 0);
        Options unrehearsed = options;
        unrehearsed.rehearsal = RehearsalChoice::Never;
        CHECK(start(unrehearsed).blend_path == "barrier batches");
    }
    const Faults faults("corrupt-interlock:1:1," + interlock_rule());
    const Outcome result = start(options);
    CHECK(result.error == "");
    CHECK(result.inexact.empty());
    CHECK(result.equal);
    CHECK(result.blend_path == "barrier batches");
}

TEST_CASE("rehearsal: the choice of the interlock is kept")
{
    const Faults faults(interlock_rule());
    std::map<std::string, std::vector<u8>> records;
    Options options = rehearsing();
    options.masked_features.emplace_back("rasterization_order");
    options.rehearsal = RehearsalChoice::Auto;
    options.cache.load = [&](const std::string& name)
    {
        const auto found = records.find(name);
        return found == records.end() ? std::vector<u8>() : found->second;
    };
    options.cache.store = [&](const std::string& name, std::span<const u8> bytes)
    {
        records[name].assign(bytes.begin(), bytes.end());
        return true;
    };
    CHECK(start(options).blend_path == "fragment shader interlock");
    CHECK_FALSE(records.empty());
    const auto kept = records;
    CHECK(start(options).blend_path == "fragment shader interlock");
    CHECK(records == kept); // nothing was rehearsed again
}

TEST_CASE("rehearsal: the verdict is kept, and a damaged one is not believed")
{
    std::map<std::string, std::vector<u8>> records;
    Options options = rehearsing();
    options.rehearsal = RehearsalChoice::Auto;
    options.cache.load = [&](const std::string& name)
    { return records.count(name) != 0 ? records[name] : std::vector<u8>(); };
    options.cache.store = [&](const std::string& name, std::span<const u8> bytes)
    {
        records[name].assign(bytes.begin(), bytes.end());
        return true;
    };
    {
        const Faults faults("corrupt-stencil:1:1");
        Options forced = options; // what is forced is not rehearsed
        forced.vertex_executor = VertexExecutorChoice::Cpu;
        CHECK(start(forced).inexact.empty());
        CHECK(start(options).inexact == std::vector<std::string>{"stencil"});
    }
    const std::vector<std::string> kept{"stencil"};
    CHECK(start(options).inexact == kept);
    for (auto& [name, bytes] : records)
        bytes.back() ^= 1;
    CHECK(start(options).inexact.empty());
}

TEST_CASE("rehearsal: a device without an exact method is refused, and the message says what failed")
{
    for (const char* rules : {"corrupt-dispatch:1:1", "corrupt-raster-order:1:1,corrupt-barrier:1:1"})
    {
        CAPTURE(rules);
        const Faults faults(rules);
        const Outcome result = start(rehearsing());
        CHECK(result.error.find("INEXACT") != std::string::npos);
        CHECK(result.error.find("software backend") != std::string::npos);
    }
}
