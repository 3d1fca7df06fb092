// SPDX-License-Identifier: MIT
#include "samples/cli/golden/divergence.h"

#include <algorithm>
#include <functional>

namespace samples
{

namespace
{

std::optional<std::size_t>
first_where(const std::vector<DigestEntry>& a, const std::vector<DigestEntry>& b,
            const std::function<bool(const DigestEntry&, const DigestEntry&)>& differ)
{
    // The first entry describes the digest itself.
    for (std::size_t i = 1; i < std::max(a.size(), b.size()); ++i)
        if (i >= a.size() || i >= b.size() || differ(a[i], b[i]))
            return i;
    return std::nullopt;
}

bool is_given(const std::string& block)
{
    return block == "registers" || block == "tables" || block == "fixed attributes" ||
           block == "vertex data" || block == "target before the draw" || block.ends_with(" program") ||
           block.ends_with(" uniforms") || block.ends_with(" in memory");
}

const DigestEntry* find_block(const DigestEntry& side, const std::string& name)
{
    for (const DigestEntry& block : side.at("blocks"))
        if (block.at("block") == name)
            return &block;
    return nullptr;
}

} // namespace

std::optional<std::size_t> first_difference(const std::vector<DigestEntry>& a,
                                            const std::vector<DigestEntry>& b)
{
    return first_where(a, b,
                       [](DigestEntry x, DigestEntry y)
                       {
                           x.erase("state");
                           y.erase("state");
                           return x != y;
                       });
}

std::optional<std::size_t> first_difference_of_state(const std::vector<DigestEntry>& a,
                                                     const std::vector<DigestEntry>& b)
{
    return first_where(a, b, [](const DigestEntry& x, const DigestEntry& y) { return x != y; });
}

std::string describe_entry(const std::vector<DigestEntry>& digest, std::size_t index)
{
    if (index >= digest.size())
        return "the end";
    const DigestEntry& entry = digest[index];
    const std::string frame = "frame " + std::to_string(entry.value("frame", 0));
    const std::string what = entry.value("what", "");
    if (what == "frame")
        return "the end of " + frame;
    if (entry.contains("draw"))
        return "draw " + std::to_string(entry.at("draw").get<pica::u64>()) + " of " + frame;
    return what + ", operation " + std::to_string(index) + ", " + frame;
}

std::vector<std::string> registers_of(const DigestEntry& side)
{
    std::vector<std::string> registers;
    for (const DigestEntry& block : side.at("blocks"))
        if (block.contains("registers"))
            for (const auto& [id, text] : block.at("registers").items())
                registers.push_back(text);
    return registers;
}

BlockDifference compare_blocks(const DigestEntry& a, const DigestEntry& b)
{
    BlockDifference difference;
    for (const DigestEntry& block : a.at("blocks"))
    {
        const std::string name = block.at("block");
        const DigestEntry* other = find_block(b, name);
        // Recordings may use different blocks; what both have is compared.
        if (other == nullptr || other->at("hash") == block.at("hash"))
            continue;
        if (!is_given(name))
        {
            difference.block = name;
            break;
        }
        difference.given.push_back(name);
        if (!block.contains("registers") || !other->contains("registers"))
            continue;
        for (const auto& [id, text] : block.at("registers").items())
        {
            const std::string there = other->at("registers").value(id, "");
            if (there == text.get<std::string>())
                continue;
            difference.registers.push_back(text);
            difference.registers.push_back(there);
        }
    }
    return difference;
}

} // namespace samples
