// SPDX-License-Identifier: MIT
// Names of files that are not there yet.
#pragma once

#include "pica/base/result.h"

#include <string>

namespace samples
{

// Makes the first of NAME.SUFFIX, NAME_2.SUFFIX, NAME_3.SUFFIX ... that does not exist, empty, and returns its path.
pica::Result<std::string> make_new_file(const std::string& name, const std::string& suffix);

} // namespace samples
