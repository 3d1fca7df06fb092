// SPDX-License-Identifier: MIT
// gpu_cost: what a real GPU's compiler makes of the pipelines of streams, and how many commands a steady frame records.
// README.md beside this folder explains the figures. Exit codes: 0, 1 for a budget that is exceeded or a stream that
// cannot be measured, 2 for wrong arguments, 77 where the drivers are missing.
#include "shadergen/spirv.h"
#include "tests/cli/program.h"
#include "tests/gpu_cost/program/budgets.h"
#include "tests/gpu_cost/program/drivers.h"
#include "tests/gpu_cost/program/measurement.h"
#include "tests/gpu_cost/program/table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace
{

using namespace gpu_cost;
using pica::Error;
using pica::Result;
using pica::Status;

constexpr int kSuccess = 0, kFailed = 1, kUsage = 2, kSkipped = 77;

struct Arguments
{
    std::vector<std::string> streams; // names of bundled streams, or files
    MeasurementOptions options;
    std::string family = kUsualFamily;
    std::string budgets = PICAVK_SOURCE_DIR "/tests/gpu_cost/budgets.json";
    std::string json;
    std::vector<std::string> compared; // two files of --json
    bool update = false;
};

bool is_set(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

int complain(const std::string& message, int exit_code)
{
    std::fprintf(stderr, "gpu_cost: %s\n", message.c_str());
    return exit_code;
}

// Compiles the reference shader into a file.
Status write_reference(const std::string& path)
{
    std::vector<pica::u8> glsl = tests::read_file(PICAVK_SOURCE_DIR "/tests/gpu_cost/reference.comp");
    const std::string text(glsl.begin(), glsl.end());
    const auto spirv = shadergen::compile(shadergen::Stage::Compute,
                                          std::string_view(text).substr(text.find("#version")), {});
    if (!spirv)
        return spirv.error();
    const auto* bytes = reinterpret_cast<const pica::u8*>(spirv->data());
    tests::write_file(path, {bytes, spirv->size() * sizeof(pica::u32)});
    return {};
}

Result<std::map<std::string, Cost>> read_costs(const std::string& path)
{
    std::ifstream file(path);
    const auto json = nlohmann::ordered_json::parse(file, nullptr, false);
    if (!json.is_object())
        return Error{path + " is no file of --json"};
    std::map<std::string, Cost> costs;
    for (const auto& [stream, cost] : json.items())
        costs[stream] = cost_from(cost);
    return costs;
}

int compare_builds(const Arguments& arguments)
{
    const auto before = read_costs(arguments.compared[0]), after = read_costs(arguments.compared[1]);
    if (!before || !after)
        return complain((before ? after : before).error().message, kUsage);
    print_ratios(*before, *after);
    return kSuccess;
}

// The file of a stream: one that exists, or a bundled one of that name.
std::string file_of(const std::string& stream)
{
    return std::filesystem::exists(stream) ? stream : tests::stream_path(stream).string();
}

std::vector<std::string> streams_of(const Arguments& arguments, const Budgets& budgets)
{
    if (!arguments.streams.empty())
        return arguments.streams;
    return is_set("PICAVK_LONG") || arguments.update ? tests::bundled_streams() : budgets.short_run;
}

struct Outcome
{
    std::map<std::string, Cost> costs;
    Verdict verdict;
};

// The only figure that is a measured time. It is judged in a long run and where streams are named: tests that run beside a
// short one may make any time several times as long.
bool judges_times(const Arguments& arguments)
{
    return is_set("PICAVK_LONG") || !arguments.streams.empty();
}
// One that is too long is measured again, and the shortest one counts, because other work on the machine makes times longer,
// never shorter.
constexpr int kMostRepeats = 3;

Status repeat_compilation(const Measurement& measurement, const std::string& stream, Cost& cost)
{
    const Result<Cost> again = measurement.measure(file_of(stream));
    if (!again)
        return again.error();
    if (again->at(kCompile).at(kTimesReference) < cost[kCompile][kTimesReference])
        cost[kCompile] = again->at(kCompile);
    return {};
}

Result<Cost> measure_one(const Arguments& arguments, const Drivers& drivers, const Measurement& measurement,
                         const Budgets& budgets, const std::string& stream)
{
    Result<Cost> cost = measurement.measure(file_of(stream));
    if (!cost)
        return cost;
    add_vertex_work(*cost, budgets.vertex_work);
    const std::string name = stream_name(stream);
    if (arguments.update || !judges_times(arguments) || !budgets.streams.contains(name))
        return cost;
    for (int repeats = 0; repeats < kMostRepeats; ++repeats)
    {
        const Cost compilation = {{kCompile, cost->at(kCompile)}};
        if (compare(budgets, drivers.radv_version, name, compilation).failures.empty())
            break;
        if (const Status repeated = repeat_compilation(measurement, stream, *cost); !repeated)
            return repeated.error();
    }
    return cost;
}

Outcome measure_all(const Arguments& arguments, const Drivers& drivers, const Measurement& measurement,
                    const Budgets& budgets)
{
    Outcome outcome;
    const std::vector<std::string> bundled = tests::bundled_streams();
    print_overview_heading();
    for (const std::string& stream : streams_of(arguments, budgets))
    {
        const std::string name = stream_name(stream);
        const Result<Cost> cost = measure_one(arguments, drivers, measurement, budgets, stream);
        if (!cost)
        {
            outcome.verdict.failures.push_back(name + ": " + cost.error().message);
            continue;
        }
        print_overview_line(name, *cost);
        outcome.costs[name] = *cost;
        const bool has_budgets = std::find(bundled.begin(), bundled.end(), name) != bundled.end();
        if (!has_budgets || arguments.update)
            continue;
        Cost judged = *cost;
        if (!judges_times(arguments))
            judged.erase(kCompile);
        const Verdict verdict = compare(budgets, drivers.radv_version, name, judged);
        outcome.verdict.failures.insert(outcome.verdict.failures.end(), verdict.failures.begin(),
                                        verdict.failures.end());
        outcome.verdict.hints.insert(outcome.verdict.hints.end(), verdict.hints.begin(), verdict.hints.end());
    }
    return outcome;
}

Status update(const Arguments& arguments, const Drivers& drivers, Budgets budgets, const Outcome& outcome)
{
    if (!arguments.streams.empty() && budgets.mesa != drivers.radv_version)
        return Error{"the budgets are of Mesa " + budgets.mesa + ": take all of them anew, or none"};
    if (!outcome.verdict.failures.empty())
        return Error{"not all streams could be measured: the budgets stay as they are"};
    if (arguments.streams.empty())
    {
        budgets.every_stream.clear();
        budgets.streams.clear();
        budgets.mesa = drivers.radv_version;
    }
    take(budgets, outcome.costs);
    return write_budgets(arguments.budgets, budgets);
}

Status write_costs(const std::string& path, const std::map<std::string, Cost>& costs)
{
    nlohmann::ordered_json json;
    for (const auto& [stream, cost] : costs)
        json[stream] = to_json(cost);
    std::ofstream file(path);
    file << json.dump(1) << "\n";
    file.close();
    return file ? Status() : Status(Error{path + " cannot be written"});
}

int run(Arguments arguments)
{
    const Result<Budgets> budgets = read_budgets(arguments.budgets);
    if (!budgets)
        return complain(budgets.error().message, kUsage);
    const tests::TemporaryFolder folder;
    const std::string reference = folder.file("reference.spv");
    if (const Status written = write_reference(reference); !written)
        return complain(written.error().message, kFailed);
    const Result<Drivers> drivers = find_drivers(arguments.family, reference);
    if (!drivers)
        return complain("skipped: " + drivers.error().message, kSkipped);
    std::printf("RADV of Mesa %s for %s; budgets are of Mesa %s\n", drivers->radv_version.c_str(),
                drivers->family.c_str(), budgets->mesa.c_str());
    if (!arguments.options.assembly_folder.empty())
        std::filesystem::create_directories(arguments.options.assembly_folder);
    const Measurement measurement(*drivers, arguments.options, folder.path(), reference);
    const Outcome outcome = measure_all(arguments, *drivers, measurement, *budgets);
    if (!arguments.streams.empty())
        for (const auto& [stream, cost] : outcome.costs)
            print_stages(stream, cost);
    Status written;
    if (!arguments.json.empty())
        written = write_costs(arguments.json, outcome.costs);
    if (written && arguments.update)
        written = update(arguments, *drivers, *budgets, outcome);
    if (!written)
        return complain(written.error().message, kFailed);
    for (const std::string& hint : outcome.verdict.hints)
        std::printf("could be tightened: %s\n", hint.c_str());
    for (const std::string& failure : outcome.verdict.failures)
        std::printf("FAILED: %s\n", failure.c_str());
    std::printf("%zu streams, %zu budgets exceeded or missing\n", outcome.costs.size(),
                outcome.verdict.failures.size());
    return outcome.verdict.failures.empty() ? kSuccess : kFailed;
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    arguments.options.program = PICAVK_PROGRAM;
    // compiler: the self-test would measure lavapipe, which compiles at the first draw, if it finds nothing in its cache.
    arguments.options.forced = {"vertex=compute", "ubershader=never", "compiler=at-creation"};
    arguments.update = is_set("PICAVK_UPDATE_GOLDEN");
    CLI::App app{
        "What a real GPU's compiler makes of the pipelines of streams, and how many commands a steady frame "
        "records"};
    app.add_option("STREAM", arguments.streams,
                   "Names of bundled streams, or files; without any, those of the test");
    app.add_option("--program", arguments.options.program,
                   "The picavk to measure, if not that of this build");
    app.add_option("--force", arguments.options.forced, "Paths of the renderer, in place of the usual ones");
    app.add_option("--family", arguments.family, "Another GPU, by RADV's name");
    app.add_option("--isa", arguments.options.assembly_folder, "Folder for the assembly of each stage");
    app.add_option("--json", arguments.json, "File for all figures");
    app.add_option("--compare", arguments.compared, "Compares two files of --json")->expected(2);
    app.add_option("--budgets", arguments.budgets, "The file of budgets, if not that of the source");
    app.add_flag("--update", arguments.update,
                 "Takes what is measured as budgets, as PICAVK_UPDATE_GOLDEN=1 does");
    CLI11_PARSE(app, argc, argv);
    return arguments.compared.empty() ? run(std::move(arguments)) : compare_builds(arguments);
}
