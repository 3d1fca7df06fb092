// SPDX-License-Identifier: MIT
// A stream whose file was read, and what verbs say of a part that it does not have. Tests: tests/cli/pvk_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/trace/trace.h"

#include <string>
#include <vector>

namespace samples
{

// path: of the file, or kStandardInput. An error is one line that names it. Where the end of a recording is missing, a line
// on stderr says so, once for each path: what is left plays well, and may be taken for all there was.
pica::Result<pica::Trace> parse_stream(const std::string& path, std::vector<pica::u8> file);

// What is said of a frame or draw that is not there.
std::string no_frame_text(pica::u32 frame, pica::u32 frames);
std::string no_draw_text(pica::u32 frame, pica::u32 draw, pica::u64 draws);

} // namespace samples
