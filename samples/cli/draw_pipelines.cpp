// SPDX-License-Identifier: MIT
#include "samples/cli/draw_pipelines.h"

#include "pica/command/live_backend.h"
#include "pica/inspect/replay.h"
#include "samples/cli/playback.h"
#include "samples/cli/watched_device.h"

#include <algorithm>
#include <string>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

// Does it move or convert surfaces? Which of these run depends on what the device already has, not on the draw. They are
// named by their files.
bool converts(const WatchedPipeline& pipeline)
{
    return std::any_of(pipeline.shaders.begin(), pipeline.shaders.end(),
                       [](const std::string& name) { return name.ends_with(".comp"); });
}

// A number, where it is one.
Json value_json(const std::string& value)
{
    const Json parsed = Json::parse(value, nullptr, false);
    return parsed.is_number() ? parsed : Json(value);
}

Json pipeline_json(const WatchedPipeline& pipeline)
{
    Json json;
    json["shaders"] = pipeline.shaders;
    json["executables"] = Json::array();
    for (const DriverExecutable& executable : pipeline.executables)
    {
        Json item;
        item["name"] = executable.name;
        if (!executable.description.empty() && executable.description != executable.name)
            item["description"] = executable.description;
        if (executable.subgroup_size != 0)
            item["subgroup_size"] = executable.subgroup_size;
        item["statistics"] = Json::object();
        for (const auto& [name, value] : executable.statistics)
            item["statistics"][name] = value_json(value);
        json["executables"].push_back(std::move(item));
    }
    return json;
}

} // namespace

DrawPipelines::DrawPipelines() = default;
DrawPipelines::~DrawPipelines() = default;

Result<std::unique_ptr<DrawPipelines>>
DrawPipelines::create(const Trace& trace, const renderer::Options& options, Report& report, u32 scale)
{
    auto device = WatchedDevice::create(options.device_name);
    if (!device)
        return device.error();
    std::unique_ptr<DrawPipelines> pipelines(new DrawPipelines);
    pipelines->device_ = std::move(*device);
    PlaybackOptions playback;
    playback.backend = BackendChoice::Vulkan;
    playback.scale = scale;
    playback.vulkan = options;
    playback.vulkan.device = pipelines->device_->host();
    playback.vulkan.validation = false;
    // A draw waits for its own pipeline, and binds that.
    playback.vulkan.ubershader = renderer::UbershaderChoice::Never;
    auto created = Playback::create(trace, playback, report);
    if (!created)
        return created.error();
    pipelines->playback_ = std::move(*created);
    return pipelines;
}

Result<Json> DrawPipelines::of_operation(Replay& replay, std::size_t number)
{
    replay.seek(replay.operations()[number].step);
    playback_->jump_to(replay);
    device_->forget();
    (void)playback_->step();
    playback_->backend().flush();
    if (const Status status = playback_->status(); !status)
        return status.error();
    Json json;
    json["device"] = device_->name();
    json["pipelines"] = Json::array();
    for (const WatchedPipeline& pipeline : device_->bound())
        if (!converts(pipeline))
            json["pipelines"].push_back(pipeline_json(pipeline));
    return json;
}

} // namespace samples
