// SPDX-License-Identifier: MIT
// Reading files that may be anything: huge, endless or no files at all. Tests: tests/cli/bad_input_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <cstdio>
#include <functional>
#include <span>
#include <vector>

namespace pica
{

// The first `magic_bytes` bytes are read alone and handed to most_bytes, which says how large a file that
// begins so may be. 0: the file is none of the caller's, and those bytes are the result. Errors are in words
// without the file's name: it cannot be read, or is larger.
Result<std::vector<u8>> read_bounded(std::FILE* file, std::size_t magic_bytes,
                                     const std::function<u64(std::span<const u8>)>& most_bytes);

} // namespace pica
