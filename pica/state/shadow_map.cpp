// SPDX-License-Identifier: MIT
#include "pica/state/shadow_map.h"

#include "pica/base/float24.h"

namespace pica
{

bool is_shadow_map(const RegisterFile& regs)
{
    return regs.get(reg::COLOR_OPERATION::fragment_operation) == FragmentOperation::Shadow;
}

CombinerNeeds decode_shadow_map(const RegisterFile& regs, Draw& draw)
{
    FragmentKey& key = draw.fragment;
    draw.output = OutputState{};
    draw.output.blend.color_mask = 15;
    key.shadow_map = depth_mode(regs);
    key.output = OutputClass::Fetch;
    key.fetch = BlendState{};
    key.alpha_func = CompareFunc::Always;
    key.color_format = draw.target.color_format = ColorFormat::RGBA8;
    key.depth = DepthMode::None;
    key.depth16 = 0;
    key.depth_zero = DepthZero::None;
    FragmentConstants& constants = draw.constants;
    constants.blend_color = 0;
    constants.alpha_reference = constants.stencil_reference = 0;
    constants.stencil_compare_mask = constants.stencil_write_mask = 0;
    decode_depth_map(regs, constants);
    constants.shadow_constant = float16_register(regs.get(reg::FRAGOP_SHADOW::constant));
    constants.shadow_linear = float16_register(regs.get(reg::FRAGOP_SHADOW::linear));
    draw.target.has_depth = 0;
    draw.target.depth_address = 0;
    draw.target.depth_format = DepthFormat{};
    return {1, 0}; // green
}

} // namespace pica
