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

bool is_defined(CombinerOp op)
{
    return op <= CombinerOp::AddThenMultiply;
}

bool is_dot3(CombinerOp op)
{
    return op == CombinerOp::Dot3Rgb || op == CombinerOp::Dot3Rgba;
}

// Undefined operands act as rgb [ASM].
ColorOperand defined_operand(ColorOperand operand)
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
        return operand;
    }
    return ColorOperand::Rgb;
}

u8 shift_of(CombinerScale scale)
{
    return scale == CombinerScale::OneToo ? u8{0} : static_cast<u8>(scale);
}

// Decodes one stage after the other, from the last to the first, so that each knows which of its results are
// read.
class TexEnvDecoder
{
public:
    TexEnvDecoder(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw)
        : regs_(regs), inputs_(inputs), draw_(draw)
    {
    }

    CombinerReads run()
    {
        FragmentKey& key = draw_.fragment;
        const u32 color_update = regs_.get(reg::TEXENV_UPDATE_BUFFER::color_update);
        const u32 alpha_update = regs_.get(reg::TEXENV_UPDATE_BUFFER::alpha_update);
        key.buffer_color_update = key.buffer_alpha_update = 0;

        // `out`: channels of this stage's result that are read. `buffer`, `next`: of the combiner buffer and
        // of its pending value after this stage (pica/hardware/combiners.md, "Combiner buffer").
        ColorChannels out{inputs_.needs.color != 0 || inputs_.gas != 0,
                          inputs_.needs.alpha != 0 || inputs_.gas != 0};
        ColorChannels buffer, next;
        for (u32 i = 6; i-- > 0;)
        {
            const bool writes_color = i < 4 && (color_update >> i & 1) != 0 && next.color;
            const bool writes_alpha = i < 4 && (alpha_update >> i & 1) != 0 && next.alpha;
            key.buffer_color_update |= static_cast<u8>(writes_color << i);
            key.buffer_alpha_update |= static_cast<u8>(writes_alpha << i);
            const ColorChannels needed{out.color || writes_color, out.alpha || writes_alpha};
            const ColorChannels pending{buffer.color || (next.color && !writes_color),
                                        buffer.alpha || (next.alpha && !writes_alpha)};
            previous_ = buffer_ = ColorChannels{};
            decode_stage(i, needed);
            out = previous_;
            buffer = buffer_;
            next = pending;
        }
        draw_.constants.texenv_buffer_color =
            next.color || next.alpha ? regs_[reg::TEXENV_BUFFER_COLOR::id] : 0;
        decode_texenv_constants(regs_, reads_.constants, draw_);
        return reads_;
    }

private:
    void decode_stage(u32 i, ColorChannels needed)
    {
        TexEnvStageKey& stage = draw_.fragment.texenv[i];
        stage = TexEnvStageKey{};
        const bool dot3_alpha = regs_.get(reg::TEXENV_COMBINER::color_op, i) == CombinerOp::Dot3Rgba;
        const CombinerSource unused = i == 0 ? CombinerSource::Zero : CombinerSource::Previous;

        if (needed.color || (dot3_alpha && needed.alpha))
            decode_color(i, needed.color, stage);
        else
            stage.color_source[0] = unused;

        if (needed.alpha && dot3_alpha)
            stage.alpha_shift = shift_of(regs_.get(reg::TEXENV_SCALE::alpha_scale, i));
        else if (needed.alpha)
            decode_alpha(i, stage);
        else if (stage.color_op != CombinerOp::Dot3Rgba)
            stage.alpha_source[0] = unused;
    }

    // is_scaled: the colour itself is read, not only the alpha that Dot3Rgba makes of it.
    void decode_color(u32 i, bool is_scaled, TexEnvStageKey& stage)
    {
        const CombinerOp op = regs_.get(reg::TEXENV_COMBINER::color_op, i);
        if (!is_defined(op)) // gives 0 [EMU]
        {
            stage.color_source[0] = CombinerSource::Zero;
            return;
        }
        stage.color_op = op;
        for (u32 slot = 0; slot < combiner_slots(op); ++slot)
        {
            stage.color_operand[slot] = defined_operand(regs_.get(kColorOperand[slot], i));
            stage.color_source[slot] =
                source(i, regs_.get(kColorSource[slot], i), regs_.get(kColorSource[2], i),
                       read_by(stage.color_operand[slot]));
        }
        if (is_scaled)
            stage.color_shift = shift_of(regs_.get(reg::TEXENV_SCALE::color_scale, i));
    }

