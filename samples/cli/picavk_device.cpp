// SPDX-License-Identifier: MIT
// picavk device: lists the machine's Vulkan devices and what picavk does with the chosen one, for bug
// reports.
#include "pica/memory/guest_arena.h"
#include "renderer/backend/renderer.h"
#include "renderer/vulkan/device.h"
#include "renderer/vulkan/device_type.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/console_report.h"
#include "samples/cli/json_text.h"
#include "samples/cli/verbs.h"
#include "samples/cli/version.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace samples
{

namespace
{

struct DeviceArguments
{
    renderer::Options vulkan = default_vulkan_options();
    bool json = false;
};

// "devices": of the usable ones whose names fit, the first would be chosen.
Json list_devices(const std::vector<renderer::DeviceEntry>& entries, const std::string& wanted)
{
    Json list = Json::array();
    bool chosen = false;
    for (const renderer::DeviceEntry& entry : entries)
    {
        const std::string name = entry.properties.deviceName;
        const pica::u32 version = entry.properties.apiVersion;
        std::string why_not = entry.refused;
        if (why_not.empty() && name.find(wanted) == std::string::npos)
            why_not = "not named \"" + wanted + "\"";
        if (why_not.empty() && chosen)
            why_not = "the one before it comes first";
        Json device;
        device["name"] = name;
        device["type"] = renderer::name_of(entry.properties.deviceType);
        device["vulkan"] = std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
                           std::to_string(VK_API_VERSION_MINOR(version)) + "." +
                           std::to_string(VK_API_VERSION_PATCH(version));
        device["driver"] = entry.driver;
        device["usable"] = entry.refused.empty();
        device["chosen"] = why_not.empty();
        if (!why_not.empty())
            device["why_not"] = why_not;
        chosen |= why_not.empty();
        list.push_back(std::move(device));
    }
    return list;
}

Json to_json(const renderer::DeviceFacts& facts)
{
    Json json;
    json["name"] = facts.device;
    json["type"] = facts.type;
    json["driver"] = facts.driver;
    json["vulkan"] = facts.vulkan;
    json["vendor_id"] = facts.vendor_id;
    json["device_id"] = facts.device_id;
    for (const renderer::DeviceFacts::Feature& feature : facts.features)
        json["features"][feature.name] = feature.used;
    json["self_test"]["reciprocal_steps"] = facts.reciprocal_steps;
    for (const renderer::DeviceFacts::Verdict& verdict : facts.self_test)
        json["self_test"][verdict.name] = verdict.exact;
    for (const renderer::DeviceFacts::Path& path : facts.paths)
        json["paths"][path.name] = path.choice;
    for (const renderer::DeviceFacts::Limit& limit : facts.limits)
        json["limits"][limit.name] = limit.value;
    return json;
}

void print_text(const Json& json, const std::string& description)
{
    std::printf("picavk %s\n", json["picavk"].get<std::string>().c_str());
    for (const Json& device : json["devices"])
    {
        const auto text = [&](const char* key) { return device[key].get<std::string>(); };
        std::printf("%c %s: %s, Vulkan %s, %s%s\n", device["chosen"] ? '*' : ' ', text("name").c_str(),
                    text("type").c_str(), text("vulkan").c_str(), text("driver").c_str(),
                    device["chosen"] ? "" : (" (not chosen: " + text("why_not") + ")").c_str());
    }
    std::printf("--backend auto: %s\n", json["auto"].get<std::string>().c_str());
    if (!description.empty())
        std::printf("\n%s\n", description.c_str());
}

int run_device(const DeviceArguments& arguments)
{
    Json json;
    json["picavk"] = version_text();
    json["devices"] = Json::array();
    renderer::CreateFailure failure{};
    std::string description;
    pica::Status status;
    if (const auto entries = renderer::Device::survey({}); !entries)
        status = entries.error();
    else
    {
        json["devices"] = list_devices(*entries, arguments.vulkan.device_name);
        const pica::MemoryRange ranges[] = {{pica::kVramBase, pica::kVramSize}};
        pica::GuestArena arena(ranges);
        ConsoleReport report;
        const auto made = renderer::Renderer::create(arguments.vulkan, arena.memory(), report, &failure);
        if (made)
        {
            description = (*made)->description();
            json["chosen"] = to_json((*made)->facts());
        }
        else
            status = made.error();
    }
    if (!status)
    {
        json["auto"] = failure == renderer::CreateFailure::DeviceFailed ? "an error" : "software";
        json["error"] = status.error().message;
    }
    else
        json["auto"] = json["chosen"]["type"] == "cpu" ? "software, because the device is a CPU" : "vulkan";
    if (arguments.json)
        std::printf("%s\n", json.dump(2).c_str());
    else
        print_text(json, description);
    return status ? kExitSuccess : not_created(failure, status.error());
}

} // namespace

Verb add_device(CLI::App& program)
{
    const auto arguments = std::make_shared<DeviceArguments>();
    arguments->vulkan.cache.directory.clear(); // so that the self-test is measured now
    CLI::App* app = program.add_subcommand(
        "device",
        "List the machine's Vulkan devices, and of the chosen one driver, features, verdicts of the "
        "self-test, paths and limits: what a bug report needs");
    add_device_options(*app, arguments->vulkan);
    app->add_flag("--json", arguments->json, "Print one JSON object");
    return {app, [arguments] { return run_device(*arguments); }};
}

} // namespace samples
