// SPDX-License-Identifier: MIT
// Runs of the program for the console (console.h), and what its file says, for the tests of this folder.
#pragma once

#include "samples/probe/judge.h"
#include "samples/probe/probes.h"
#include "tests/console/console.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tests
{

// Files by their paths.
using Card = std::map<std::string, std::vector<pica::u8>>;
inline constexpr const char* kFile = "/picavk-probe.bin";

// The bytes of the .3dsx file.
std::vector<pica::u8> program();
// All probes, and picavk's answers to them. Made once.
const std::vector<samples::Probe>& the_probes();
const std::vector<std::vector<pica::u8>>& our_answers();

std::vector<samples::Verdict> verdicts_of(const samples::ProbeResults& results);
// Fails the test if the file is refused, or is of another console.
std::vector<samples::Verdict> judged(const std::vector<pica::u8>& file,
                                     const std::string& console = "New Nintendo 3DS XL");
std::size_t count_choice(const std::vector<samples::Verdict>& verdicts, const char* choice);

// A card with a run that was not finished: picavk's answers, but for the probes of which `open` is true.
Card card_without(const std::function<bool(const samples::Probe& probe, std::size_t number)>& open);
// The first `count` probes and the three last ones before those that may hang are still to be asked.
Card short_card(std::size_t count = 3);
// Ends without a mistake, and without a word of what nobody did.
ConsoleRun run_on(Card& card, const ConsoleOptions& options);
// A line of the bottom screen, in the letters of glyphs.h.
std::string text_line(const std::vector<pica::u8>& screen, pica::u32 line);

} // namespace tests
