// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/log_reader.h"

#include "tests/gpu_cost/layer/second_driver.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <set>
#include <tuple>
#include <vector>

namespace gpu_cost
{

using nlohmann::ordered_json;
using pica::Error;
using pica::Result;

namespace
{

// The statistics of the distinct shaders of a stage.
struct Shaders
{
    // Code and figures: one shader may become several programs, by specialisation or the state of its pipeline.
    std::set<std::tuple<std::uint64_t, double, double>> seen;
    std::vector<double> instructions, throughput, vgprs, scratch;

    void add(std::uint64_t code, const ordered_json& statistics)
    {
        const double count = statistics.at(kInstructions), cycles = statistics.at(kInverseThroughput);
        if (!seen.insert({code, count, cycles}).second)
            return;
        instructions.push_back(count);
        throughput.push_back(cycles);
        vgprs.push_back(statistics.at(kVgprs));
        scratch.push_back(statistics.at(kScratch));
    }
};

double most(const std::vector<double>& values)
{
    return *std::max_element(values.begin(), values.end());
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

Figures figures_of(const Shaders& shaders)
{
    return {
        {kShaders, double(shaders.instructions.size())}, {kInstructionsMedian, median(shaders.instructions)},
        {kInstructionsMost, most(shaders.instructions)}, {kThroughputMedian, median(shaders.throughput)},
        {kThroughputMost, most(shaders.throughput)},     {kVgprsMost, most(shaders.vgprs)},
        {kScratchMost, most(shaders.scratch)},
    };
}

struct Reading
{
    LoggedRun run;
    std::map<std::string, Shaders> stages;
    std::vector<double> references;
    double milliseconds = 0.0;
    std::string error;

    void pipeline(const ordered_json& line)
    {
        for (const ordered_json& stage : line.at("stages"))
        {
            const std::string name = stage.at("name");
            if (name.starts_with("self_test"))
                return;
            stages[name].add(stage.at("code"), stage.at("statistics"));
        }
        milliseconds += line.at("ms").get<double>();
    }

    void line(const ordered_json& line)
    {
        if (line.contains("pipeline"))
            pipeline(line);
        else if (line.contains("reference"))
            references.push_back(line["reference"]);
        else if (line.contains("error"))
            error = line["error"];
        else if (line.contains("device"))
        {
            run.device = line["device"];
            run.mesa = line.at("mesa");
        }
        else if (line.contains("memory"))
        {
            double& most_memory = run.cost[kMemory][kMegabytesMost];
            most_memory = std::max(most_memory, rounded(line["memory"].get<double>() / 0x100000));
        }
        else
            for (const auto& [group, count] : line.at("counts").items())
                run.counts[group] += count.get<std::uint64_t>();
    }
};

} // namespace

Result<LoggedRun> read_log(const std::string& path)
{
    Reading reading;
    std::ifstream file(path);
    try
    {
        for (std::string text; std::getline(file, text);)
            reading.line(ordered_json::parse(text));
    }
    catch (const nlohmann::json::exception& exception)
    {
        return Error{std::string("the layer's log is broken: ") + exception.what()};
    }
    if (!reading.error.empty())
        return Error{reading.error};
    if (reading.run.counts.empty())
        return Error{"the layer saw no device, or the program ended before the device did"};
    for (const auto& [stage, shaders] : reading.stages)
        reading.run.cost[stage] = figures_of(shaders);
    if (!reading.references.empty())
    {
        Figures& compile = reading.run.cost[kCompile];
        compile[kMilliseconds] = reading.milliseconds;
        compile[kTimesReference] = reading.milliseconds / median(reading.references);
    }
    return std::move(reading.run);
}

} // namespace gpu_cost
