// SPDX-License-Identifier: MIT
// Tables of costs, for people.
#pragma once

#include "tests/gpu_cost/program/cost.h"

#include <map>
#include <string>

namespace gpu_cost
{

// One line for each stream.
void print_overview_heading();
void print_overview_line(const std::string& stream, const Cost& cost);
// All figures of a stream, one line for each stage.
void print_stages(const std::string& stream, const Cost& cost);
// What each figure of the overview is now, as a multiple of what it was; streams that both have.
void print_ratios(const std::map<std::string, Cost>& before, const std::map<std::string, Cost>& after);

} // namespace gpu_cost
