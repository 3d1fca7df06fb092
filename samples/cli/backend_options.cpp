// SPDX-License-Identifier: MIT
#include "samples/cli/backend_options.h"

#include "pica/soft/software_core.h"
#include "samples/cli/choice_option.h"

#include <CLI/CLI.hpp>

namespace samples
{

namespace
{

struct Forced
{
    const char* text;
    void (*apply)(renderer::Options&);
};

using renderer::BlendPathChoice;
using renderer::CoverageChoice;
using renderer::FallbackChoice;
using renderer::Options;
using renderer::SerialGeometryChoice;
using renderer::UbershaderChoice;
using renderer::VertexExecutorChoice;

constexpr Forced kForced[] = {
    {"blend=raster-order", [](Options& o) { o.blend_path = BlendPathChoice::RasterOrder; }},
    {"blend=interlock", [](Options& o) { o.blend_path = BlendPathChoice::Interlock; }},
    {"blend=barrier", [](Options& o) { o.blend_path = BlendPathChoice::Barrier; }},
    {"vertex=cpu", [](Options& o) { o.vertex_executor = VertexExecutorChoice::Cpu; }},
    {"vertex=compute", [](Options& o) { o.vertex_executor = VertexExecutorChoice::Compute; }},
    {"vertex=interpret", [](Options& o) { o.vertex_executor = VertexExecutorChoice::Interpret; }},
    {"geometry=device", [](Options& o) { o.serial_geometry = SerialGeometryChoice::Device; }},
    {"coverage=fixed", [](Options& o) { o.coverage = CoverageChoice::FixedFunction; }},
    {"coverage=shader", [](Options& o) { o.coverage = CoverageChoice::Shader; }},
    {"ubershader=first", [](Options& o) { o.ubershader = UbershaderChoice::First; }},
    {"ubershader=never", [](Options& o) { o.ubershader = UbershaderChoice::Never; }},
    {"ubershader=always", [](Options& o) { o.ubershader = UbershaderChoice::Always; }},
    {"ubershader=mixed", [](Options& o) { o.ubershader = UbershaderChoice::Mixed; }},
    {"standin=ubershader", [](Options& o) { o.fallback = FallbackChoice::Ubershader; }},
    {"standin=software", [](Options& o) { o.fallback = FallbackChoice::Software; }},
    {"stencil=software", [](Options& o) { o.masked_features.emplace_back("depth_stencil"); }},
    {"compiler=at-creation", [](Options& o) { o.masked_features.emplace_back("late_compiler"); }},
};

std::string choices()
{
    std::string text;
    for (const Forced& forced : kForced)
        text += (text.empty() ? "" : ", ") + std::string(forced.text);
    return text;
}

} // namespace

void add_backend_option(CLI::App& app, BackendChoice& choice)
{
    add_choice_option<BackendChoice>(app, "--backend", choice,
                                     {{"auto", BackendChoice::Auto},
                                      {"vulkan", BackendChoice::Vulkan},
                                      {"software", BackendChoice::Software}},
                                     "auto takes Vulkan unless its device is a CPU or there is none");
}

CLI::Option* add_scale_option(CLI::App& app, pica::u32& scale)
{
    return app.add_option("--scale", scale, "Draw at N times the resolution, 1 to 8")
        ->check(CLI::Range(1u, pica::SoftwareOptions::kMaxScale))
        ->option_text("N");
}

void add_ssaa_option(CLI::App& app, pica::u32& ssaa, const std::string& what)
{
    app.add_option("--ssaa", ssaa,
                   what + " K times smaller than they are drawn, each pixel the average of K x K; K "
                          "divides N of --scale")
        ->check(CLI::Range(1u, pica::SoftwareOptions::kMaxScale))
        ->option_text("K");
}

pica::Status check_ssaa(pica::u32 ssaa, pica::u32 scale)
{
    if (scale % ssaa != 0)
        return pica::Error{"--ssaa " + std::to_string(ssaa) + ": it must divide --scale " +
                           std::to_string(scale)};
    return {};
}

void add_device_options(CLI::App& app, renderer::Options& options)
{
    app.add_option("--device", options.device_name,
                   "Part of the name of the Vulkan device to use; picavk device lists them")
        ->option_text("NAME");
    app.add_option("--device-timeout", options.device_timeout,
                   "Seconds to wait for one submission until the Vulkan device counts as lost; devices that "
                   "compile while they draw may take minutes")
        ->check(CLI::Range(1u, 1000000u))
        ->option_text("SECONDS")
        ->default_str("3600");
    app.add_flag_callback(
        "--no-cache", [&options] { options.cache.directory.clear(); },
        "Neither read nor write picavk's own cache in $XDG_CACHE_HOME/picavk or ~/.cache/picavk");
}

void add_verbose_flag(CLI::App& app, bool& verbose)
{
    app.add_flag(
        "--verbose", verbose,
        "Tell on stderr also which backend and device draw, the device's features, self-test and limits, "
        "the paths chosen, and at the end what was compiled, what drew meanwhile, and waits");
}

void add_force_option(CLI::App& app, renderer::Options& options)
{
    app.add_option_function<std::vector<std::string>>(
           "--force",
           [&options](const std::vector<std::string>& wishes)
           {
               for (const std::string& wish : wishes)
               {
                   const Forced* found = nullptr;
                   for (const Forced& forced : kForced)
                   {
                       if (wish == forced.text)
                           found = &forced;
                   }
                   if (found == nullptr)
                       throw CLI::ValidationError("--force: " + wish + " is none of " + choices());
                   found->apply(options);
               }
           },
           "Force a path of the Vulkan backend: " + choices())
        ->allow_extra_args(false)
        ->option_text("KEY=VALUE ...");
}

} // namespace samples
