// SPDX-License-Identifier: MIT
#include "tests/shadergen/random_states.h"

#include "pica/state/state_builder.h"

namespace tests
{

using shadergen::ColorOutput;
using shadergen::FetchPath;
using shadergen::RecordPath;
using shadergen::Target;

Draw random_draw(Random& random)
{
    RegisterFile regs;
    const u32 first = 0x040, last = 0x1D9;
    for (u32 id = first; id <= last; id++)
        regs.write(id, random.next());
    // What random values rarely give: legal combiners, formats, open gates.
    for (u32 i = 0; i < 6; i++)
    {
        const auto source = [&]
        {
            return random.pick({CombinerSource::PrimaryColor, CombinerSource::Texture0,
                                CombinerSource::Texture1, CombinerSource::Texture2, CombinerSource::Texture3,
                                CombinerSource::PreviousBuffer, CombinerSource::Constant,
                                CombinerSource::Previous, CombinerSource::FragmentPrimary,
                                CombinerSource::FragmentSecondary});
        };
        regs.set(reg::TEXENV_SOURCE::color_1, source(), i);
        regs.set(reg::TEXENV_SOURCE::color_2, source(), i);
        regs.set(reg::TEXENV_SOURCE::color_3, source(), i);
        regs.set(reg::TEXENV_SOURCE::alpha_1, source(), i);
        regs.set(reg::TEXENV_SOURCE::alpha_2, source(), i);
        regs.set(reg::TEXENV_SOURCE::alpha_3, source(), i);
        regs.set(reg::TEXENV_COMBINER::color_op, CombinerOp(random.below(10)), i);
        regs.set(reg::TEXENV_COMBINER::alpha_op, CombinerOp(random.below(10)), i);
    }
    regs.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, random.pick({FogMode::None, FogMode::Fog, FogMode::Gas}));
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::Texture2D, 0);
    for (u32 unit = 0; unit < 3; unit++)
        regs.set(reg::TEXUNIT_TYPE::format, TextureFormat(random.below(14)), unit);
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat(random.below(5)));
    regs.set(reg::DEPTHBUFFER_FORMAT::format,
             random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
    regs.set(reg::COLOR_OPERATION::fragment_operation,
             random.pick({FragmentOperation::Default, FragmentOperation::Gas}));
    return decode_draw(regs, FixedAttributes{}, DrawKind::Arrays).draw;
}

Target random_target(Random& random)
{
    Target target;
    target.rounding_mode_rte = random.chance(1, 2);
    target.nan_preserve = random.chance(1, 2);
    target.reciprocal_steps = u8(random.below(4));
    target.fetch_path = random.pick({FetchPath::InputAttachment, FetchPath::Interlock});
    target.record_path = random.pick({RecordPath::FlatVaryings, RecordPath::TexelBuffer});
    target.varying_words = random.pick({u8{60}, u8{88}, u8{120}});
    target.color_output = random.pick({ColorOutput::Uint, ColorOutput::Unorm});
    target.choice = random.pick({shadergen::Choice::Select, shadergen::Choice::Branch});
    target.coverage_in_shader = random.chance(1, 4);
    target.votes = random.chance(1, 2);
    target.gathers = random.chance(1, 2);
    target.flat_constants = random.chance(1, 2);
    target.scale = u8(1 + random.below(8));
    return target;
}

} // namespace tests
