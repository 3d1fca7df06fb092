// SPDX-License-Identifier: MIT
// The integer parts of the scalar reference: combiners, fog, blending, stencil, comparisons.
#include "tests/reference/reference_arithmetic.h"
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_rules.h"

#include <algorithm>

namespace tests
{

using namespace pica;

namespace
{

// --- Combiners (pica/hardware/combiners.md, "Operations")

// n / 255, or what else a combiner may do with it.
s32 combiner_quotient(s32 n)
{
    return is_exchanged(Exchange::CombinerNearest) ? (n + 127) / 255
           : is_exchanged(Exchange::CombinerShift) ? (n + (n >> 7)) >> 8
                                                   : n / 255;
}

s32 color_operand(ColorOperand operand, u32 rgba, u32 c)
{
    switch (static_cast<u32>(operand))
    {
    case 1:
        return static_cast<s32>(255 - channel(rgba, c));
    case 2:
        return static_cast<s32>(channel(rgba, 3));
    case 3:
        return static_cast<s32>(255 - channel(rgba, 3));
    case 4:
        return static_cast<s32>(channel(rgba, 0));
    case 5:
        return static_cast<s32>(255 - channel(rgba, 0));
    case 8:
        return static_cast<s32>(channel(rgba, 1));
    case 9:
        return static_cast<s32>(255 - channel(rgba, 1));
    case 12:
        return static_cast<s32>(channel(rgba, 2));
    case 13:
        return static_cast<s32>(255 - channel(rgba, 2));
    default:
        return static_cast<s32>(channel(rgba, c));
    }
}

s32 alpha_operand(AlphaOperand operand, u32 rgba)
{
    const u32 code = static_cast<u32>(operand);
    const u32 from[4] = {3, 0, 1, 2};
    const u32 value = channel(rgba, from[code / 2 % 4]);
    return static_cast<s32>(code % 2 ? 255 - value : value);
}

// --- Blending (pica/hardware/fragment-operations.md, "Blending")

u32 blend_factor(BlendFactor factor, u32 s, u32 d, u32 k, u32 c)
{
    switch (static_cast<u32>(factor))
    {
    case 0:
        return 0;
    case 2:
        return channel(s, c);
    case 3:
        return 255 - channel(s, c);
    case 4:
        return channel(d, c);
    case 5:
        return 255 - channel(d, c);
    case 6:
        return channel(s, 3);
    case 7:
        return 255 - channel(s, 3);
    case 8:
        return channel(d, 3);
    case 9:
        return 255 - channel(d, 3);
    case 10:
        return channel(k, c);
    case 11:
        return 255 - channel(k, c);
    case 12:
        return channel(k, 3);
    case 13:
        return 255 - channel(k, 3);
    case 14:
        return c == 3 ? 255 : std::min(channel(s, 3), 255 - channel(d, 3));
    default:
        return is_exchanged(Exchange::Factor15Source) && static_cast<u32>(factor) == 15 ? channel(s, c) : 255;
    }
}

s32 blend_quotient(s32 n)
{
    return is_exchanged(Exchange::BlendNearest) ? (n + (n < 0 ? -127 : 127)) / 255 : n / 255;
}

} // namespace

s32 reference_combine(CombinerOp op, s32 a, s32 b, s32 c)
{
    switch (static_cast<u32>(op))
    {
    case 0:
        return a;
    case 1:
        return combiner_quotient(a * b);
    case 2:
        return std::min(a + b, 255);
    case 3:
        return std::clamp(a + b - (is_exchanged(Exchange::AddSigned127) ? 127 : 128), 0, 255);
    case 4:
        return combiner_quotient(a * c + b * (255 - c));
    case 5:
        return std::max(a - b, 0);
    case 8:
        return std::min(combiner_quotient(a * b + 255 * c), 255);
    case 9:
        return combiner_quotient(std::min(a + b, 255) * c);
    default:
        return 0;
    }
}

u32 reference_texenv(const FragmentKey& key, const FragmentConstants& constants, const CombinerInputs& inputs)
{
    u32 buffer = 0;
    u32 next = constants.texenv_buffer_color;
    u32 previous = 0;
    for (u32 i = 0; i < 6; ++i)
    {
        const TexEnvStageKey& stage = key.texenv[i];
        const auto source = [&](CombinerSource id) -> u32
        {
            switch (static_cast<u32>(id))
            {
            case 0:
                return inputs.primary;
            case 1:
            case 2:
                return inputs.light[static_cast<u32>(id) - 1];
            case 3:
            case 4:
            case 5:
            case 6:
                return inputs.texture[static_cast<u32>(id) - 3];
            case 13:
                return buffer;
            case 14:
                return constants.texenv_color[i];
            case 15:
                return previous;
            default:
                return is_exchanged(Exchange::OffWhite)   ? 0xFFFFFFFF
                       : is_exchanged(Exchange::OffBlack) ? 0xFF000000
                                                          : 0;
            }
        };
        const auto rgb = [&](u32 slot, u32 c)
        { return color_operand(stage.color_operand[slot], source(stage.color_source[slot]), c); };
        const auto alpha = [&](u32 slot)
        { return alpha_operand(stage.alpha_operand[slot], source(stage.alpha_source[slot])); };

        s32 out[4];
        if (stage.color_op == CombinerOp::Dot3Rgb || stage.color_op == CombinerOp::Dot3Rgba)
        {
            s32 sum = 0;
            for (u32 c = 0; c < 3; ++c)
            {
                const s32 product = (2 * rgb(0, c) - 255) * (2 * rgb(1, c) - 255);
                sum += is_exchanged(Exchange::DotTruncated) ? product / 256
                       : is_exchanged(Exchange::DotBy255)   ? product / 255
                                                            : (product + 128) / 256;
            }
            out[0] = out[1] = out[2] = std::clamp(sum, 0, 255);
        }
        else
        {
            for (u32 c = 0; c < 3; ++c)
                out[c] = reference_combine(stage.color_op, rgb(0, c), rgb(1, c), rgb(2, c));
        }
        out[3] = stage.color_op == CombinerOp::Dot3Rgba
                     ? out[0]
                     : reference_combine(stage.alpha_op, alpha(0), alpha(1), alpha(2));
        u32 result = 0;
        for (u32 c = 0; c < 4; ++c)
        {
            const s32 scale = 1 << (c < 3 ? stage.color_shift : stage.alpha_shift);
            result |= static_cast<u32>(std::min(out[c] * scale, 255)) << (8 * c);
        }
        previous = result;
        buffer = next;
        if (i < 4 && key.buffer_color_update >> i & 1)
            next = (next & 0xFF000000u) | (result & 0xFFFFFFu);
        if (i < 4 && key.buffer_alpha_update >> i & 1)
            next = (next & 0xFFFFFFu) | (result & 0xFF000000u);
    }
    return previous;
}

u32 reference_blend(const BlendState& state, u32 source, u32 destination, u32 constant)
{
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
    {
        const bool rgb = c < 3;
        s32 p =
            static_cast<s32>(channel(source, c) * blend_factor(rgb ? state.source_color : state.source_alpha,
                                                               source, destination, constant, c));
        s32 q = static_cast<s32>(channel(destination, c) *
                                 blend_factor(rgb ? state.destination_color : state.destination_alpha, source,
                                              destination, constant, c));
        s32 value = 0;
        if (is_exchanged(Exchange::BlendTwice))
        {
            p = p / 255 * 255;
            q = q / 255 * 255;
        }
        switch (static_cast<u32>(rgb ? state.equation_color : state.equation_alpha))
        {
        case 1:
            value = blend_quotient(p - q);
            break;
        case 2:
            value = blend_quotient(q - p);
            break;
        case 3:
            value = is_exchanged(Exchange::MinimumPlain)
                        ? static_cast<s32>(std::min(channel(source, c), channel(destination, c)))
                        : blend_quotient(std::min(p, q));
            break;
        case 4:
            value = is_exchanged(Exchange::MinimumPlain)
                        ? static_cast<s32>(std::max(channel(source, c), channel(destination, c)))
                        : blend_quotient(std::max(p, q));
            break;
        default:
            value = blend_quotient(p + q);
            break;
        }
        result |= static_cast<u32>(std::clamp(value, 0, 255)) << (8 * c);
    }
    return result;
}

u32 reference_stencil(StencilOp op, u32 stored, u32 reference)
{
    switch (static_cast<u32>(op))
    {
    case 1:
        return 0;
    case 2:
        return reference;
    case 3:
        return std::min(stored + 1, 255u);
    case 4:
        return stored == 0 ? 0 : stored - 1;
    case 5:
        return 255 - stored;
    case 6:
        return (stored + 1) % 256;
    case 7:
        return (stored + 255) % 256;
    default:
        return stored;
    }
}

bool reference_compare(CompareFunc func, u32 a, u32 b)
{
    const bool results[8] = {false, true, a == b, a != b, a<b, a <= b, a> b, a >= b};
    return results[static_cast<u32>(func) & 7];
}

namespace
{

s64 fog_quotient(s64 n)
{
    return is_exchanged(Exchange::FogNearest) ? (n + 1023) / 2047
           : is_exchanged(Exchange::FogShift) ? n / 2048
                                              : n / 2047;
}

} // namespace

// Raw words of the table, whole numbers where the cores shift.
u32 reference_fog(const Luts& luts, bool flip, u32 fog_color, f32 d, u32 color)
{
    f32 x = std::clamp(d > 0.0f ? d : 0.0f, 0.0f, 1.0f);
    if (flip)
        x = 1.0f - x;
    const s64 position = static_cast<s64>(static_cast<double>(x) * 32768.0);
    const s64 i = std::min<s64>(position / 256, 127);
    const u32 word = luts.fog[static_cast<u32>(i)];
    const s64 value = word >> 13 & 0x7FF;
    const s64 difference = static_cast<s64>((word & 0x1FFF) ^ 0x1000) - 0x1000;
    const s64 product = difference * (position - i * 256);
    const s64 floored = product >= 0 ? product / 256 : -((-product + 255) / 256);
    const s64 share = std::clamp<s64>(value + floored, 0, 2047);
    const auto channel = [](u32 rgba, u32 c) { return s64{rgba >> (8 * c) & 255}; };
    u32 result = color & 0xFF000000;
    for (u32 c = 0; c < 3; ++c)
        result |=
            static_cast<u32>(fog_quotient(channel(color, c) * share + channel(fog_color, c) * (2047 - share)))
            << (8 * c);
    return result;
}

} // namespace tests
