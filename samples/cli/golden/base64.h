// SPDX-License-Identifier: MIT
// Bytes as text in JSON and in pages.
#pragma once

#include "pica/base/types.h"

#include <span>
#include <string>

namespace samples
{

std::string base64(std::span<const pica::u8> bytes);

} // namespace samples