    void decode_alpha(u32 i, TexEnvStageKey& stage)
    {
        const CombinerOp op = regs_.get(reg::TEXENV_COMBINER::alpha_op, i);
        // Undefined operations give 0 [EMU], and so do the dot products [ASM] (combiners.md, "Operations").
        if (!is_defined(op) || is_dot3(op))
        {
            stage.alpha_source[0] = CombinerSource::Zero;
            return;
        }
        stage.alpha_op = op;
        for (u32 slot = 0; slot < combiner_slots(op); ++slot)
        {
            stage.alpha_operand[slot] = regs_.get(kAlphaOperand[slot], i);
            stage.alpha_source[slot] =
                source(i, regs_.get(kAlphaSource[slot], i), regs_.get(kAlphaSource[2], i),
                       read_by(stage.alpha_operand[slot]));
        }
        stage.alpha_shift = shift_of(regs_.get(reg::TEXENV_SCALE::alpha_scale, i));
    }

    // The canonical source of a slot that is read. Also records what the slot reads.
    CombinerSource source(u32 stage, CombinerSource raw, CombinerSource third, ColorChannels read)
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
            reads_.textures |= static_cast<u8>(1u << unit);
            return (inputs_.textures >> unit & 1) != 0 ? raw : CombinerSource::Zero;
        }
        case CombinerSource::Previous:
            if (stage == 0)
                return CombinerSource::Zero; // [ASM]
            previous_.add(read);
            return raw;
        case CombinerSource::PreviousBuffer:
            if (stage == 0)
                return CombinerSource::Zero; // [ASM]
            buffer_.add(read);
            return raw;
        case CombinerSource::Constant:
            reads_.constants |= static_cast<u8>(1u << stage);
            return raw;
        case CombinerSource::FragmentPrimary:
        case CombinerSource::FragmentSecondary:
            reads_.lighting |= inputs_.lighting;
            return inputs_.lighting != 0 ? raw : CombinerSource::Zero;
        case CombinerSource::Texture3:
            reads_.textures |= 8;
            // A texture unit that is off gives 0 [our rule].
            return inputs_.procedural != 0 ? raw : CombinerSource::Zero;
        case CombinerSource::Zero:
            break;
        }
        return CombinerSource::Zero; // undefined sources [ASM]
    }

    const RegisterFile& regs_;
    const CombinerInputs& inputs_;
    Draw& draw_;
    ColorChannels previous_; // channels of the stage before that the current one reads
    ColorChannels buffer_;
    CombinerReads reads_;
};

} // namespace

ColorChannels read_by(ColorOperand operand)
{
    const bool alpha = operand == ColorOperand::Alpha || operand == ColorOperand::OneMinusAlpha;
    return {!alpha, alpha};
}

ColorChannels read_by(AlphaOperand operand)
{
    const bool alpha = operand == AlphaOperand::Alpha || operand == AlphaOperand::OneMinusAlpha;
    return {!alpha, alpha};
}

u32 combiner_slots(CombinerOp op)
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
        break;
    }
    return 3;
}

u32 TexEnvStageKey::color_slots() const
{
    return combiner_slots(color_op);
}

u32 TexEnvStageKey::alpha_slots() const
{
    return color_op == CombinerOp::Dot3Rgba ? 0 : combiner_slots(alpha_op);
}

bool TexEnvStageKey::is_pass_through() const
{
    return color_op == CombinerOp::Replace && alpha_op == CombinerOp::Replace && color_shift == 0 &&
           alpha_shift == 0 && color_source[0] == CombinerSource::Previous &&
           alpha_source[0] == CombinerSource::Previous && color_operand[0] == ColorOperand::Rgb &&
           alpha_operand[0] == AlphaOperand::Alpha;
}

CombinerReads decode_texenv(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw)
{
    return TexEnvDecoder(regs, inputs, draw).run();
}

void decode_texenv_constants(const RegisterFile& regs, u8 constants, Draw& draw)
{
    for (u32 i = 0; i < 6; ++i)
        draw.constants.texenv_color[i] = (constants >> i & 1) != 0 ? regs[reg::TEXENV_COLOR::ids[i]] : 0;
}

} // namespace pica
