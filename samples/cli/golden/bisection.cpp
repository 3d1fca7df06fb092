// SPDX-License-Identifier: MIT
#include "samples/cli/golden/bisection.h"

#include "samples/cli/golden/divergence.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace samples
{

namespace
{

using Digests = std::array<std::vector<DigestEntry>, 2>;

// The blocks of a draw on both sides; why is not empty if a side has none.
struct Blocks
{
    std::array<std::optional<DigestEntry>, 2> of;
    std::string why;
};

// Nothing if the entries at this index are not draws on both sides.
std::optional<Blocks> find_blocks(Sides& sides, const Digests& digests, std::size_t index,
                                  renderer::CreateFailure* failure)
{
    for (const auto& digest : digests)
        if (index >= digest.size() || !digest[index].contains("draw"))
            return std::nullopt;
    Blocks blocks;
    for (std::size_t i = 0; i < 2; ++i)
    {
        const DigestEntry& entry = digests[i][index];
        auto found = sides[i].blocks({entry.at("frame"), entry.at("draw")}, failure);
        if (found)
            blocks.of[i] = std::move(*found);
        else if (blocks.why.empty())
            blocks.why = found.error().message;
    }
    return blocks;
}

void describe_blocks(DigestEntry& json, const Blocks& blocks)
{
    const auto& [a, b] = blocks.of;
    if (a && b)
    {
        const BlockDifference difference = compare_blocks(*a, *b);
        json["given"] = difference.given;
        json["registers"] = difference.registers;
        if (!difference.block.empty())
            json["block"] = difference.block;
    }
    else
    {
        json["no_blocks"] = blocks.why;
    }
    if (a)
        json["all_registers"]["a"] = registers_of(*a);
    if (b)
        json["all_registers"]["b"] = registers_of(*b);
}

// Of the ends of two frames: "top, memory".
std::string differing_parts(const DigestEntry& a, const DigestEntry& b)
{
    std::string parts;
    for (const auto& [name, value] : a.items())
        if (b.value(name, DigestEntry()) != value)
            parts += (parts.empty() ? "" : ", ") + name;
    return parts;
}

// A place in both digests.
DigestEntry describe_place(Sides& sides, const Digests& digests, std::size_t index,
                           renderer::CreateFailure* failure)
{
    DigestEntry json = {{"operation", index}, {"place", describe_entry(digests[0], index)}};
    for (std::size_t i = 0; i < 2; ++i)
        if (index < digests[i].size())
            json[i == 0 ? "a" : "b"] = digests[i][index];
    if (const auto blocks = find_blocks(sides, digests, index, failure))
    {
        describe_blocks(json, *blocks);
    }
    else if (index < digests[0].size() && index < digests[1].size())
    {
        const std::string what = digests[0][index].at("what");
        json["block"] = what == "frame" ? differing_parts(digests[0][index], digests[1][index]) : what;
    }
    return json;
}

} // namespace

pica::Result<DigestEntry> bisect(Sides sides, renderer::CreateFailure* failure)
{
    Digests digests;
    for (std::size_t i = 0; i < 2; ++i)
    {
        auto digest = sides[i].digest(failure);
        if (!digest)
            return digest.error();
        digests[i] = std::move(*digest);
    }
    const std::string at[] = {digests[0][0].value("at", ""), digests[1][0].value("at", "")};
    if (at[0] != at[1])
        return pica::Error{"one digest was made --at " + at[0] + ", the other --at " + at[1]};
    const pica::u64 scale[] = {digests[0][0].value("scale", pica::u64{1}),
                               digests[1][0].value("scale", pica::u64{1})};
    if (scale[0] != scale[1])
        return pica::Error{sides[0].text() + " is at --scale " + std::to_string(scale[0]) + ", " +
                           sides[1].text() + " at --scale " + std::to_string(scale[1])};
    if (digests[0].size() == 1 && digests[1].size() == 1)
        return pica::Error{sides[0].text() + " and " + sides[1].text() +
                           ": neither has an operation or a frame, so there is nothing to compare"};
    const auto state = first_difference_of_state(digests[0], digests[1]);
    const auto results = first_difference(digests[0], digests[1]);
    DigestEntry json = {{"picavk_bisect", 1},
                        {"a", sides[0].text()},
                        {"b", sides[1].text()},
                        {"operations", digests[0].size() - 1},
                        {"scale", scale[0]},
                        {"is_truncated", digests[0][0].value("is_truncated", false) ||
                                             digests[1][0].value("is_truncated", false)},
                        {"equal", !state}};
    if (state && state != results)
        json["state"] = describe_place(sides, digests, *state, failure);
    if (results)
        json["results"] = describe_place(sides, digests, *results, failure);
    return json;
}

} // namespace samples
