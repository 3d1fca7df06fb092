// SPDX-License-Identifier: MIT
// The identity of a program: its content. Every content in use has a number that no other content in this
// process ever had. Caches compare these numbers. With a hash instead, a guest could choose words that make
// one program pass for another. Tests: tests/pica/program_identity_test.cpp
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
    // A name of the words for people, equal on every host. Different words may share it.
    u64 hash = 0;
    // 1 or more; never reused.
    u64 id = 0;
};

// Returns the one object for these words. It exists as long as somebody holds it; words that nobody held get
// a new number. Thread-safe.
std::shared_ptr<const ProgramContent> intern_program(std::vector<u32> words);

} // namespace pica
