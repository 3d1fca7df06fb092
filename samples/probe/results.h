// SPDX-License-Identifier: MIT
// A file of results, as the program for the console writes it (pack_format.h).
#pragma once

#include "pica/base/result.h"
#include "samples/probe/probe.h"

#include <string>
#include <vector>

namespace samples
{

struct ProbeAnswer
{
    probe_format::ProbeStatus status = probe_format::kNotRun;
    pica::u32 microseconds = 0;
    std::vector<pica::u8> bytes;
};

struct ProbeResults
{
    probe_format::ResultHeader header{};
    std::vector<ProbeAnswer> answers; // in the order of the probes

    std::string console() const;  // "New Nintendo 3DS XL"
    std::string firmware() const; // "kernel 2.58-0, firmware 2.58-0"
    bool is_complete() const { return header.complete != 0; }
};

// Refuses files that were cut or edited, or belong to other probes; the message says what to do. A run that was not
// finished is read as far as it went.
pica::Result<ProbeResults> read_results(const std::vector<pica::u8>& file, const std::vector<Probe>& probes);

} // namespace samples
