// SPDX-License-Identifier: MIT
// The list of what a title draws with: it comes back, it is bounded, and no content of a record can do harm.
#include "renderer/cache/cache_options.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/pipelines/title_states.h"
#include "tests/support/programs/random_program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace tests;
using namespace renderer;

namespace
{

struct Kept
{
    Kept()
    {
        CacheOptions options;
        options.load = [this](const std::string& name) { return records[name]; };
        options.store = [this](const std::string& name, std::span<const u8> bytes)
        {
            records[name].assign(bytes.begin(), bytes.end());
            return true;
        };
        disk = DiskCache::create(options);
    }
    std::map<std::string, std::vector<u8>> records;
    std::unique_ptr<DiskCache> disk;
};

DrawStateKey state(u32 number)
{
    DrawStateKey key;
    key.layout.words = static_cast<u8>(12 + number % 5 * 12);
    key.fragment.output = OutputClass::Opaque;
    key.fragment.texture[0].texcoord = static_cast<u8>(number);
    key.fragment.texture[1].texcoord = static_cast<u8>(number >> 8);
    return key;
}

constexpr PassKey kPass{shadergen::ColorOutput::Uint, 1, 1, BlendPath::RasterOrder};

// Programs of both units, with the oddest control flow.
Program program(u32 number)
{
    Random random(number);
    const RandomFlow flow = number % 3 == 0   ? RandomFlow::Structured
                            : number % 3 == 1 ? RandomFlow::Wild
                                              : RandomFlow::Noise;
    if (number % 2 == 0)
        return Program(random_program(random, flow), number * 5, ShaderStage::Vertex);
    constexpr u8 kPositions[] = {1, 2, 3};
    return Program(random_geometry_program(random, flow, kPositions), number, ShaderStage::Geometry);
}

} // namespace

TEST_CASE("title states: what one run used comes back in the next")
{
    Kept kept;
    const std::vector<u8> key{1, 2, 3}, program_key(32, 5);
    {
        TitleStates title(*kept.disk, key);
        CHECK(title.draws().empty());
        for (u32 i = 0; i < 20; i++)
            title.use(state(i), kPass);
        for (u32 i = 0; i < 40; i++)
            title.use(static_cast<u8>(i % 5), program_key, program(i));
        title.use(state(3), kPass); // again
        CHECK(title.additions() == 60);
        title.save_job()();
    }
    TitleStates title(*kept.disk, key);
    const auto draws = title.draws();
    REQUIRE(draws.size() == 20);
    for (u32 i = 0; i < 20; i++)
    {
        CHECK(draws[i].state == state(i));
        CHECK(draws[i].pass == kPass);
    }
    const auto programs = title.programs();
    REQUIRE(programs.size() == 40);
    for (u32 i = 0; i < 40; i++)
    {
        const Program again = program(i);
        CHECK(programs[i].program->id() == again.id());
        CHECK(programs[i].kind == i % 5);
        CHECK(programs[i].key == program_key);
    }
    title.use(state(3), kPass);
    CHECK(title.additions() == 0);
    CHECK(TitleStates(*kept.disk, {1, 2, 4}).draws().empty());
}

TEST_CASE("title states: the list is bounded and keeps what was used last")
{
    Kept kept;
    const std::vector<u8> key{9};
    for (u32 run = 0; run < 6; run++)
    {
        TitleStates title(*kept.disk, key);
        title.use(state(0), kPass); // in every run
        for (u32 i = 0; i < 150; i++)
            title.use(state(1 + run * 150 + i), kPass);
        title.save_job()();
    }
    const auto draws = TitleStates(*kept.disk, key).draws();
    CHECK(draws.size() <= TitleStates::kMostEntries);
    CHECK(draws.size() >= 150);
    u32 last = 0, always = 0;
    for (const auto& draw : draws)
        for (u32 i = 0; i < 150; i++)
            last += draw.state == state(1 + 5 * 150 + i) ? 1 : 0;
    for (const auto& draw : draws)
        always += draw.state == state(0) ? 1 : 0;
    CHECK(last == 150);
    CHECK(always == 1);
}

// Such content does not come from a run: the checksum is right, and the bytes are not.
TEST_CASE("title states: content with a right checksum and wrong bytes is survived")
{
    Kept kept;
    const std::vector<u8> key{1};
    std::vector<u8> good;
    {
        TitleStates title(*kept.disk, key);
        for (u32 i = 0; i < 8; i++)
            title.use(state(i), kPass);
        for (u32 i = 0; i < 8; i++)
            title.use(static_cast<u8>(i % 5), std::vector<u8>(32, 1), program(i));
        title.save_job()();
        good = *kept.disk->find("title", key);
    }
    u32 lost = 0;
    for_each_seed(400,
                  [&](u32, Random& random)
                  {
                      std::vector<u8> content = good;
                      for (u32 i = 0; i < 1 + random.below(8); i++)
                          content[random.below(static_cast<u32>(content.size()))] =
                              static_cast<u8>(random.chance(1, 2) ? random.next() : 0xFF);
                      if (random.chance(1, 4))
                          content.resize(random.below(static_cast<u32>(content.size())));
                      kept.disk->keep("title", key, content);
                      TitleStates title(*kept.disk, key);
                      for (const auto& draw : title.draws())
                      {
                          CHECK(draw.state.output.depth_func <= CompareFunc::GreaterOrEqual);
                          CHECK(draw.pass.has_color <= 1);
                      }
                      for (const auto& entry : title.programs())
                          CHECK(entry.program->content().size() >= 3);
                      lost += title.draws().size() + title.programs().size() < 16 ? 1 : 0;
                  });
    CHECK(lost > 0);
}
