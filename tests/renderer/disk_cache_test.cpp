// SPDX-License-Identifier: MIT
// The disk cache under a renderer: what a second run finds, and that no damaged record changes a byte. PICAVK_LONG=1
// damages 10,000 records; PICAVK_SEED=a..b those of some lives, so that several processes can share them.
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/trace_comparison.h"
#include "renderer/backend/renderer.h"
#include "tests/support/kept_report.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace tests;
using renderer::Statistics;

namespace
{

// Records in memory, as a host may keep them.
struct Storage
{
    std::map<std::string, std::vector<u8>> records;
    // Changes what is read. May be empty.
    std::function<void(const std::string& name, std::vector<u8>& record)> damage;
    bool writable = true;

    renderer::CacheOptions options(const std::string& title)
    {
        renderer::CacheOptions cache;
        cache.title = title;
        cache.load = [this](const std::string& name)
        {
            const auto found = records.find(name);
            std::vector<u8> record = found == records.end() ? std::vector<u8>() : found->second;
            if (damage && !record.empty())
                damage(name, record);
            return record;
        };
        cache.store = [this](const std::string& name, std::span<const u8> bytes)
        {
            if (writable)
                records[name].assign(bytes.begin(), bytes.end());
            return writable;
        };
        return cache;
    }
    std::size_t count(const std::string& kind) const
    {
        return static_cast<std::size_t>(std::count_if(records.begin(), records.end(),
                                                      [&](const auto& record)
                                                      { return record.first.rfind(kind + '-', 0) == 0; }));
    }
};

struct Run
{
    Statistics statistics;
    std::vector<std::string> reports;
};

const pica::Trace& stream()
{
    static const pica::Result<pica::Trace> trace = []
    {
        std::ifstream file(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/s_shadow.ctf",
                           std::ios::binary);
        return pica::Trace::parse(std::vector<u8>(std::istreambuf_iterator<char>(file), {}));
    }();
    REQUIRE(trace);
    return *trace;
}

// Both backends, each on its own memory.
struct Backends
{
    explicit Backends(pica::Report& report)
        : software_arena(stream().memory()), vulkan_arena(stream().memory()),
          software(software_arena.memory(), report, {})
    {
    }
    pica::GuestArena software_arena, vulkan_arena;
    pica::SoftwareCore software;
    std::unique_ptr<renderer::Renderer> vulkan;
};

// One life of a renderer. It plays a stream beside the software core, and no byte may differ.
Run run(renderer::Options options)
{
    options.validation = true;
    options.rehearsal = renderer::RehearsalChoice::Never;
    KeptReport report;
    const auto backends = std::make_shared<Backends>(report);
    auto made = renderer::Renderer::create(options, backends->vulkan_arena.memory(), report);
    REQUIRE(made);
    backends->vulkan = std::move(*made);
    backends->vulkan->finish_pipelines(); // those of the title
    pica::BackendPair pair;
    pair.first = &backends->software;
    pair.second = backends->vulkan.get();
    pair.owner = backends;
    const auto result = pica::compare_trace(
        stream(), pica::CompareAt::Frame, [&]() -> pica::Result<pica::BackendPair> { return pair; }, report);
    REQUIRE(result);
    CHECK_FALSE(result->difference);
    CHECK(result->draws > 0);
    backends->vulkan->finish_pipelines();
    CHECK(backends->vulkan->status());
    for (const std::string& message : backends->vulkan->validation_messages())
        FAIL_CHECK(message);
    return {backends->vulkan->statistics(), report.lines};
}

renderer::Options at_once(Storage& storage, const std::string& title = "title")
{
    renderer::Options options;
    options.ubershader = renderer::UbershaderChoice::Never;
    options.vertex_executor = renderer::VertexExecutorChoice::Compute;
    options.cache = storage.options(title);
    return options;
}

renderer::Options later(Storage& storage, const std::string& title = "title")
{
    renderer::Options options;
    options.fallback = renderer::FallbackChoice::Ubershader;
    options.vertex_executor = renderer::VertexExecutorChoice::Compute;
    options.cache = storage.options(title);
    return options;
}

u32 reports_about(const std::vector<std::string>& reports, const std::string& cause)
{
    return static_cast<u32>(std::count_if(
        reports.begin(), reports.end(), [&](const std::string& line) { return line.rfind(cause, 0) == 0; }));
}

// Changes a record in one of the ways in which files go bad.
void damage(std::vector<u8>& record, Random& random, const std::vector<u8>& other)
{
    const u32 at = random.below(static_cast<u32>(record.size()));
    switch (random.below(6))
    {
    case 0: // one bit
        record[at] ^= static_cast<u8>(1u << random.below(8));
        break;
    case 1: // cut off
        record.resize(at);
        break;
    case 2: // pages that were never written
        std::fill(record.begin() + at, record.end(), u8{0});
        break;
    case 3: // of another key
        record = other;
        break;
    case 4: // bytes
        for (u32 i = 0; i < 1 + random.below(16); i++)
            record[random.below(static_cast<u32>(record.size()))] ^= static_cast<u8>(1 + random.below(255));
        break;
    default: // longer
        record.insert(record.begin() + at, 1 + random.below(64), static_cast<u8>(random.next()));
        break;
    }
}

} // namespace

