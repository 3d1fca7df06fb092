// SPDX-License-Identifier: MIT
// Reading files that may be anything: very large, endless, or not regular files at all. Tests:
// tests/cli/bad_input_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <cstdio>
#include <functional>
#include <span>
#include <vector>

namespace pica
{

// Reads a file whose size is limited by its type. The first `magic_bytes` bytes are read alone and passed to
// most_bytes, which returns how many bytes a file that begins with them may have. If it returns 0, the file
// is of no known type, and only those first bytes are returned. Errors: the file cannot be read, or is
// larger. Their texts do not contain the file's name.
Result<std::vector<u8>> read_bounded(std::FILE* file, std::size_t magic_bytes,
                                     const std::function<u64(std::span<const u8>)>& most_bytes);

} // namespace pica
