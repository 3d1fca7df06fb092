// SPDX-License-Identifier: MIT
// What --verbose prints about the Vulkan backend, as reports of kind Info.
#pragma once

#include "pica/base/report.h"
#include "renderer/backend/renderer.h"

namespace samples
{

// Device, driver, features, self-test verdicts, chosen paths, limits.
void report_start(const renderer::Renderer& renderer, pica::Report& report);
// What was compiled, which fallback drew meanwhile, how often the CPU waited, memory.
void report_work(const renderer::Renderer& renderer, pica::Report& report);

} // namespace samples
