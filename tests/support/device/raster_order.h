// SPDX-License-Identifier: MIT
// Renderers for tests that ask for rasterization-order attachment access. Most GPUs have none.
#pragma once

#include "renderer/backend/renderer.h"

#include <memory>

namespace tests
{

// Renderer::create. Where options.blend_path is RasterOrder and the device lacks it, the renderer takes its own way, says so
// on stderr once, and options.blend_path is Auto. Any other failure is the result.
pica::Result<std::unique_ptr<renderer::Renderer>>
create_with_raster_order(renderer::Options& options, pica::GuestMemory& memory, pica::Report& report);

} // namespace tests
