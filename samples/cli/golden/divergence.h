// SPDX-License-Identifier: MIT
// Where two digests part, and where two lists of blocks do. Tests: tests/cli/bisect_test.cpp.
#pragma once

#include "samples/cli/golden/digest.h"

#include <optional>

namespace samples
{

// Index of the first entries that differ in what was done or in what it left behind; nothing if there are none.
std::optional<std::size_t> first_difference(const std::vector<DigestEntry>& a,
                                            const std::vector<DigestEntry>& b);
// Index of the first entries that differ in anything, also in the state that a draw is given.
std::optional<std::size_t> first_difference_of_state(const std::vector<DigestEntry>& a,
                                                     const std::vector<DigestEntry>& b);
// "draw 12, frame 1", "display transfer, operation 4, frame 0"; "the end" past the last entry.
std::string describe_entry(const std::vector<DigestEntry>& digest, std::size_t index);

// What the blocks of the same draw on two sides say.
struct BlockDifference
{
    // Blocks of what the draw is given that differ: registers, tables, memory.
    std::vector<std::string> given;
    // "TEXENV1_COMBINER = 0x...": of each register that differs A's, then B's.
    std::vector<std::string> registers;
    // The first block of the pipeline whose output differs; empty: none does.
    std::string block;
};
BlockDifference compare_blocks(const DigestEntry& a, const DigestEntry& b);
// All registers that a draw is given, by name and field.
std::vector<std::string> registers_of(const DigestEntry& side);

} // namespace samples
