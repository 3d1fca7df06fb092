// SPDX-License-Identifier: MIT
// Streams that a person names one by one or by their folder.
#pragma once

#include "pica/base/result.h"

#include <string>
#include <vector>

namespace samples
{

// The files, and of each folder its .pvk and .ctf files by name, without those of folders inside of it. Errors are one line:
// a folder that cannot be read or has no stream, or two streams of one name.
pica::Result<std::vector<std::string>> find_streams(const std::vector<std::string>& paths);

} // namespace samples