TEST_CASE("disk cache: a second run generates nothing and a title's pipelines are there before its draws")
{
    Storage storage;
    const Run first = run(later(storage));
    CHECK(first.statistics.loaded_modules == 0);
    CHECK(first.statistics.warmed_pipelines == 0);
    // Two workers may have made the same module.
    CHECK(first.statistics.cache_written >= storage.count("spirv") + storage.count("selftest"));
    CHECK(storage.count("spirv") >= first.statistics.shader_modules); // and those of transfers
    CHECK(storage.count("title") == 1);

    const Run second = run(later(storage));
    CHECK(second.statistics.shader_ms == 0);
    CHECK(second.statistics.loaded_modules == second.statistics.shader_modules);
    CHECK(second.statistics.cache_misses <= 1); // some drivers have no pipelines to keep
    CHECK(second.statistics.cache_written == 0);
    CHECK(second.statistics.warmed_pipelines > 4);
    CHECK(second.statistics.ubershader_draws == 0); // each draw found its own pipeline
    CHECK(second.statistics.ubershader_waits == 0);

    // Another title: the shaders are there, the list is not.
    const Run other = run(later(storage, "other"));
    CHECK(other.statistics.shader_ms == 0);
    CHECK(other.statistics.warmed_pipelines == 0);
    CHECK(storage.count("title") == 2);
}

TEST_CASE("disk cache: storage that cannot be written is told of once")
{
    Storage storage;
    storage.writable = false;
    const Run first = run(at_once(storage));
    CHECK(storage.records.empty());
    CHECK(first.statistics.cache_written == 0);
    CHECK(reports_about(first.reports, "the disk cache cannot be written") == 1);
}

TEST_CASE("disk cache: damaged records change no byte")
{
    Storage storage;
    (void)run(at_once(storage));
    (void)run(later(storage));
    const Storage good = storage;
    const u32 wanted = is_long_run() ? 10000 : 150;
    u32 damaged = 0, refused = 0;
    SeedRange lives{0, 0};
    const bool chosen = chosen_seeds(lives);
    for (u32 seed = lives.first; chosen ? seed - lives.first < lives.count : damaged < wanted; seed++)
    {
        INFO("life ", seed);
        Random random(seed);
        storage.records = good.records;
        const u32 share = random.below(4) + 1; // of four records
        u32 in_this_life = 0;
        std::mutex mutex;
        storage.damage = [&](const std::string&, std::vector<u8>& record)
        {
            const std::lock_guard lock(mutex);
            if (!random.chance(share, 4))
                return;
            const std::vector<u8> before = record;
            auto other = good.records.begin();
            std::advance(other, random.below(static_cast<u32>(good.records.size())));
            damage(record, random, other->second);
            if (record == before)
                return;
            in_this_life += record.empty() ? 0 : 1;
            damaged++;
        };
        const Run life = run(random.chance(1, 2) ? at_once(storage) : later(storage));
        CHECK(life.statistics.cache_refused <= in_this_life);
        refused += static_cast<u32>(life.statistics.cache_refused);
        if (life.statistics.cache_refused != 0)
            CHECK(reports_about(life.reports, "a record of the disk cache is not used") >= 1);
    }
    MESSAGE(damaged, " damaged records were read, ", refused, " refused");
    CHECK(refused >= damaged / 2);
}
