// SPDX-License-Identifier: MIT
// The verbs of golden tests, the window that looks inside, and those that describe the program; samples/cli/verbs.h has
// the others.
#pragma once

#include "samples/cli/verbs.h"

namespace samples
{

Verb add_digest(CLI::App& program);
Verb add_bisect(CLI::App& program);
Verb add_compare(CLI::App& program);
Verb add_report(CLI::App& program);
Verb add_inspect(CLI::App& program);
Verb add_manual(CLI::App& program);
Verb add_completion(CLI::App& program);

} // namespace samples
