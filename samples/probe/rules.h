// SPDX-License-Identifier: MIT
// The table of rules that nobody has measured on the console: where each is in the product, how sure it is, which probe
// asks for it, and what else the answer may be. tests/probe/rules_test.cpp holds it against pica/design.md and
// pica/hardware/open-questions.md.
#pragma once

#include "pica/base/types.h"

#include <span>
#include <string_view>

namespace samples
{

struct Rule
{
    // A heading of "The one rule for each step" in pica/design.md.
    std::string_view step;
    // A question of pica/hardware/open-questions.md, or one of our own words where the list has none.
    std::string_view question;
    // What picavk does.
    std::string_view ours;
    // EMU, ASSUMED or ours; HW where a console has answered.
    std::string_view grade;
    // File and function.
    std::string_view file, function;
    // Name of the probe that asks. Empty: no program on the console can tell.
    std::string_view probe;
    // Why not, in one sentence.
    std::string_view why_not = {};
};

// What else a probe's answer may be, as computed by the scalar reference of the tests with one rule exchanged.
struct Alternative
{
    std::string_view probe;
    std::string_view name; // "round to nearest"; "ours" is picavk's rule
    pica::u64 digest;      // of the answer
};

std::span<const Rule> rules();
// Written by the tests (PICAVK_UPDATE_GOLDEN=1), samples/probe/alternatives.inc.
std::span<const Alternative> alternatives();

} // namespace samples
