// SPDX-License-Identifier: MIT
#include "pica/state/target_memory.h"

#include "pica/memory/address_span.h"
#include "pica/memory/guest_memory.h"

namespace pica
{

bool target_in_memory(const Draw& draw, const GuestMemory& memory, Report& report)
{
    const RenderTarget& target = draw.target;
    if (target.width == 0 || target.width % target.unit() != 0 || target.height == 0)
    {
        report.report(ReportKind::Guest, "framebuffer size",
                      target.block32 != 0 ? "width is no multiple of 32; nothing is drawn"
                                          : "width is no multiple of 8; nothing is drawn");
        return false;
    }
    const bool color = draw.fragment.output == OutputClass::None ||
                       !memory.span(target.color_address, target.color_bytes()).empty();
    const bool depth =
        target.has_depth == 0 || !memory.span(target.depth_address, target.depth_bytes()).empty();
    if (!color || !depth)
        report.report(ReportKind::Guest, "framebuffer outside memory", "nothing is drawn");
    if (!color || !depth)
        return false;
    if (draw.fragment.output != OutputClass::None && target.has_depth != 0 &&
        overlap(target.color_address, target.color_bytes(), target.depth_address, target.depth_bytes()))
    {
        report.report(ReportKind::Guest, "colour and depth buffer overlap", "nothing is drawn");
        return false;
    }
    const TextureBinding& gas = draw.gas_depth;
    if (draw.fragment.gas.accumulate != 0 &&
        overlap(gas.address, gas.byte_size(), target.color_address, target.color_bytes()))
    {
        report.report(ReportKind::Guest, "colour and depth buffer overlap", "nothing is drawn");
        return false;
    }
    return true;
}

} // namespace pica
