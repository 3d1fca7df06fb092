// SPDX-License-Identifier: MIT
#include "samples/cli/results.h"

#include "samples/cli/golden/content_hash.h"
#include "samples/cli/version.h"

#include <filesystem>
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

StreamList stream_list(const std::vector<std::string>& paths)
{
    ContentHash hash;
    for (const std::string& path : paths)
    {
        const std::string name = std::filesystem::path(path).filename().string();
        hash.add_value(pica::u64{name.size()});
        hash.add_values(name);
    }
    return {paths.size(), hash.text()};
}

nlohmann::ordered_json results_document(const std::string& verb, const Shard& shard, const StreamList& list,
                                        nlohmann::ordered_json streams)
{
    nlohmann::ordered_json json = {{"picavk_results", kResultsForm},
                                   {"version", version_text()},
                                   {"verb", verb},
                                   {"shard", shard.text()},
                                   {"list", {{"streams", list.length}, {"hash", list.hash}}}};
    for (const char* result : {"equal", "different", "error"})
        json["count"][result] = count_results(streams, result);
    json["streams"] = std::move(streams);
    return json;
}

} // namespace samples
