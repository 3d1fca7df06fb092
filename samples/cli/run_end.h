// SPDX-License-Identifier: MIT
// How a run of the program ends: its exit codes, and what it says on stderr.
#pragma once

#include "renderer/backend/renderer.h"

#include <string>

namespace samples
{

constexpr int kExitSuccess = 0;
constexpr int kExitDifference = 1; // validate found a differing byte
constexpr int kExitFailed = 1;     // the device was lost, or memory ran out, during the work
constexpr int kExitBadInput = 2;   // bad files, arguments or standard output; no such device

// Prints the error in one line on stderr and returns kExitBadInput.
int bad_input(const std::string& message);
// Likewise, but returns kExitFailed.
int failed(const std::string& message);
// Calls bad_input or failed, depending on why a backend could not be made.
int not_created(renderer::CreateFailure failure, const pica::Error& error);
// Was something that was printed on stdout lost?
bool output_is_lost();
// The exit code of a run that would end with `exit_code`, once all of its output is written.
int with_output_checked(int exit_code);

} // namespace samples
