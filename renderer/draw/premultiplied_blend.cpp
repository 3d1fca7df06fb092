// SPDX-License-Identifier: MIT
#include "renderer/draw/premultiplied_blend.h"

namespace renderer
{

using pica::BlendEquation;
using pica::BlendFactor;
using pica::BlendState;
using pica::ColorFormat;
using pica::OutputClass;

namespace
{

PremultipliedForm form_of_half(BlendEquation equation, BlendFactor source, BlendFactor destination)
{
    if (pica::reads_destination(source))
        return PremultipliedForm::None;
    if (destination == BlendFactor::One)
        return PremultipliedForm::Blended;
    return destination == BlendFactor::Zero && equation == BlendEquation::Add ? PremultipliedForm::Stored
                                                                              : PremultipliedForm::None;
}

} // namespace

PremultipliedForm premultiplied_form(const pica::FragmentKey& key)
{
    const BlendState& blend = key.fetch;
    if (key.output != OutputClass::Fetch || key.shadow_map != pica::DepthMode::None ||
        key.gas.accumulate != 0 || blend.logic != 0 || blend.read_destination == 0)
        return PremultipliedForm::None;
    const PremultipliedForm color =
        form_of_half(blend.equation_color, blend.source_color, blend.destination_color);
    const PremultipliedForm alpha =
        form_of_half(blend.equation_alpha, blend.source_alpha, blend.destination_alpha);
    if (color == PremultipliedForm::None || alpha == PremultipliedForm::None)
        return PremultipliedForm::None;
    if (color == PremultipliedForm::Stored && alpha == PremultipliedForm::Stored)
        return PremultipliedForm::Stored;
    // The fixed function works on the codes of the picture. These formats have fewer bits than the codes.
    const bool has_codes = key.color_format == ColorFormat::RGBA8 || key.color_format == ColorFormat::RGB8;
    return has_codes ? PremultipliedForm::Blended : PremultipliedForm::None;
}

void premultiply(pica::FragmentKey& key, pica::OutputState& output)
{
    const bool stored = premultiplied_form(key) == PremultipliedForm::Stored;
    BlendState shader, fixed;
    shader.read_destination = 0; // FragmentKey::premultiplies()
    shader.source_color = key.fetch.source_color;
    shader.source_alpha = key.fetch.source_alpha;
    const auto rounding = [](BlendEquation equation)
    { return equation == BlendEquation::ReverseSubtract ? equation : BlendEquation::Add; };
    shader.equation_color = rounding(key.fetch.equation_color);
    shader.equation_alpha = rounding(key.fetch.equation_alpha);
    fixed.color_mask = key.fetch.color_mask;
    fixed.source_color = fixed.source_alpha = BlendFactor::One;
    if (!stored)
    {
        fixed.equation_color = key.fetch.equation_color;
        fixed.equation_alpha = key.fetch.equation_alpha;
        fixed.destination_color = key.fetch.destination_color;
        fixed.destination_alpha = key.fetch.destination_alpha;
    }
    key.output = stored ? OutputClass::Opaque : OutputClass::FixedBlend;
    key.fetch = shader;
    output.blend = fixed;
}

} // namespace renderer
