// SPDX-License-Identifier: MIT
#include "samples/cli/golden/report_page.h"

#include "samples/cli/golden/json_input.h"
#include "samples/cli/golden/report_template.h"
#include "samples/cli/json_text.h"
#include "samples/cli/results.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>

namespace samples
{

namespace
{

bool is_stream(const Json& stream)
{
    if (!stream.is_object() || !has_text(stream, "stream") || !has_text(stream, "result"))
        return false;
    const Json& result = stream.at("result");
    return result == "equal" || result == "different" || result == "error";
}

bool is_list(const Json& document)
{
    const auto list = document.find("list");
    return list != document.end() && list->is_object() && has_number(*list, "streams") &&
           has_text(*list, "hash");
}

// The shards that were seen of one split of one verb's list, and how often each.
using SeenShards = std::map<pica::u32, pica::u32>;

void add_notices(Json& notices, const std::string& verb, pica::u32 count, const SeenShards& seen)
{
    constexpr std::size_t kMostNamed = 8;
    const auto name = [&](pica::u32 number)
    { return verb + ": shard " + std::to_string(number) + "/" + std::to_string(count); };
    for (const auto& [number, times] : seen)
        if (times > 1 && count > 1)
            notices.push_back(name(number) + " is there " + std::to_string(times) + " times");
    const std::size_t missing = count - seen.size();
    for (std::size_t number = 1, named = 0; named < std::min(missing, kMostNamed); ++number)
        if (!seen.contains(pica::u32(number)))
        {
            notices.push_back(name(pica::u32(number)) + " is missing");
            ++named;
        }
    if (missing > kMostNamed)
        notices.push_back(verb + ": " + std::to_string(missing) + " shards of " + std::to_string(count) +
                          " are missing");
}

std::size_t list_length(const Json& document)
{
    return document.at("list").at("streams").get<std::size_t>();
}

// A shard of the same split has another list, so that together they are not one list.
void add_list_notice(Json& notices, const Json& first, const Json& document)
{
    if (first.at("list") == document.at("list"))
        return;
    const auto name = [](const Json& of)
    {
        return "shard " + of.at("shard").get<std::string>() + " is one of " +
               std::to_string(list_length(of)) + " streams";
    };
    notices.push_back(document.at("verb").get<std::string>() +
                      ": these shards are of different lists: " + name(first) + ", " + name(document));
}

void add_count_notice(Json& notices, const Json& document, const Shard& shard)
{
    const std::size_t length = list_length(document);
    const std::size_t expected = length / shard.count + (shard.number <= length % shard.count ? 1 : 0);
    const std::size_t count = document.at("streams").size();
    if (count != expected)
        notices.push_back(document.at("verb").get<std::string>() + ": shard " + shard.text() + " has " +
                          std::to_string(count) + " streams and should have " + std::to_string(expected));
}

// For each verb, each shard of a split has to be there once, with its part of the same list.
Json shard_notices(const std::vector<Json>& documents)
{
    struct Split
    {
        SeenShards seen;
        const Json* first = nullptr;
    };
    std::map<std::pair<std::string, pica::u32>, Split> splits; // verb, number of shards
    Json notices = Json::array();
    for (const Json& document : documents)
    {
        Shard shard;
        if (!parse_shard(document.at("shard"), shard))
            continue;
        Split& split = splits[{document.at("verb"), shard.count}];
        ++split.seen[shard.number];
        add_count_notice(notices, document, shard);
        if (split.first == nullptr)
            split.first = &document;
        else if (shard.count > 1)
            add_list_notice(notices, *split.first, document);
    }
    for (const auto& [split, found] : splits)
        add_notices(notices, split.first, split.second, found.seen);
    return notices;
}

// streams: with "verb", sorted. A stream that is there twice would count twice.
void add_twice_notices(Json& notices, const Json& streams)
{
    std::map<std::string, pica::u32> times;
    for (const Json& stream : streams)
    {
        const std::string path = has_text(stream, "path") ? stream.at("path") : stream.at("stream");
        const std::string name = stream.at("verb").get<std::string>() + ": " + path;
        if (++times[name] == 2)
            notices.push_back(name + " is there more than once");
    }
}

} // namespace

bool is_results(const Json& document)
{
    Shard shard;
    return document.is_object() && document.value("picavk_results", Json()) == kResultsForm &&
           has_text(document, "verb") && has_text(document, "shard") &&
           parse_shard(document.at("shard"), shard) && is_list(document) && document.contains("streams") &&
           document.at("streams").is_array() && std::ranges::all_of(document.at("streams"), is_stream);
}

Json merge_results(std::vector<Json> documents)
{
    Json notices = shard_notices(documents);
    Json streams = Json::array();
    for (Json& document : documents)
    {
        for (Json& stream : document.at("streams"))
        {
            stream["verb"] = document.at("verb");
            stream["shard"] = document.at("shard");
            streams.push_back(std::move(stream));
        }
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const Json& a, const Json& b)
                     { return a.at("stream").get<std::string>() < b.at("stream").get<std::string>(); });
    add_twice_notices(notices, streams);
    Json merged = results_document("report", Shard{}, StreamList{streams.size(), {}}, std::move(streams));
    if (!notices.empty())
        merged["notices"] = std::move(notices);
    return merged;
}

std::string report_page(const Json& merged)
{
    constexpr std::string_view kPlace = "@DATA@";
    std::string data = merged.dump(-1, ' ', true, Json::error_handler_t::replace);
    // Nothing in the data ends the script element or begins a comment.
    for (std::size_t at = data.find('<'); at != std::string::npos; at = data.find('<', at))
        data.replace(at, 1, "\\u003c");
    std::string page = kReportTemplate;
    page.replace(page.find(kPlace), kPlace.size(), data);
    return page;
}

pica::Status write_report_page(const std::string& path, const Json& merged)
{
    struct Close
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::string page = report_page(merged);
    std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
    if (!file || std::fwrite(page.data(), 1, page.size(), file.get()) != page.size() ||
        std::fclose(file.release()) != 0)
        return pica::Error{path + ": cannot be written: " + std::strerror(errno)};
    return {};
}

} // namespace samples
