// SPDX-License-Identifier: MIT
#include "tests/support/scenes/plain_state.h"

#include "pica/base/float24.h"

namespace tests
{

void write_plain_state(CommandListBuilder& list)
{
    for (u32 stage = 0; stage < 6; ++stage)
    {
        const CombinerSource source = stage == 0 ? CombinerSource::PrimaryColor : CombinerSource::Previous;
        list.set(reg::TEXENV_SOURCE::color_1, source, stage);
        list.set(reg::TEXENV_SOURCE::alpha_1, source, stage);
        list.write(reg::TEXENV_OPERAND::ids[stage], 0);
        list.write(reg::TEXENV_COMBINER::ids[stage], 0);
        list.write(reg::TEXENV_SCALE::ids[stage], 0);
    }
    list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    list.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
    list.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
    list.write(reg::DEPTH_COLOR_MASK::id, 0x0F00);
    list.set(reg::COLORBUFFER_READ::enable, 0xF);
    list.set(reg::COLORBUFFER_WRITE::enable, 0xF);
    list.set(reg::DEPTHBUFFER_READ::enable, 3);
    list.set(reg::DEPTHBUFFER_WRITE::enable, 3);
    list.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(-1.0f));
    list.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::ZBuffer);
}

} // namespace tests
