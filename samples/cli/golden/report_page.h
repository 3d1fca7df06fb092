// SPDX-License-Identifier: MIT
// A page that shows results (results.h): one HTML file, which needs nothing else. Tests: tests/cli/report_test.cpp.
#pragma once

#include "pica/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace samples
{

// Is this what a verb printed for --json?
bool is_results(const nlohmann::ordered_json& document);
// One document of the results of several runs: their streams, sorted by name, each with its verb and shard. "notices"
// says which shards are missing, are there twice, are of another list or lack streams, and which streams are there twice; a
// complete set of runs has none.
nlohmann::ordered_json merge_results(std::vector<nlohmann::ordered_json> documents);

std::string report_page(const nlohmann::ordered_json& merged);
pica::Status write_report_page(const std::string& path, const nlohmann::ordered_json& merged);

} // namespace samples
