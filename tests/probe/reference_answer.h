// SPDX-License-Identifier: MIT
// What the scalar reference answers to a probe, with the rules that are exchanged.
#pragma once

#include "pica/base/types.h"
#include "samples/probe/probe.h"

#include <vector>

namespace tests
{

std::vector<pica::u8> reference_answer(const samples::Probe& probe);

} // namespace tests
