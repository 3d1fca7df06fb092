// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/budgets.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <ostream>
#include <set>

namespace gpu_cost
{

using nlohmann::ordered_json;
using pica::Error;
using pica::Result;
using pica::Status;

Result<Budgets> read_budgets(const std::string& path)
{
    std::ifstream file(path);
    const ordered_json json = ordered_json::parse(file, nullptr, false);
    try
    {
        Budgets budgets;
        budgets.mesa = json.at("mesa");
        budgets.other_mesa = json.at("other mesa");
        budgets.compile_time = json.at("compile time");
        budgets.tighten_below = json.at("tighten below");
        budgets.vertex_work = json.at("vertex work");
        budgets.short_run = json.at("short run");
        budgets.every_stream = cost_from(json.at("every stream"));
        for (const auto& [stream, cost] : json.at("streams").items())
            budgets.streams[stream] = cost_from(cost);
        return budgets;
    }
    catch (const nlohmann::json::exception& exception)
    {
        return Error{path + ": " + exception.what()};
    }
}

namespace
{

// A line for each stage, so that a difference of two versions can be read.
void write_cost(std::ostream& file, const std::string& name, const Cost& cost, const std::string& indent)
{
    file << indent << ordered_json(name).dump() << ": {";
    const ordered_json stages = to_json(cost);
    const char* between = "\n";
    for (const auto& [stage, figures] : stages.items())
    {
        file << between << indent << "  " << ordered_json(stage).dump() << ": " << figures.dump();
        between = ",\n";
    }
    file << "\n" << indent << "}";
}

// Moves the stages that cost the same everywhere to those of every stream.
void share_stages(Budgets& budgets)
{
    std::map<std::string, std::set<Figures>> seen;
    for (const auto& [stream, cost] : budgets.streams)
        for (const auto& [stage, figures] : cost)
            seen[stage].insert(figures);
    for (const auto& [stage, figures] : seen)
        if (figures.size() == 1 && stage != kFrame && stage != kCompile)
            budgets.every_stream.emplace(stage, *figures.begin());
    for (auto& [stream, cost] : budgets.streams)
        std::erase_if(cost,
                      [&](const auto& entry)
                      {
                          const auto shared = budgets.every_stream.find(entry.first);
                          return shared != budgets.every_stream.end() && shared->second == entry.second;
                      });
}

} // namespace

Status write_budgets(const std::string& path, const Budgets& budgets)
{
    std::ofstream file(path);
    const auto text = [](const auto& value) { return ordered_json(value).dump(); };
    file << "{\n  \"mesa\": " << text(budgets.mesa) << ",\n  \"other mesa\": " << text(budgets.other_mesa)
         << ",\n  \"compile time\": " << text(budgets.compile_time)
         << ",\n  \"tighten below\": " << text(budgets.tighten_below)
         << ",\n  \"vertex work\": " << text(budgets.vertex_work)
         << ",\n  \"short run\": " << text(budgets.short_run) << ",\n";
    write_cost(file, "every stream", budgets.every_stream, "  ");
    file << ",\n  \"streams\": {";
    const char* between = "\n";
    for (const auto& [stream, cost] : budgets.streams)
    {
        file << between;
        write_cost(file, stream, cost, "    ");
        between = ",\n";
    }
    file << "\n  }\n}\n";
    file.close();
    return file ? Status() : Status(Error{path + " cannot be written"});
}

Cost budgets_of(const Budgets& budgets, const std::string& stream)
{
    Cost cost = budgets.every_stream;
    for (const auto& [stage, figures] : budgets.streams.at(stream))
        cost[stage] = figures;
    return cost;
}

Verdict compare(const Budgets& budgets, const std::string& mesa, const std::string& stream, const Cost& cost)
{
    constexpr const char* kHow = "; PICAVK_UPDATE_GOLDEN=1 takes what is measured as the budget";
    Verdict verdict;
    if (!budgets.streams.contains(stream))
    {
        verdict.failures.push_back(stream + " has no budgets" + kHow);
        return verdict;
    }
    const Cost limits = budgets_of(budgets, stream);
    for (const auto& [stage, figures] : cost)
    {
        const auto of_stage = limits.find(stage);
        if (of_stage == limits.end())
        {
            verdict.failures.push_back(stream + ": " + stage + " has no budgets" + kHow);
            continue;
        }
        const bool same = stage == kFrame || mesa == budgets.mesa;
        const double margin =
            (stage == kCompile ? budgets.compile_time : 1.0) * (same ? 1.0 : budgets.other_mesa);
        for (const auto& [figure, value] : figures)
        {
            const auto budget = of_stage->second.find(figure);
            if (budget == of_stage->second.end())
            {
                if (figure != kMilliseconds)
                    verdict.failures.push_back(stream + ": " + stage + ": " + figure + " has no budget" +
                                               kHow);
                continue;
            }
            const std::string text = stream + ": " + stage + ": " + figure + " " + number_text(value) +
                                     ", budget " + number_text(budget->second) +
                                     (margin != 1.0 ? " x " + number_text(margin) : std::string());
            if (value > budget->second * margin)
                verdict.failures.push_back(text);
            else if (same && stage != kCompile && value < budget->second * budgets.tighten_below)
                verdict.hints.push_back(text);
        }
    }
    return verdict;
}

void take(Budgets& budgets, const std::map<std::string, Cost>& costs)
{
    for (const auto& [stream, cost] : costs)
    {
        Cost& taken = budgets.streams[stream] = cost;
        taken[kCompile].erase(kMilliseconds);
        taken[kCompile][kTimesReference] = rounded(taken[kCompile][kTimesReference]);
    }
    share_stages(budgets);
}

} // namespace gpu_cost
