// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/program/measurement.h"

#include "tests/cli/program.h"
#include "tests/gpu_cost/layer/command_counts.h"
#include "tests/gpu_cost/layer/settings.h"
#include "tests/gpu_cost/program/log_reader.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <utility>

namespace gpu_cost
{

using pica::Error;
using pica::Result;

namespace
{

// Environment variables of the children.
void set(const char* variable, const std::string& value)
{
    setenv(variable, value.c_str(), 1);
}

// Where Mesa keeps what lavapipe has compiled: where it would without the layer, or each run would take seconds longer.
std::string mesa_cache()
{
    const std::string own = setting("MESA_SHADER_CACHE_DIR"), cache = setting("XDG_CACHE_HOME");
    return !own.empty() ? own : !cache.empty() ? cache : std::string(setting("HOME")) + "/.cache";
}

std::string first_line(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

// Commands per frame between two runs.
Figures steady_frame(const LoggedRun& shorter, const LoggedRun& longer, double frames)
{
    Figures figures;
    double commands = 0.0;
    for (const auto& [group, count] : longer.counts)
    {
        const double more = double(count) - double(shorter.counts.at(group));
        figures[group] = rounded(more / frames);
        if (group != kGroupNames[std::size_t(CommandGroup::Submits)])
            commands += more;
    }
    figures[kCommands] = rounded(commands / frames);
    return figures;
}

} // namespace

struct Measurement::Run
{
    LoggedRun logged;
    unsigned steady_frames = 0;
    unsigned settling_frames = 0;
};

Measurement::Measurement(Drivers drivers, MeasurementOptions options, std::filesystem::path scratch,
                         std::string reference_file)
    : drivers_(std::move(drivers)), options_(std::move(options)), scratch_(std::move(scratch)),
      reference_file_(std::move(reference_file))
{
    // The second name is that of older loaders.
    set("VK_DRIVER_FILES", drivers_.lavapipe);
    set("VK_ICD_FILENAMES", drivers_.lavapipe);
    set("NODEVICE_SELECT", "1"); // Mesa's own layer would look for real devices
    set("VK_ADD_LAYER_PATH", PICAVK_COST_LAYERS);
    set("VK_INSTANCE_LAYERS", "VK_LAYER_PICAVK_cost");
    set("RADV_FORCE_FAMILY", drivers_.family);
    set("RADV_DEBUG", "nocache"); // compile times, not times of finding what an earlier run compiled
    set("MESA_SHADER_CACHE_DIR", mesa_cache());
    set("XDG_CACHE_HOME", (scratch_ / "cache").string());
    set(kLogVariable, (scratch_ / "log").string());
    set(kReferenceVariable, reference_file_);
}

Result<Measurement::Run> Measurement::run(const std::string& stream, unsigned frames, bool compiles) const
{
    set(kDriverVariable, compiles ? drivers_.radv : "");
    std::filesystem::remove(scratch_ / "log");
    // Without verdicts of an earlier self-test: both runs do the same when they start.
    std::filesystem::remove_all(scratch_ / "cache" / "picavk");
    std::vector<std::string> command = {options_.program,       "bench",     stream,  "--json", "--frames",
                                        std::to_string(frames), "--backend", "vulkan"};
    for (const std::string& forced : options_.forced)
    {
        command.push_back("--force");
        command.push_back(forced);
    }
    const tests::ProgramResult result = tests::run_program(command);
    if (result.exit_code != 0)
        return Error{"picavk ended with " + std::to_string(result.exit_code) + ": " +
                     first_line(result.errors)};
    const auto json = nlohmann::json::parse(result.output, nullptr, false);
    if (!json.is_object())
        return Error{"picavk bench printed no figures"};
    Run run;
    run.steady_frames = json.at("frames");
    run.settling_frames = json.at("settling_frames");
    Result<LoggedRun> logged = read_log((scratch_ / "log").string());
    if (!logged)
        return logged.error();
    run.logged = std::move(*logged);
    return run;
}

Result<Cost> Measurement::measure(const std::string& stream) const
{
    if (!options_.assembly_folder.empty())
        set(kAssemblyVariable, options_.assembly_folder + "/" + stream_name(stream) + "-");
    const Result<Run> compiled = run(stream, 1, true);
    if (!compiled)
        return compiled.error();
    // Not of the run before: lavapipe compiled in it too, so the renderer took the device for slower and submitted
    // earlier. These two find what lavapipe compiled.
    const Result<Run> shorter = run(stream, 1, false);
    if (!shorter)
        return shorter.error();
    const Result<Run> longer = run(stream, 2 * shorter->steady_frames, false);
    if (!longer)
        return longer.error();
    const unsigned more = longer->steady_frames - shorter->steady_frames;
    if (more != shorter->steady_frames || longer->settling_frames != shorter->settling_frames)
        return Error{"the two runs settled in different ways"};
    Cost cost = compiled->logged.cost;
    if (!cost.contains(kCompile))
        return Error{"no pipeline was compiled"};
    cost[kFrame] = steady_frame(shorter->logged, longer->logged, more);
    return cost;
}

} // namespace gpu_cost
