// SPDX-License-Identifier: MIT
#include "tests/support/device/raster_order.h"

#include <cstdio>
#include <mutex>
#include <string>

namespace tests
{

using namespace pica;

Result<std::unique_ptr<renderer::Renderer>> create_with_raster_order(renderer::Options& options,
                                                                     GuestMemory& memory, Report& report)
{
    auto made = renderer::Renderer::create(options, memory, report);
    const bool lacks_order =
        !made && options.blend_path == renderer::BlendPathChoice::RasterOrder &&
        made.error().message.find("has no rasterization-order attachment access") != std::string::npos;
    if (!lacks_order)
        return made;
    static std::once_flag told;
    std::call_once(told,
                   [&]
                   {
                       std::fprintf(stderr,
                                    "%s; \"raster order\" is the path that the renderer takes there\n",
                                    made.error().message.c_str());
                   });
    options.blend_path = renderer::BlendPathChoice::Auto;
    return renderer::Renderer::create(options, memory, report);
}

} // namespace tests
