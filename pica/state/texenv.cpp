// SPDX-License-Identifier: MIT
#include "pica/state/texenv.h"

namespace pica
{

namespace
{

constexpr std::array kColorSource = {reg::TEXENV_SOURCE::color_1, reg::TEXENV_SOURCE::color_2,
                                     reg::TEXENV_SOURCE::color_3};
constexpr std::array kAlphaSource = {reg::TEXENV_SOURCE::alpha_1, reg::TEXENV_SOURCE::alpha_2,
                                     reg::TEXENV_SOURCE::alpha_3};
constexpr std::array kColorOperand = {reg::TEXENV_OPERAND::color_1, reg::TEXENV_OPERAND::color_2,
                                      reg::TEXENV_OPERAND::color_3};
constexpr std::array kAlphaOperand = {reg::TEXENV_OPERAND::alpha_1, reg::TEXENV_OPERAND::alpha_2,
                                      reg::TEXENV_OPERAND::alpha_3};

constexpr u32 slot_count(CombinerOp op)
{
    switch (op)
    {
    case CombinerOp::Replace:
        return 1;
    case CombinerOp::Modulate:
    case CombinerOp::Add:
    case CombinerOp::AddSigned:
    case CombinerOp::Subtract:
    case CombinerOp::Dot3Rgb:
    case CombinerOp::Dot3Rgba:
        return 2;
    case CombinerOp::Interpolate:
    case CombinerOp::MultiplyThenAdd:
    case CombinerOp::AddThenMultiply:
        return 3;
    default:
        return 0;
    }
}

// Undefined operands act as rgb [ASM].
u8 color_operand(ColorOperand operand)
{
    switch (operand)
    {
    case ColorOperand::Rgb:
    case ColorOperand::OneMinusRgb:
    case ColorOperand::Alpha:
    case ColorOperand::OneMinusAlpha:
    case ColorOperand::Red:
    case ColorOperand::OneMinusRed:
    case ColorOperand::Green:
    case ColorOperand::OneMinusGreen:
    case ColorOperand::Blue:
    case ColorOperand::OneMinusBlue:
        return static_cast<u8>(operand);
    default:
        return static_cast<u8>(ColorOperand::Rgb);
    }
}

u8 shift_of(CombinerScale scale)
{
    return scale == CombinerScale::OneToo ? u8{0} : static_cast<u8>(scale);
}

// Which channels of a value are read.
struct Channels
{
    bool color = false;
    bool alpha = false;
    void add(Channels other)
    {
        color |= other.color;
        alpha |= other.alpha;
    }
};

Channels read_by_color_operand(u8 operand)
{
    const bool alpha = operand == static_cast<u8>(ColorOperand::Alpha) ||
                       operand == static_cast<u8>(ColorOperand::OneMinusAlpha);
    return {!alpha, alpha};
}

Channels read_by_alpha_operand(u8 operand)
{
    const bool alpha = operand <= static_cast<u8>(AlphaOperand::OneMinusAlpha);
    return {!alpha, alpha};
}

// Decodes one stage after the other, from the last to the first, so that each knows which of its results are
// read.
class Decoder
{
public:
    Decoder(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw, Findings& findings)
        : regs_(regs), inputs_(inputs), draw_(draw), findings_(findings)
    {
    }

