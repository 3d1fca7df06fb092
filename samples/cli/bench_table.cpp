// SPDX-License-Identifier: MIT
#include "samples/cli/bench_table.h"

#include "samples/cli/golden/json_input.h"
#include "samples/cli/input_file.h"
#include "samples/cli/version.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace samples
{

namespace
{

constexpr pica::u64 kMostBytes = 64u << 20;
constexpr const char* kForm = "picavk_bench";

bool is_positive(const Figures& object, const char* name)
{
    return object.contains(name) && object[name].is_number() && object[name].get<double>() > 0.0;
}

bool has_figures(const Figures& stream)
{
    return is_positive(stream, "median_ms");
}

bool is_document(const Figures& document)
{
    if (document.value(kForm, Figures()) != 1 || !document.contains("streams") ||
        !document["streams"].is_array())
        return false;
    const Figures& streams = document["streams"];
    return std::all_of(streams.begin(), streams.end(),
                       [](const Figures& stream)
                       { return stream.is_object() && has_text(stream, "stream"); });
}

// The stream of this name, or null.
const Figures* find_stream(const Figures& document, const Figures& name)
{
    for (const Figures& stream : document["streams"])
        if (stream["stream"] == name)
            return &stream;
    return nullptr;
}

std::string figure(const Figures& stream, const char* name, double unit, int digits)
{
    if (!stream.contains(name) || !stream[name].is_number())
        return "-";
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", digits, stream[name].get<double>() / unit);
    return text;
}

void add_line(std::string& text, const std::string& stream, const std::vector<std::string>& cells)
{
    char cell[64];
    std::snprintf(cell, sizeof cell, "%-24s", stream.c_str());
    text += cell;
    for (const std::string& value : cells)
    {
        std::snprintf(cell, sizeof cell, " %11s", value.c_str());
        text += cell;
    }
    text += "\n";
}

} // namespace

Figures bench_document(std::vector<Figures> streams, double memory_bytes_per_second)
{
    for (Figures& stream : streams)
        if (stream.contains("bytes_per_second") && memory_bytes_per_second > 0.0)
            stream["share_of_memory_bandwidth"] =
                stream["bytes_per_second"].get<double>() / memory_bytes_per_second;
    return {{kForm, 1},
            {"version", version_text()},
            {"memory_bytes_per_second", memory_bytes_per_second},
            {"streams", std::move(streams)}};
}

pica::Result<Figures> read_bench_document(const std::string& path)
{
    const auto bytes = read_input(path, 0, [](std::span<const pica::u8>) { return kMostBytes; });
    if (!bytes)
        return bytes.error();
    std::optional<Figures> document =
        parse_object({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (!document || !is_document(*document))
        return pica::Error{input_name(path) + ": this is not what `picavk bench --all --json` prints"};
    return std::move(*document);
}

void compare_documents(const Figures& before, Figures& document)
{
    double logarithms = 0.0;
    pica::u32 compared = 0;
    for (Figures& stream : document["streams"])
    {
        const Figures* then = find_stream(before, stream["stream"]);
        if (then == nullptr || !has_figures(*then) || !has_figures(stream) ||
            then->value("backend", Figures()) != stream["backend"] ||
            then->value("scale", Figures()) != stream["scale"])
            continue;
        const double was = (*then)["median_ms"].get<double>();
        const double ratio = stream["median_ms"].get<double>() / was;
        stream["before_median_ms"] = was;
        stream["ratio_to_before"] = ratio;
        logarithms += std::log(ratio);
        ++compared;
    }
    document["streams_compared"] = compared;
    if (compared != 0)
        document["mean_ratio_to_before"] = std::exp(logarithms / compared);
}

std::string bench_table(const Figures& document)
{
    const bool compares = document.contains("streams_compared");
    std::vector<std::string> heads = {"median ms", "worst ms", "Mfragment/s",
                                      "Mvertex/s", "GB/s",     "of memory"};
    if (compares)
        heads.insert(heads.end(), {"before ms", "ratio"});
    std::string text;
    add_line(text, "stream", heads);
    for (const Figures& stream : document["streams"])
    {
        if (!has_figures(stream))
            continue; // its error is on stderr
        std::vector<std::string> cells = {figure(stream, "median_ms", 1.0, 3),
                                          figure(stream, "worst_ms", 1.0, 3),
                                          figure(stream, "fragments_per_second", 1e6, 1),
                                          figure(stream, "vertices_per_second", 1e6, 2),
                                          figure(stream, "bytes_per_second", 1e9, 2),
                                          figure(stream, "share_of_memory_bandwidth", 1.0, 3)};
        if (compares)
            cells.insert(cells.end(), {figure(stream, "before_median_ms", 1.0, 3),
                                       figure(stream, "ratio_to_before", 1.0, 2)});
        add_line(text, stream["stream"].get<std::string>(), cells);
    }
    text += "memory bandwidth, copying: " + figure(document, "memory_bytes_per_second", 1e9, 1) + " GB/s\n";
    if (compares)
        text += "compared with before: " + std::to_string(document["streams_compared"].get<pica::u32>()) +
                " streams, geometric mean of the ratios " + figure(document, "mean_ratio_to_before", 1.0, 3) +
                "\n";
    return text;
}

} // namespace samples
