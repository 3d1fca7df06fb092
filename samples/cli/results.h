// SPDX-License-Identifier: MIT
// The JSON object that verbs with many streams print (--json). COMMANDS.md, "Results as JSON".
#pragma once

#include "samples/cli/stream_list.h"

#include <nlohmann/json.hpp>

#include <string>

namespace samples
{

// streams: an array with an object for each stream, with "stream" and "result", which is equal, different or error.
nlohmann::ordered_json results_document(const std::string& verb, const Shard& shard,
                                        nlohmann::ordered_json streams);
// How many of the streams have this result.
std::size_t count_results(const nlohmann::ordered_json& streams, const std::string& result);

} // namespace samples