    u8 run()
    {
        FragmentKey& key = draw_.fragment;
        const u32 color_update = regs_.get(reg::TEXENV_UPDATE_BUFFER::color_update);
        const u32 alpha_update = regs_.get(reg::TEXENV_UPDATE_BUFFER::alpha_update);
        key.buffer_color_update = key.buffer_alpha_update = 0;

        // `out`: channels of this stage's result that are read. `buffer`, `next`: of the combiner buffer and
        // of its pending value after this stage (pica/hardware/combiners.md, "Combiner buffer").
        Channels out{inputs_.needs.color != 0 || inputs_.gas != 0,
                     inputs_.needs.alpha != 0 || inputs_.gas != 0};
        Channels buffer, next;
        for (u32 i = 6; i-- > 0;)
        {
            const bool writes_color = i < 4 && (color_update >> i & 1) != 0 && next.color;
            const bool writes_alpha = i < 4 && (alpha_update >> i & 1) != 0 && next.alpha;
            key.buffer_color_update |= static_cast<u8>(writes_color << i);
            key.buffer_alpha_update |= static_cast<u8>(writes_alpha << i);
            const Channels needed{out.color || writes_color, out.alpha || writes_alpha};
            const Channels pending{buffer.color || (next.color && !writes_color),
                                   buffer.alpha || (next.alpha && !writes_alpha)};
            previous_ = buffer_ = Channels{};
            decode_stage(i, needed);
            out = previous_;
            buffer = buffer_;
            next = pending;
        }
        draw_.constants.texenv_buffer_color =
            next.color || next.alpha ? regs_[reg::TEXENV_BUFFER_COLOR::id] : 0;

        return textures_;
    }

private:
    void decode_stage(u32 i, Channels needed)
    {
        TexEnvStageKey& stage = draw_.fragment.texenv[i];
        stage = TexEnvStageKey{};
        bool constant = false;
        const CombinerOp color_op = regs_.get(reg::TEXENV_COMBINER::color_op, i);
        const bool dot3_alpha = color_op == CombinerOp::Dot3Rgba;

        if (needed.color || (dot3_alpha && needed.alpha))
        {
            stage.color_op = color_op;
            const u32 slots = slot_count(color_op);
            for (u32 slot = 0; slot < slots; ++slot)
            {
                stage.color_operand[slot] = color_operand(regs_.get(kColorOperand[slot], i));
                stage.color_source[slot] =
                    source(i, regs_.get(kColorSource[slot], i), regs_.get(kColorSource[2], i),
                           read_by_color_operand(stage.color_operand[slot]), constant);
            }
            if (slots == 0) // undefined operations give 0 [EMU]
            {
                stage.color_op = CombinerOp::Replace;
                stage.color_source[0] = kZeroSource;
            }
            else if (needed.color)
            {
                stage.color_shift = shift_of(regs_.get(reg::TEXENV_SCALE::color_scale, i));
            }
        }
        else
        {
            stage.color_source[0] = i == 0 ? kZeroSource : CombinerSource::Previous;
        }

        if (needed.alpha && dot3_alpha)
        {
            stage.alpha_shift = shift_of(regs_.get(reg::TEXENV_SCALE::alpha_scale, i));
        }
        else if (needed.alpha)
        {
            CombinerOp alpha_op = regs_.get(reg::TEXENV_COMBINER::alpha_op, i);
            const bool dot3 = alpha_op == CombinerOp::Dot3Rgb || alpha_op == CombinerOp::Dot3Rgba;
            const u32 slots = dot3 ? 0 : slot_count(alpha_op);
            stage.alpha_op = alpha_op;
            for (u32 slot = 0; slot < slots; ++slot)
            {
                stage.alpha_operand[slot] = static_cast<u8>(regs_.get(kAlphaOperand[slot], i));
                stage.alpha_source[slot] =
                    source(i, regs_.get(kAlphaSource[slot], i), regs_.get(kAlphaSource[2], i),
                           read_by_alpha_operand(stage.alpha_operand[slot]), constant);
            }
            if (slots == 0)
            {
                stage.alpha_op = CombinerOp::Replace;
                stage.alpha_source[0] = kZeroSource;
            }
            else
            {
                stage.alpha_shift = shift_of(regs_.get(reg::TEXENV_SCALE::alpha_scale, i));
            }
        }
        else if (stage.color_op != CombinerOp::Dot3Rgba)
        {
            stage.alpha_source[0] = i == 0 ? kZeroSource : CombinerSource::Previous;
        }
        draw_.constants.texenv_color[i] = constant ? regs_[reg::TEXENV_COLOR::ids[i]] : 0;
    }

    // The canonical source of a slot that is read. Also records what the slot reads.
    CombinerSource source(u32 stage, CombinerSource raw, CombinerSource third, Channels read, bool& constant)
    {
        // Stage 0 has no previous stage: the source of the third slot replaces it [DOC, EMU].
        if (stage == 0 && raw == CombinerSource::Previous)
            raw = third;
        switch (raw)
        {
        case CombinerSource::PrimaryColor:
            return raw;
        case CombinerSource::Texture0:
        case CombinerSource::Texture1:
        case CombinerSource::Texture2:
        {
            const u32 unit = static_cast<u32>(raw) - static_cast<u32>(CombinerSource::Texture0);
            textures_ |= static_cast<u8>(1u << unit);
            return (inputs_.textures >> unit & 1) != 0 ? raw : kZeroSource;
        }
        case CombinerSource::Previous:
            if (stage == 0)
                return kZeroSource;
            previous_.add(read);
            return raw;
        case CombinerSource::PreviousBuffer:
            if (stage == 0)
                return kZeroSource;
            buffer_.add(read);
            return raw;
        case CombinerSource::Constant:
            constant = true;
            return raw;
        case CombinerSource::FragmentPrimary:
        case CombinerSource::FragmentSecondary:
            return inputs_.lighting != 0 ? raw : kZeroSource;
        case CombinerSource::Texture3:
            textures_ |= 8;
            // A texture unit that is off gives 0 [our rule].
            return inputs_.procedural != 0 ? raw : kZeroSource;
        default:
            return kZeroSource; // [ASM]
        }
    }

    const RegisterFile& regs_;
    const CombinerInputs& inputs_;
    Draw& draw_;
    Findings& findings_;
    Channels previous_; // channels of the stage before that the current one reads
    Channels buffer_;
    u8 textures_ = 0;
};

} // namespace

u32 TexEnvStageKey::color_slots() const
{
    return slot_count(color_op);
}

u32 TexEnvStageKey::alpha_slots() const
{
    return color_op == CombinerOp::Dot3Rgba ? 0 : slot_count(alpha_op);
}

bool TexEnvStageKey::is_pass_through() const
{
    return color_op == CombinerOp::Replace && alpha_op == CombinerOp::Replace && color_shift == 0 &&
           alpha_shift == 0 && color_source[0] == CombinerSource::Previous &&
           alpha_source[0] == CombinerSource::Previous &&
           color_operand[0] == static_cast<u8>(ColorOperand::Rgb) &&
           alpha_operand[0] == static_cast<u8>(AlphaOperand::Alpha);
}

u8 decode_texenv(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw, Findings& findings)
{
    return Decoder(regs, inputs, draw, findings).run();
}

} // namespace pica
