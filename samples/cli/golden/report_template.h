// SPDX-License-Identifier: MIT
// The text of report_page.html, from the build (samples/cli/CMakeLists.txt).
#pragma once

namespace samples
{

// @DATA@ stands where the results go.
extern const char* const kReportTemplate;

} // namespace samples
