// SPDX-License-Identifier: MIT
#include "renderer/draw/source_alpha.h"

#include "renderer/residency/opaque_textures.h"

namespace renderer
{

using pica::AlphaOperand;
using pica::BlendEquation;
using pica::BlendFactor;
using pica::CombinerOp;
using pica::CombinerSource;
using pica::FragmentKey;
using pica::OutputClass;
using pica::TextureType;
using pica::TextureWrap;
using pica::u32;
using pica::u8;

namespace
{

// What is known of an alpha: its value in every pixel, if the needs hold.
struct Alpha
{
    enum Value
    {
        Unknown,
        Zero,
        Full, // 255
    };
    Value value = Unknown;
    FullAlphaNeeds needs;

    bool is(Value v) const { return value == v; }
};

Alpha always(Alpha::Value value)
{
    return {value, {}};
}

// `alpha`, where what is known of `other` holds, too.
Alpha given(Alpha alpha, const Alpha& other)
{
    alpha.needs.vertices |= other.needs.vertices;
    alpha.needs.textures |= other.needs.textures;
    alpha.needs.constants |= other.needs.constants;
    return alpha;
}

Alpha inverted(Alpha alpha)
{
    if (!alpha.is(Alpha::Unknown))
        alpha.value = alpha.is(Alpha::Full) ? Alpha::Zero : Alpha::Full;
    return alpha;
}

Alpha product(const Alpha& a, const Alpha& b)
{
    if (a.is(Alpha::Zero) || b.is(Alpha::Full))
        return a.is(Alpha::Zero) ? a : given(a, b);
    if (b.is(Alpha::Zero) || a.is(Alpha::Full))
        return b.is(Alpha::Zero) ? b : given(b, a);
    return {};
}

Alpha sum(const Alpha& a, const Alpha& b)
{
    return inverted(product(inverted(a), inverted(b))); // of 0 and 255 it is the same
}

Alpha both(const Alpha& a, const Alpha& b)
{
    return a.value == b.value && !a.is(Alpha::Unknown) ? given(a, b) : Alpha{};
}

Alpha mixture(const Alpha& a, const Alpha& b, const Alpha& share)
{
    if (share.is(Alpha::Unknown))
        return both(a, b);
    return given(share.is(Alpha::Full) ? a : b, share);
}

Alpha combined(CombinerOp op, const Alpha& a, const Alpha& b, const Alpha& c)
{
    switch (op)
    {
    case CombinerOp::Replace:
        return a;
    case CombinerOp::Modulate:
        return product(a, b);
    case CombinerOp::Add:
        return sum(a, b);
    case CombinerOp::AddSigned:
        return both(a, b);
    case CombinerOp::Interpolate:
        return mixture(a, b, c);
    case CombinerOp::Subtract: // a - b, at least 0
        return product(a, inverted(b));
    case CombinerOp::MultiplyThenAdd:
        return sum(product(a, b), c);
    case CombinerOp::AddThenMultiply:
        return product(sum(a, b), c);
    case CombinerOp::Dot3Rgb:
    case CombinerOp::Dot3Rgba:
        break;
    }
    return {};
}

bool takes_border(TextureWrap wrap)
{
    return wrap == TextureWrap::ClampToBorder || wrap == TextureWrap::ClampToBorder2;
}

Alpha texture_alpha(const FragmentKey& key, u32 unit)
{
    const pica::TextureUnitKey& texture = key.texture[unit];
    if (texture.enabled() && texture.null_address != 0)
        return always(Alpha::Full);
    if (texture.type != TextureType::Texture2D && texture.type != TextureType::Projection)
        return {};
    Alpha alpha = always(Alpha::Full);
    alpha.needs.textures = static_cast<u8>(1u << unit);
    return alpha;
}

// Runs the alpha halves of the combiner stages on what is known.
class KnownAlphas
{
public:
    explicit KnownAlphas(const FragmentKey& key) : key_(key) {}

