// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/cost.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace gpu_cost
{

void add_vertex_work(Cost& cost, const std::vector<std::string>& stages)
{
    Figures sum;
    for (const std::string& stage : stages)
    {
        const auto found = cost.find(stage);
        if (found == cost.end())
            continue;
        const Figures& figures = found->second;
        sum[kInstructionsMedian] += figures.at(kInstructionsMedian);
        sum[kThroughputMedian] += figures.at(kThroughputMedian);
        sum[kScratchMost] += figures.at(kScratchMost);
        sum[kVgprsMost] = std::max(sum[kVgprsMost], figures.at(kVgprsMost));
    }
    if (!sum.empty())
        cost[kVertexWork] = sum;
}

nlohmann::ordered_json to_json(const Cost& cost)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [stage, figures] : cost)
        for (const auto& [figure, value] : figures)
        {
            // Whole numbers without a decimal point.
            if (value == std::floor(value))
                json[stage][figure] = static_cast<long long>(value);
            else
                json[stage][figure] = value;
        }
    return json;
}

Cost cost_from(const nlohmann::ordered_json& json)
{
    Cost cost;
    for (const auto& [stage, figures] : json.items())
        for (const auto& [figure, value] : figures.items())
            cost[stage][figure] = value.get<double>();
    return cost;
}

std::string stream_name(const std::string& path)
{
    return std::filesystem::path(path).stem().string();
}

double rounded(double value)
{
    return std::round(value * 100.0) / 100.0;
}

std::string number_text(double value)
{
    char text[64];
    const bool whole = rounded(value) == std::floor(rounded(value));
    std::snprintf(text, sizeof text, whole ? "%.0f" : "%.2f", value);
    return text;
}

} // namespace gpu_cost
