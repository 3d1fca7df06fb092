// SPDX-License-Identifier: MIT
// Runs another program and takes what it prints.
#pragma once

#include "pica/base/result.h"

#include <string>
#include <vector>

namespace samples
{

// command: the path of the program, then its arguments. Its stderr is this program's. Error: it cannot be started, or its
// exit code is not 0.
pica::Result<std::string> program_output(const std::vector<std::string>& command);

} // namespace samples
