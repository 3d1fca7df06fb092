// SPDX-License-Identifier: MIT
// Budgets: the most that each bundled stream may cost, from a file (tests/gpu_cost/budgets.json).
#pragma once

#include "pica/base/result.h"
#include "tests/gpu_cost/program/cost.h"

#include <map>
#include <string>
#include <vector>

namespace gpu_cost
{

struct Budgets
{
    std::string mesa;                     // the version of Mesa that the budgets were taken with: "22.3"
    double other_mesa = 1.0;              // what figures of shaders may be multiples of with another version
    double compile_time = 1.0;            // what the compile time may be a multiple of: it is a measured time
    double tighten_below = 0.0;           // a figure below this part of its budget gives a hint
    std::vector<std::string> vertex_work; // the stages of kVertexWork
    std::vector<std::string> short_run;   // the streams of a run that is not long
    Cost every_stream;                    // stages that cost every stream the same, as far as it has them
    std::map<std::string, Cost> streams;  // all others
};

// Error: names the file.
pica::Result<Budgets> read_budgets(const std::string& path);
pica::Status write_budgets(const std::string& path, const Budgets& budgets);

struct Verdict
{
    std::vector<std::string> failures; // each names stream, stage, figure and budget
    std::vector<std::string> hints;    // budgets that could be lower
};

// mesa: the version that was measured with.
Verdict compare(const Budgets& budgets, const std::string& mesa, const std::string& stream, const Cost& cost);
// The budgets of a stream, with those of every stream.
Cost budgets_of(const Budgets& budgets, const std::string& stream);
// The budgets of these streams become what they cost.
void take(Budgets& budgets, const std::map<std::string, Cost>& costs);

} // namespace gpu_cost
