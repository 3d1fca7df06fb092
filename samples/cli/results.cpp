// SPDX-License-Identifier: MIT
#include "samples/cli/results.h"

#include "samples/cli/verbs.h"

#include <utility>

namespace samples
{

std::size_t count_results(const nlohmann::ordered_json& streams, const std::string& result)
{
    std::size_t count = 0;
    for (const nlohmann::ordered_json& stream : streams)
        count += stream.at("result") == result;
    return count;
}

nlohmann::ordered_json results_document(const std::string& verb, const Shard& shard,
                                        nlohmann::ordered_json streams)
{
    nlohmann::ordered_json json = {
        {"picavk_results", 1}, {"version", version_text()}, {"verb", verb}, {"shard", shard.text()}};
    for (const char* result : {"equal", "different", "error"})
        json["count"][result] = count_results(streams, result);
    json["streams"] = std::move(streams);
    return json;
}

} // namespace samples
