// SPDX-License-Identifier: MIT
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace tests
{

namespace
{

using Compare = ConformanceMachine::Compare;

constexpr u32 kFailuresKept = 3; // then the suite stops: they mostly have one cause
// Then a fresh renderer: a software rasteriser keeps megabytes of code per pipeline.
constexpr u32 kSeedsPerMachine = 50;
constexpr std::array kShaders = {Shaders::Ubershader, Shaders::Specialised, Shaders::Mixed,
                                 Shaders::UbershaderFirst, Shaders::SoftwareFirst};
// Slow builds run a share of the seeds at N times the resolution: there it is the renderers that take long, one for each variant.
constexpr u32 kScaledSeedsOfSlowBuilds = 8;
constexpr u32 kShaderPeriod = 7; // shares nothing with the number of variants

Shaders shaders_of(const Suite& suite, u32 seed)
{
    if (suite.all_shaders)
        return *suite.all_shaders;
    const u32 phase = seed % kShaderPeriod;
    if (phase == 4)
        return Shaders::Mixed;
    return (phase == 1) != suite.mostly_specialised ? Shaders::Specialised : Shaders::Ubershader;
}

const char* name_of(Compare compare)
{
    constexpr std::array kNames = {"after each operation", "after each list", "at the end of the frame",
                                   "at the end"};
    return kNames[u32(compare)];
}

struct Totals
{
    Coverage coverage;
    std::array<u32, kShaders.size()> seeds{};
    u32 changed = 0;
    u32 failures = 0;
    u64 draws = 0;
    u64 reference_draws = 0;
    u64 engine_operations = 0;
    u64 bytes = 0; // compared
    u64 differing = 0;
    std::array<u32, 3> compared{}; // seeds by Compare
    u64 pictures_transferred = 0, pictures_sampled = 0;

    u32 all_seeds() const { return std::accumulate(seeds.begin(), seeds.end(), 0u); }
    void add(const ConformanceMachine& machine)
    {
        draws += machine.draws();
        reference_draws += machine.reference_draws();
        engine_operations += machine.engine_operations();
        bytes += machine.bytes_compared();
        pictures_transferred += machine.pictures_transferred();
        pictures_sampled += machine.pictures_sampled();
    }
};

std::string run_seed(ConformanceMachine& machine, const Suite& suite, u32 seed, Compare compare,
                     u64 compare_after = 0)
{
    Random random(seed);
    machine.begin_seed(random, compare, compare_after);
    suite.generate(machine, random);
    machine.end_seed();
    return machine.failure();
}

SeedRange suite_seeds(const Suite& suite)
{
    SeedRange range{0, is_long_run() ? std::max(suite.long_seeds, suite.seeds) : suite.seeds};
    range.count = std::max(1u, u32(std::lround(range.count * seed_scale())));
    return range;
}

// The seeds of one variant with one kind of shaders: they share a renderer.
class Group
{
public:
    Group(const Suite& suite, const Variant& variant, Shaders shaders, Totals& totals)
        : suite_(suite), variant_(variant), shaders_(shaders), totals_(totals)
    {
    }
    ~Group() { retire(); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

    void run(u32 seed)
    {
        // Independent of the variant and, over many seeds, of the shaders.
        const auto share = static_cast<Compare>(seed / u32(suite_.variants.size()) % 3);
        for (const Compare compare : {Compare::EachOperation, Compare::EachList, Compare::AtFrame})
            if (compare == share || (is_long_run() && seed < suite_.seeds))
                run(seed, compare);
    }

private:
    void run(u32 seed, Compare compare)
    {
        if (machine_ && seeds_ % kSeedsPerMachine == 0)
            retire();
        if (!machine_)
            machine_ = std::make_unique<ConformanceMachine>(variant_, shaders_, suite_.fields,
                                                            suite_.vram_bytes, suite_.more_regions);
        if (suite_.reference)
            machine_->check_with_reference();
        machine_->exchange_carryover(exchanges(seed));
        ++seeds_;
        const std::string failure = run_seed(*machine_, suite_, seed, compare);
        totals_.seeds[u32(shaders_)]++;
        totals_.compared[u32(compare)]++;
        totals_.changed += machine_->changed_memory() ? 1 : 0;
        if (failure.empty())
            return;
        totals_.failures++;
        totals_.differing += machine_->differing_bytes();
        retire();
        const std::string more = explain(seed, compare, failure);
        FAIL_CHECK("conformance ", std::string(suite_.name), ": seed ", seed, ", variant ",
                   std::string(variant_.name), ", ", std::string(name_of(shaders_)), " shaders, compared ",
                   std::string(name_of(compare)), ", repeat with: ", repeat_command(seed), "\n", more);
    }

    void retire()
    {
        if (!machine_)
            return;
        totals_.coverage.merge(machine_->coverage());
        totals_.add(*machine_);
        machine_.reset();
    }

    // Half of the seeds of each variant.
    bool exchanges(u32 seed) const { return suite_.carryover && seed / u32(suite_.variants.size()) % 2 != 0; }

    struct Alone
    {
        std::string failure;
        u64 operations;
        u64 differing; // operation
    };
    // The seed on a fresh renderer.
    Alone alone(u32 seed, Compare compare, u64 compare_after = 0) const
    {
        ConformanceMachine machine(variant_, shaders_, suite_.fields, suite_.vram_bytes, suite_.more_regions);
        if (suite_.reference)
            machine.check_with_reference();
        machine.exchange_carryover(exchanges(seed));
        const std::string failure = run_seed(machine, suite_, seed, compare, compare_after);
        return {failure, machine.operations(), machine.differing_operation()};
    }

    // Says more where the seed fails alone, too: compared after each operation, or narrowed down by runs that
    // compare once.
    std::string explain(u32 seed, Compare compare, const std::string& failure) const
    {
        if (const Alone precise = alone(seed, Compare::EachOperation); !precise.failure.empty())
            return precise.failure;
        const Alone again = alone(seed, compare);
        if (compare == Compare::EachOperation || again.failure.empty())
            return failure + "\nIt does not fail alone: repeat it with the seeds before it "
                             "(PICAVK_SEED=first..last)";
        const std::string hides = "\nIt does not fail when each operation is compared.";
        if (alone(seed, compare, again.operations).differing != again.operations)
            return failure + hides;
        const u64 found = first_differing_operation(0, again.operations,
                                                    [&](u64 operation)
                                                    {
                                                        const u64 differing =
                                                            alone(seed, compare, operation).differing;
                                                        return differing != 0 && differing <= operation;
                                                    });
        return alone(seed, compare, found).failure + hides + " Narrowed down to operation " +
               std::to_string(found) + " by comparing once.";
    }

    const Suite& suite_;
    const Variant& variant_;
    Shaders shaders_;
    Totals& totals_;
    std::unique_ptr<ConformanceMachine> machine_;
    u32 seeds_ = 0;
};

} // namespace

void run_suite(const Suite& suite)
{
    const u32 variants = u32(suite.variants.size());
    REQUIRE(variants % kShaderPeriod != 0);
    SeedRange range = suite_seeds(suite);
    const bool chosen = chosen_seeds(range);
    std::vector<u32> seeds(range.count);
    std::iota(seeds.begin(), seeds.end(), range.first);
    if (!chosen)
        for (const u32 seed : suite.found)
            if (seed >= range.count)
                seeds.push_back(seed);
    const auto begin = std::chrono::steady_clock::now();
    Totals totals;
    for (u32 variant = 0; variant < variants; ++variant)
        for (const Shaders shaders : kShaders)
        {
            Group group(suite, suite.variants[variant], shaders, totals);
            for (const u32 seed : seeds)
                if (seed % variants == variant && shaders_of(suite, seed) == shaders &&
                    totals.failures < kFailuresKept)
                    group.run(seed);
        }

    totals.coverage.require(suite.fields);
    if (suite.require != nullptr)
        suite.require(totals.coverage);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::string shares;
    for (const Shaders shaders : kShaders)
        if (const u32 count = totals.seeds[u32(shaders)]; count != 0)
            shares += (shares.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(shaders);
    std::printf("conformance %s: %u seeds (%s), %llu differing bytes, %llu draws, %llu fills and copies\n",
                suite.name, totals.all_seeds(), shares.c_str(),
                static_cast<unsigned long long>(totals.differing),
                static_cast<unsigned long long>(totals.draws),
                static_cast<unsigned long long>(totals.engine_operations));
    std::printf("%s: %s; %u seeds changed memory, %u failed; %llu MiB compared, %.1f s\n%s", suite.name,
                totals.coverage.summary().c_str(), totals.changed, totals.failures,
                static_cast<unsigned long long>(totals.bytes >> 20), seconds.count(),
                totals.coverage.text().c_str());
    std::printf(
        "%s: compared %u seeds after each operation, %u after each list, %u at the end of the frame with "
        "%llu pictures transferred and %llu sampled\n",
        suite.name, totals.compared[0], totals.compared[1], totals.compared[2],
        static_cast<unsigned long long>(totals.pictures_transferred),
        static_cast<unsigned long long>(totals.pictures_sampled));
    if (suite.reference)
        std::printf("%s: %llu draws equal to the scalar reference\n", suite.name,
                    static_cast<unsigned long long>(totals.reference_draws));
    CHECK(totals.all_seeds() > 0);
    CHECK((totals.reference_draws != 0) == suite.reference);
    // Vacuous runs prove nothing. Chosen seeds and small shares reach less.
    if (chosen || seed_scale() < 1.0 || totals.failures != 0)
        return;
    if (totals.all_seeds() >= 3 * variants)
        for (const u32 seeds_compared : totals.compared)
            CHECK(seeds_compared > 0);
    if (suite.needs_changes)
        CHECK(totals.changed * 3 >= totals.all_seeds());
    for (const std::string& missing : totals.coverage.missing())
        FAIL_CHECK("conformance ", std::string(suite.name), " no longer reaches ", missing);
}

void run_scaled_suite(Suite suite, u32 seeds)
{
    if (suite.variants.empty())
        suite.variants = std::span(kScaledVariants)
                             .first(is_long_run() ? std::size(kScaledVariants) : kShortScaledVariants);
    suite.seeds = seed_scale() < 1.0 ? kScaledSeedsOfSlowBuilds : seeds;
    suite.all_shaders = Shaders::Mixed;
    run_suite(suite);
}

} // namespace tests
