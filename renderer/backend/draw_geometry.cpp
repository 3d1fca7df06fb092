// SPDX-License-Identifier: MIT
// Which draws with a geometry program the device may run (the program itself: geometry_work.cpp).
#include "pica/state/target_memory.h"
#include "renderer/backend/renderer_impl.h"

namespace renderer
{

using pica::OutputClass;

// A draw that is left out further on would leave the geometry unit behind: it runs on the CPU.
bool Renderer::Impl::takes_geometry(const pica::Draw& draw)
{
    const bool has_target = draw.fragment.output != OutputClass::None || draw.target.has_depth;
    const bool has_pixels = draw.scissor.x2 > draw.scissor.x1 && draw.scissor.y2 > draw.scissor.y1;
    return has_target && has_pixels && pica::target_in_memory(draw, guest_, report_) &&
           executor_->accepts_geometry(draw, vertex_stage_, guest_) &&
           (executor_->geometry_parts() == 1 || !samples_target(draw));
}

} // namespace renderer
