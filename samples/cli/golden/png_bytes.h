// SPDX-License-Identifier: MIT
// A PNG file in memory.
#pragma once

#include "samples/cli/png_file.h"

namespace samples
{

pica::Result<std::vector<pica::u8>> encode_png(const Picture& picture);

} // namespace samples
