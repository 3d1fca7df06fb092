// SPDX-License-Identifier: MIT
#include "samples/cli/device_report.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace samples
{

void report_start(const renderer::Renderer& renderer, pica::Report& report)
{
    const std::string text = renderer.description();
    for (std::string_view rest = text; !rest.empty();)
    {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::size_t colon = line.find(": ");
        report.report(pica::ReportKind::Info, line.substr(0, colon), line.substr(colon + 2));
    }
}

void report_work(const renderer::Renderer& renderer, pica::Report& report)
{
    const renderer::Statistics s = renderer.statistics();
    const auto number = [](pica::u64 value) { return static_cast<unsigned long long>(value); };
    char line[200];
    const auto tell = [&](const char* cause) { report.report(pica::ReportKind::Info, cause, line); };
    std::snprintf(line, sizeof line,
                  "%u shader modules in %.0f ms, %u pipelines in %.0f ms, of these %llu by worker threads "
                  "(%llu before a draw "
                  "wanted them); %llu "
                  "could not be made there",
                  s.shader_modules, s.shader_ms, s.pipelines, s.pipeline_ms, number(s.worker_pipelines),
                  number(s.warmed_pipelines), number(s.worker_failures));
    tell("compiled");
    std::snprintf(
        line, sizeof line,
        "%llu in all, %llu by the ubershader (%llu waited for it, %.0f ms), %llu by the software core",
        number(s.draws), number(s.ubershader_draws), number(s.ubershader_waits), s.ubershader_wait_ms,
        number(s.fallback_draws + s.host_draws));
    tell("draws");
    std::snprintf(line, sizeof line, "%llu of the CPU for the device, in %llu submissions", number(s.waits),
                  number(s.submissions));
    tell("waits");
    std::snprintf(
        line, sizeof line,
        "%llu records read (%.1f kB), %llu not there, of these %llu refused; %llu written (%.1f kB); %u "
        "shader modules loaded in %.0f ms",
        number(s.cache_hits), double(s.cache_bytes_read) * 1e-3, number(s.cache_misses),
        number(s.cache_refused), number(s.cache_written), double(s.cache_bytes_written) * 1e-3,
        s.loaded_modules, s.load_ms);
    tell("disk cache");
    std::snprintf(line, sizeof line,
                  "%.1f MB on the device, of these %.1f MB textures, %.1f MB surfaces, %.1f MB planes, "
                  "%.1f MB uploads, %.1f MB guest memory, %.1f MB vertex work",
                  double(s.device_memory) * 1e-6, double(s.texture_memory) * 1e-6,
                  double(s.surface_memory) * 1e-6, double(s.plane_memory) * 1e-6,
                  double(s.upload_memory) * 1e-6, double(s.mirror_memory) * 1e-6,
                  double(s.vertex_memory) * 1e-6);
    tell("memory");
}

} // namespace samples
