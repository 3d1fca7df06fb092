// SPDX-License-Identifier: MIT
// The JSON object that verbs with many streams print (--json). COMMANDS.md, "Results as JSON".
#pragma once

#include "samples/cli/stream_list.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace samples
{

// "picavk_results". 2: there is a "list".
inline constexpr int kResultsForm = 2;

// All streams that the runs of a split take together, in their order. Parts of different lists make no whole.
struct StreamList
{
    std::size_t length = 0;
    std::string hash; // of the names, without folders: machines keep them in different places
};
StreamList stream_list(const std::vector<std::string>& paths);

// streams: an array with an object for each stream, with "stream" and "result", which is equal, different or error.
nlohmann::ordered_json results_document(const std::string& verb, const Shard& shard, const StreamList& list,
                                        nlohmann::ordered_json streams);
// How many of the streams have this result.
std::size_t count_results(const nlohmann::ordered_json& streams, const std::string& result);

} // namespace samples
