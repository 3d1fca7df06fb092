// SPDX-License-Identifier: MIT
// Reads CiTrace files (.ctf). Source: pica/hardware/citrace.md, and FORMAT.md beside this file. Tests:
// tests/pica/ctf_test.cpp.
#pragma once

#include "pica/trace/trace.h"

namespace pica
{

// Does a file with these bytes claim to be one?
bool is_ctf(std::span<const u8> bytes);

// Parses and checks a whole file, as Trace::parse.
Result<TraceContents> read_ctf(std::vector<u8> file);

} // namespace pica
