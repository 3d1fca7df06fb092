// SPDX-License-Identifier: MIT
// What a file of results says about each rule.
#pragma once

#include "samples/probe/results.h"
#include "samples/probe/rules.h"

#include <string>
#include <vector>

namespace samples
{

struct Verdict
{
    std::string probe;
    // "ours", the name of an alternative, "none" (the bytes are new), "hung", "refused" (by the system), "not run".
    std::string choice;
    bool has_answer = false;
    pica::u32 microseconds = 0;           // that it took on the console
    pica::u32 error = 0;                  // of the system, where it refused
    pica::u64 digest = 0;                 // of the answer
    pica::u32 bytes = 0;                  // of the answer
    pica::u32 differing = 0;              // bytes that are not picavk's
    pica::u32 first = 0;                  // place of the first of them
    std::string console_bytes, our_bytes; // 16 from there on, in hexadecimal; empty where nothing differs
};

std::vector<Verdict> judge(const std::vector<Probe>& probes, const ProbeResults& results);
// The same for many files: `ours` are picavk's answers, in the order of the probes.
std::vector<Verdict> judge(const std::vector<Probe>& probes, const ProbeResults& results,
                           const std::vector<std::vector<pica::u8>>& ours);

std::string judge_text(const std::vector<Verdict>& verdicts, const ProbeResults& results);
std::string judge_html(const std::vector<Verdict>& verdicts, const ProbeResults& results);

} // namespace samples
