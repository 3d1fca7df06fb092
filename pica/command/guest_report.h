// SPDX-License-Identifier: MIT
// Reports of what a guest does wrong, with numbers in the text.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"

#include <string_view>

namespace pica
{

// format: of printf, for a and b.
void report_guest(Report& report, std::string_view cause, const char* format, u32 a, u32 b = 0);

} // namespace pica
