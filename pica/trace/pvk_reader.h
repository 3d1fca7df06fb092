// SPDX-License-Identifier: MIT
// Reads recordings of picavk's own format (.pvk). Source: FORMAT.md beside this file. Tests:
// tests/pica/pvk_test.cpp.
#pragma once

#include "pica/trace/trace.h"

namespace pica
{

// Parses and checks a whole file, as Trace::parse.
Result<TraceContents> read_pvk(std::vector<u8> file);

} // namespace pica
