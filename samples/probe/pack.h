// SPDX-License-Identifier: MIT
// The pack: all probes as bytes for the console (pack_format.h).
#pragma once

#include "pica/base/result.h"
#include "samples/probe/probe.h"

#include <vector>

namespace samples
{

// Error: a probe breaks a rule of the format, for example sizes that are not multiples of 16.
pica::Result<std::vector<pica::u8>> write_pack(const std::vector<Probe>& probes);

} // namespace samples
