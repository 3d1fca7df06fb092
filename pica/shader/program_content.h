// SPDX-License-Identifier: MIT
// What a program is, told apart by content alone: every content in use has a number that no other content of
// the process ever had. Caches hold the number, so no chosen words can make one program pass for another, as
// they can with a hash. Tests: tests/pica/program_identity_test.cpp
#pragma once

#include "pica/base/types.h"

#include <memory>
#include <vector>

namespace pica
{

// Immutable.
struct ProgramContent
{
    std::vector<u32> words;
    // A name of the words for people, the same on every host. Different words may have the same one.
    u64 hash = 0;
    // From 1 on, never used again.
    u64 id = 0;
};

// The one content of these words. It lives as long as somebody holds it; words that were forgotten get a new
// number. Any thread may call it.
std::shared_ptr<const ProgramContent> intern_program(std::vector<u32> words);

} // namespace pica
