// SPDX-License-Identifier: MIT
// message_of: what a Result says went wrong, for the messages of checks. doctest makes a message even where the check holds,
// when it is told to print those (-s).
#pragma once

#include "pica/base/result.h"

#include <string>

namespace tests
{

// Empty: nothing went wrong.
template <typename T>
std::string message_of(const pica::Result<T>& result)
{
    return result ? std::string() : result.error().message;
}

} // namespace tests
