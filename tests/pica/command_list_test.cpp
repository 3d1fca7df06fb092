// SPDX-License-Identifier: MIT
#include "pica/command/command_list.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace pica;

namespace
{

struct Read
{
    std::vector<RegisterWrite> writes;
    bool truncated = false;
};

Read read(const std::vector<u32>& words)
{
    Read r;
    CommandListReader reader{std::span<const u32>(words)};
    RegisterWrite write;
    while (reader.next(write))
        r.writes.push_back(write);
    r.truncated = reader.is_truncated();
    return r;
}

} // namespace

TEST_CASE("command list: FINALIZE and the strip topology")
{
    const Read r = read({0x12345678, 0x000F0010, 0x00000100, 0x0002025E});
    REQUIRE(r.writes.size() == 2);
    CHECK(r.writes[0] == RegisterWrite{0x010, 0x12345678, 0xF});
    CHECK(r.writes[1] == RegisterWrite{0x25E, 0x100, 2});
    CHECK_FALSE(r.truncated);
}

TEST_CASE("command list: 8 consecutive words from 0x04F and one of padding")
{
    const Read r = read({0, 0x807F004F, 1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF, 8, 0x000F0040});
    REQUIRE(r.writes.size() == 9);
    for (u32 i = 0; i < 8; ++i)
        CHECK(r.writes[i] == RegisterWrite{0x04F + i, i, 0xF});
    CHECK(r.writes[8] == RegisterWrite{0x040, 8, 0xF});
}

TEST_CASE("command list: without the consecutive bit all parameters go to one register")
{
    const Read r = read({1, 0x002F0233, 2, 3});
    REQUIRE(r.writes.size() == 3);
    CHECK(r.writes[2] == RegisterWrite{0x233, 3, 0xF});
}

TEST_CASE("command list: the parameter count has 8 bits and ids keep all 16")
{
    std::vector<u32> words = {0, 0x70000000u | 0xFFu << 20 | 0xFu << 16 | 0xFFFF};
    words.resize(2 + 255 + 1);
    const Read r = read(words);
    CHECK(r.writes.size() == 256);
    CHECK(r.writes[0].id == 0xFFFF);
    CHECK_FALSE(r.truncated);
}

TEST_CASE("command list: words that exist are delivered, the missing ones end the list")
{
    const Read r = read({1, 0x804F0100, 2, 3});
    CHECK(r.writes.size() == 3);
    CHECK(r.truncated);
    CHECK(read({1}).truncated);
    CHECK(read({1}).writes.empty());
    CHECK(read({}).writes.empty());
    CHECK_FALSE(read({}).truncated);
}

TEST_CASE("command list: the words for one register can be taken together, as far as they exist")
{
    RegisterWrite write;
    const std::vector<u32> repeated = {1, 0x003F0233, 2, 3, 4, 0, 5, 0x000F0040};
    CommandListReader reader(repeated);
    CHECK(reader.take_repeats().empty()); // no command has begun
    REQUIRE(reader.next(write));
    const std::span<const u32> words = reader.take_repeats();
    CHECK(std::vector<u32>(words.begin(), words.end()) == std::vector<u32>{2, 3, 4});
    CHECK(reader.position().remaining == 0);
    CHECK(reader.take_repeats().empty());
    REQUIRE(reader.next(write));
    CHECK(write == RegisterWrite{0x040, 5, 0xF});

    // Half of them were delivered one by one, before a saved state.
    CommandListReader first(repeated);
    REQUIRE(first.next(write));
    REQUIRE(first.next(write));
    CommandListReader resumed(repeated, first.position());
    CHECK(resumed.take_repeats().size() == 2);

    const std::vector<u32> consecutive = {1, 0x803F0233, 2, 3, 4, 0};
    CommandListReader other(consecutive);
    REQUIRE(other.next(write));
    CHECK(other.take_repeats().empty());
    REQUIRE(other.next(write));
    CHECK(write == RegisterWrite{0x234, 2, 0xF});

    const std::vector<u32> cut = {1, 0x007F0233, 2, 3};
    CommandListReader last(cut);
    REQUIRE(last.next(write));
    CHECK(last.take_repeats().size() == 2);
    CHECK_FALSE(last.is_truncated());
    CHECK_FALSE(last.next(write));
    CHECK(last.is_truncated());
}

TEST_CASE("command list: whole commands of plain registers are taken together, and nothing is lost or moved")
{
    std::mt19937 random(7);
    u64 all_taken = 0;
    const auto is_plain = [](u32 id) { return id < 0x300 && id % 5 != 0; };
    for (u32 round = 0; round < 2000; ++round)
    {
        std::vector<u32> words(random() % 40);
        for (u32& word : words)
        {
            const u32 more = random() % 4 == 0 ? random() % 6 : 0;
            word = (random() % 2) << 31 | more << 20 | (random() % 16) << 16 | random() % 0x310;
        }
        const Read expected = read(words);

        Read r;
        CommandListReader reader{std::span<const u32>(words)};
        RegisterWrite write;
        for (;;)
        {
            const std::size_t before = r.writes.size();
            const auto add = [&](u32 id, u32 value, u32 byte_mask)
            {
                CHECK(is_plain(id));
                r.writes.push_back({id, value, byte_mask});
            };
            const u32 count = reader.take_plain(is_plain, add);
            CHECK(r.writes.size() - before == count);
            all_taken += count;
            // As from a state that was saved here.
            reader = CommandListReader(words, reader.position());
            if (!reader.next(write))
                break;
            r.writes.push_back(write);
        }
        r.truncated = reader.is_truncated();
        CHECK(r.writes == expected.writes);
        CHECK(r.truncated == expected.truncated);
    }
    CHECK(all_taken > 5000);
    const std::vector<u32> plain = {1, 0x000F0041, 2, 0x802F0042, 3, 4};
    CommandListReader whole(plain);
    CHECK(whole.take_plain([](u32) { return true; }, [](u32, u32, u32) {}) == 4);
    RegisterWrite write;
    CHECK_FALSE(whole.next(write));
}
