// SPDX-License-Identifier: MIT
// What `picavk info` says of one frame or of one draw.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace renderer
{
struct Options;
}

namespace samples
{

// The operations of the frame, and what changed before each draw. Returns the exit code.
int print_frame(const std::string& stream, pica::u32 frame, bool as_json);
// The state of the draw, and what changed since the draw before it. driver: who is asked about the draw's pipelines;
// null: nobody. scale: the resolution at which the
// pipelines draw.
int print_draw(const std::string& stream, pica::u32 frame, pica::u32 draw, bool as_json,
               const renderer::Options* driver, pica::u32 scale);

} // namespace samples
