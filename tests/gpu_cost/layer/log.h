// SPDX-License-Identifier: MIT
// What the layer has found: lines of JSON in a file. An object of one of these forms is on each line:
//   {"device": NAME, "mesa": "22.3"}              the second driver
//   {"error": TEXT}                               something has no figures
//   {"reference": MS}                             the reference shader was compiled once more
//   {"pipeline": NUMBER, "ms": MS, "stages": [{"name": TEXT, "stage": BITS, "code": HASH,
//     "statistics": {NAME: NUMBER, ...}}, ...]}   a pipeline of the program; ms is CPU time of its compilation
//   {"counts": {GROUP: NUMBER, ...}}              the commands of one device, at its end
//   {"memory": BYTES}                             the most that was allocated on the device at any time
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpu_cost
{

// Thread-safe. Processes that share the file do not break each other's lines.
void log_line(const nlohmann::ordered_json& line);

} // namespace gpu_cost
