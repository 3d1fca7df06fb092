// SPDX-License-Identifier: MIT
#include "pica/state/framebuffer.h"

#include "pica/state/shadow_map.h"
#include "pica/texture/format.h"

#include <algorithm>

namespace pica
{

namespace
{

// Bytes of an image that consists of squares of unit x unit pixels. If sizes are not multiples of it, a row
// of squares still has the pitch of unit * width (framebuffer.md), so the last one may reach past width *
// height.
u32 tiled_bytes(u32 width, u32 height, u32 unit, u32 bytes)
{
    if (width == 0 || height == 0)
        return 0;
    return (((height - 1) / unit * width + (width - 1) / unit * unit) * unit + unit * unit) * bytes;
}

// The low 3 bits of the register have no effect: 64-byte alignment [HW, GBATEK].
PhysAddr buffer_address(u32 field)
{
    return (field & ~7u) << 3;
}

} // namespace

bool is_defined(ColorFormat format)
{
    return format <= ColorFormat::RGBA4;
}

bool is_defined(DepthFormat format)
{
    return format != static_cast<DepthFormat>(1);
}

u32 RenderTarget::color_bytes() const
{
    return tiled_bytes(width, height, unit(), bytes_per_pixel(color_format));
}

u32 RenderTarget::depth_bytes() const
{
    return has_depth != 0 ? tiled_bytes(width, height, unit(), bytes_per_pixel(depth_format)) : 0;
}

void decode_color_buffer(const RegisterFile& regs, RenderTarget& target, Findings& findings)
{
    target.width = static_cast<u16>(regs.get(reg::FRAMEBUFFER_DIM::width));
    target.height = static_cast<u16>(regs.get(reg::FRAMEBUFFER_DIM::height_minus_1) + 1);
    target.flip = regs.get(reg::FRAMEBUFFER_DIM::flip);
    target.color_address = buffer_address(regs.get(reg::COLORBUFFER_LOC::address));
    target.color_format = regs.get(reg::COLORBUFFER_FORMAT::format);
    if (!is_defined(target.color_format) && !is_shadow_map(regs))
    {
        // fragment_ops then writes no colour.
        findings.add(Finding::ColorFormatUndefined);
        target.color_format = ColorFormat::RGBA8;
    }
    target.block32 = regs.get(reg::FRAMEBUFFER_BLOCK32::enable);
}

void decode_depth_buffer(const RegisterFile& regs, RenderTarget& target)
{
    target.depth_address = buffer_address(regs.get(reg::DEPTHBUFFER_LOC::address));
    target.depth_format = regs.get(reg::DEPTHBUFFER_FORMAT::format);
}

void decode_scissor(const RegisterFile& regs, Draw& draw)
{
    const PixelRect whole{0, 0, draw.target.width, draw.target.height};
    draw.scissor = whole;
    draw.fragment.scissor_exclude = 0;
    FragmentConstants& constants = draw.constants;
    constants.scissor_x1 = constants.scissor_y1 = constants.scissor_x2 = constants.scissor_y2 = 0;

    const ScissorMode mode = regs.get(reg::SCISSORTEST_MODE::mode);
    if (mode == ScissorMode::Disabled || mode == ScissorMode::DisabledToo)
        return;
    // Inclusive in the registers, half-open here.
    PixelRect rect;
    rect.x1 = static_cast<s32>(regs.get(reg::SCISSORTEST_POS::x1));
    rect.y1 = static_cast<s32>(regs.get(reg::SCISSORTEST_POS::y1));
    rect.x2 = std::min(static_cast<s32>(regs.get(reg::SCISSORTEST_DIM::x2)) + 1, whole.x2);
    rect.y2 = std::min(static_cast<s32>(regs.get(reg::SCISSORTEST_DIM::y2)) + 1, whole.y2);
    const bool empty = rect.x1 >= rect.x2 || rect.y1 >= rect.y2;
    if (mode == ScissorMode::Include)
    {
        draw.scissor = empty ? PixelRect{} : rect;
        return;
    }
    if (empty)
        return; // excludes nothing
    if (rect == whole)
    {
        draw.scissor = PixelRect{};
        return;
    }
    draw.fragment.scissor_exclude = 1;
    constants.scissor_x1 = static_cast<u16>(rect.x1);
    constants.scissor_y1 = static_cast<u16>(rect.y1);
    constants.scissor_x2 = static_cast<u16>(rect.x2 - 1);
    constants.scissor_y2 = static_cast<u16>(rect.y2 - 1);
}

} // namespace pica