    Alpha result()
    {
        Alpha previous = always(Alpha::Zero);
        for (u32 i = 0; i < 6; ++i)
            previous = stage(i, previous);
        return previous;
    }

private:
    Alpha source(u32 stage, CombinerSource source, const Alpha& previous) const
    {
        Alpha alpha = always(Alpha::Full);
        switch (source)
        {
        case CombinerSource::PrimaryColor:
            alpha.needs.vertices = true;
            return alpha;
        case CombinerSource::FragmentPrimary:
            return key_.lighting.fresnel_primary != 0 ? Alpha{} : alpha;
        case CombinerSource::FragmentSecondary:
            return key_.lighting.fresnel_secondary != 0 ? Alpha{} : alpha;
        case CombinerSource::Texture0:
        case CombinerSource::Texture1:
        case CombinerSource::Texture2:
            return texture_alpha(key_, static_cast<u32>(source) - static_cast<u32>(CombinerSource::Texture0));
        case CombinerSource::Constant:
            alpha.needs.constants = static_cast<u8>(1u << stage);
            return alpha;
        case CombinerSource::Previous:
            return previous;
        case CombinerSource::Zero:
            return always(Alpha::Zero);
        default: // the combiner buffer, procedural textures
            return {};
        }
    }

    Alpha operand(u32 stage, u32 slot, const Alpha& previous) const
    {
        const pica::TexEnvStageKey& key = key_.texenv[stage];
        const bool is_zero = key.alpha_source[slot] == CombinerSource::Zero;
        if (!is_zero && !pica::read_by(key.alpha_operand[slot]).alpha)
            return {};
        const Alpha alpha = source(stage, key.alpha_source[slot], previous);
        return pica::is_inverted(key.alpha_operand[slot]) ? inverted(alpha) : alpha;
    }

    // A scale of 2 or 4 changes neither 0 nor 255.
    Alpha stage(u32 i, const Alpha& previous) const
    {
        const pica::TexEnvStageKey& key = key_.texenv[i];
        if (key.color_op == CombinerOp::Dot3Rgba)
            return {};
        std::array<Alpha, 3> operands;
        for (u32 slot = 0; slot < key.alpha_slots(); ++slot)
            operands[slot] = operand(i, slot, previous);
        return combined(key.alpha_op, operands[0], operands[1], operands[2]);
    }

    const FragmentKey& key_;
};

// Is the result of one half of the blending the source, if the source alpha is 255?
bool leaves_source(BlendEquation equation, BlendFactor source, BlendFactor destination)
{
    const bool all_of_source = source == BlendFactor::One || source == BlendFactor::SourceAlpha;
    const bool no_destination =
        destination == BlendFactor::Zero || destination == BlendFactor::OneMinusSourceAlpha;
    return all_of_source && no_destination &&
           (equation == BlendEquation::Add || equation == BlendEquation::Subtract ||
            equation == BlendEquation::Max);
}

bool would_be_opaque(const FragmentKey& key)
{
    const pica::BlendState& blend = key.fetch;
    return key.output == OutputClass::Fetch && key.shadow_map == pica::DepthMode::None &&
           key.gas == pica::GasKey{} && key.fog.mode != pica::FogMode::Gas && blend.logic == 0 &&
           blend.read_destination != 0 &&
           leaves_source(blend.equation_color, blend.source_color, blend.destination_color) &&
           leaves_source(blend.equation_alpha, blend.source_alpha, blend.destination_alpha);
}

} // namespace

FullAlphaNeeds full_alpha_needs(const FragmentKey& key)
{
    if (!would_be_opaque(key))
        return {};
    Alpha alpha = KnownAlphas(key).result();
    alpha.needs.possible = alpha.is(Alpha::Full);
    return alpha.needs.possible ? alpha.needs : FullAlphaNeeds{};
}

bool holds_without_vertices(const FullAlphaNeeds& needs, const pica::Draw& draw,
                            OpaqueTextures& opaque_textures, const std::array<bool, 3>& scaled_units)
{
    if (!needs.possible)
        return false;
    for (u32 stage = 0; stage < 6; ++stage)
        if ((needs.constants >> stage & 1) != 0 && draw.constants.texenv_color[stage] >> 24 != 0xFF)
            return false;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        if ((needs.textures >> unit & 1) == 0)
            continue;
        const pica::TextureUnitKey& key = draw.fragment.texture[unit];
        const bool border = takes_border(key.wrap_s) || takes_border(key.wrap_t);
        const bool scaled = scaled_units[unit] && stores_alpha(draw.texture[unit].format);
        if (scaled || (border && draw.constants.border_color[unit] >> 24 != 0xFF) ||
            !opaque_textures.contains(draw.texture[unit]))
            return false;
    }
    return true;
}

void make_opaque(FragmentKey& key, pica::OutputState& output)
{
    pica::BlendState blend;
    blend.source_color = blend.source_alpha = BlendFactor::One;
    blend.color_mask = key.fetch.color_mask;
    key.output = OutputClass::Opaque;
    key.fetch = {};
    output.blend = blend;
}

} // namespace renderer
