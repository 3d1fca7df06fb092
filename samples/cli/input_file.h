// SPDX-License-Identifier: MIT
// Files that a person names. Whatever they are, their type is recognised by their first bytes before more is
// read.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace samples
{

// The path that means standard input.
inline constexpr const char* kStandardInput = "-";
// What messages call it: the path, or "standard input".
std::string input_name(const std::string& path);

// As pica::read_bounded, but an error begins with the path. Folders are refused, and so are pipes that nobody
// writes to; other pipes and devices are read.
pica::Result<std::vector<pica::u8>>
read_input(const std::string& path, std::size_t magic_bytes,
           const std::function<pica::u64(std::span<const pica::u8>)>& most_bytes);

} // namespace samples
