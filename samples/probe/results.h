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
    pica::u32 error = 0; // what the system said where it refused the work
};

struct ProbeResults
{
    probe_format::ResultHeader header{};
    std::vector<ProbeAnswer> answers; // in the order of the probes

    std::string console() const;  // "New Nintendo 3DS XL"
    std::string gpu() const;      // "GPU 00010000"
    std::string version() const;  // of the probes: "1234ABCD"
    std::string firmware() const; // "kernel 2.58-0, firmware 2.58-0"
    // Was every probe asked? The console may have been turned off before it said so in the header.
    bool is_complete() const;
};

// Refuses files that were cut or edited, or belong to other probes; the message says what to do. A run that was not
// finished is read as far as it went.
pica::Result<ProbeResults> read_results(const std::vector<pica::u8>& file, const std::vector<Probe>& probes);

} // namespace samples
