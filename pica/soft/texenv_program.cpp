// SPDX-License-Identifier: MIT
// Translates the six combiner stages into straight code. The result of a stage is a pair of registers (one
// read for RGB, one for alpha), so that stages that only replace, the combiner buffer, and different
// operations for RGB and alpha cost nothing until both parts are needed in one register. Source:
// combiners.md. Tests: soft_texenv_test.cpp.
#include "pica/soft/texenv_program.h"

#include "pica/state/draw.h"

namespace pica::soft
{

namespace
{

constexpr std::array<u8, 4> kIdentity = {0, 1, 2, 3};

// The registers that hold RGB and alpha of a colour.
struct Value
{
    u8 rgb = 0;
    u8 alpha = 0;
};

enum class Part : u8
{
    Both,
    Rgb,
    Alpha,
};

struct Operand
{
    std::array<u8, 3> channel{}; // of the source, for each result channel
    bool invert = false;
};

Operand color_operand(ColorOperand operand)
{
    const bool invert = is_inverted(operand);
    switch (operand)
    {
    case ColorOperand::Rgb:
    case ColorOperand::OneMinusRgb:
        break;
    case ColorOperand::Alpha:
    case ColorOperand::OneMinusAlpha:
        return {{3, 3, 3}, invert};
    case ColorOperand::Red:
    case ColorOperand::OneMinusRed:
        return {{0, 0, 0}, invert};
    case ColorOperand::Green:
    case ColorOperand::OneMinusGreen:
        return {{1, 1, 1}, invert};
    case ColorOperand::Blue:
    case ColorOperand::OneMinusBlue:
        return {{2, 2, 2}, invert};
    }
    return {{0, 1, 2}, invert};
}

Operand alpha_operand(AlphaOperand operand)
{
    constexpr std::array<u8, 4> kChannel = {3, 0, 1, 2};
    return {{kChannel[static_cast<u32>(operand) >> 1]}, is_inverted(operand)};
}

class Compiler
{
public:
    Compiler(const FragmentKey& key, const FragmentConstants& constants, TexEnvProgram& program)
        : key_(key), constants_(constants), program_(program)
    {
        program_.instruction_count = 0;
        program_.constant_count = 0;
    }

    void compile()
    {
        const u8 zero = constant(0);
        previous_ = buffer_ = {zero, zero};
        const u8 initial = constant(constants_.texenv_buffer_color);
        Value next = {initial, initial};
        for (u32 i = 0; i < 6; ++i)
        {
            previous_ = stage(i);
            buffer_ = next;
            if (i < 4 && key_.buffer_color_update >> i & 1)
                next.rgb = previous_.rgb;
            if (i < 4 && key_.buffer_alpha_update >> i & 1)
                next.alpha = previous_.alpha;
        }
        program_.result = combine_parts(previous_, kIdentity, {0, 0, 0, 0}, kFinalRegister);
    }

private:
    u8 constant(u32 word)
    {
        for (u32 i = 0; i < program_.constant_count; ++i)
            if (program_.constant[i] == word)
                return static_cast<u8>(kFirstConstant + i);
        program_.constant[program_.constant_count] = word;
        return static_cast<u8>(kFirstConstant + program_.constant_count++);
    }
    u32 constant_channel(u8 reg, u32 channel) const
    {
        return program_.constant[reg - kFirstConstant] >> (8 * channel) & 255;
    }

    TexEnvInstruction& emit(TexEnvInstruction::Kind kind, u8 d, u8 a)
    {
        TexEnvInstruction& in = program_.instruction[program_.instruction_count++];
        in.kind = kind;
        in.d = d;
        in.a = a;
        return in;
    }

    Value source(CombinerSource id, u32 i)
    {
        const auto both = [](u8 reg) { return Value{reg, reg}; };
        switch (id)
        {
        case CombinerSource::PrimaryColor:
            return both(kPrimaryRegister);
        case CombinerSource::FragmentPrimary:
            return both(key_.lighting.primary ? u8{kFragmentPrimaryRegister} : constant(0));
        case CombinerSource::FragmentSecondary:
            return both(key_.lighting.secondary ? u8{kFragmentSecondaryRegister} : constant(0));
        case CombinerSource::Texture0:
        case CombinerSource::Texture1:
        case CombinerSource::Texture2:
        {
            const u32 unit = static_cast<u32>(id) - static_cast<u32>(CombinerSource::Texture0);
            const TextureUnitKey& texture = key_.texture[unit];
            if (!texture.enabled())
                return both(constant(0));
            return both(texture.null_address ? constant(0xFF000000u)
                                             : static_cast<u8>(kTextureRegister + unit));
        }
        case CombinerSource::Texture3:
            return both(key_.proctex.enabled ? static_cast<u8>(kTextureRegister + 3) : constant(0));
        case CombinerSource::PreviousBuffer:
            return buffer_;
        case CombinerSource::Constant:
            return both(constant(constants_.texenv_color[i]));
        case CombinerSource::Previous:
            return previous_;
        case CombinerSource::Zero:
            break;
        }
        return both(constant(0));
    }

    // Returns a register that holds channel[c] of v in channel c, inverted if asked for. channel 4 = not
    // needed.
    u8 combine_parts(Value v, std::array<u8, 4> channel, std::array<u16, 4> invert, u8 d)
    {
        const auto reg = [&](u32 c) { return channel[c] == 3 ? v.alpha : v.rgb; };
        std::array<u8, 4> first = channel;
        std::array<u8, 4> second = {kZeroChannel, kZeroChannel, kZeroChannel, kZeroChannel};
        u8 a = 0;
        u8 b = 0;
        bool has_a = false;
        bool has_b = false;
        bool plain = true;
        bool is_constant = true;
        for (u32 c = 0; c < 4; ++c)
        {
            if (channel[c] == kZeroChannel)
                continue;
            plain = plain && channel[c] == c && invert[c] == 0;
            is_constant = is_constant && reg(c) >= kFirstConstant;
            if (!has_a || reg(c) == a)
            {
                a = reg(c);
                has_a = true;
                continue;
            }
            b = reg(c);
            has_b = true;
            first[c] = kZeroChannel;
            second[c] = channel[c];
        }
        if (plain && !has_b)
            return a;
        if (is_constant)
        {
            u32 word = 0;
            for (u32 c = 0; c < 4; ++c)
                if (channel[c] != kZeroChannel)
                    word |= (constant_channel(reg(c), channel[c]) ^ invert[c]) << (8 * c);
            return constant(word);
        }
        TexEnvInstruction& in =
            emit(has_b ? TexEnvInstruction::Kind::Select2 : TexEnvInstruction::Kind::Select, d, a);
        in.b = b;
        in.factor = invert;
        in.select = channel_select(first);
        in.select2 = channel_select(second);
        return d;
    }

    u8 operand(u32 i, u32 slot, Part part, u8 d)
    {
        const TexEnvStageKey& stage = key_.texenv[i];
        const Operand rgb = color_operand(stage.color_operand[slot]);
        const Operand alpha = alpha_operand(stage.alpha_operand[slot]);
        const Value rgb_source = source(stage.color_source[slot], i);
        const Value alpha_source = source(stage.alpha_source[slot], i);
        std::array<u8, 4> channel = {rgb.channel[0], rgb.channel[1], rgb.channel[2], alpha.channel[0]};
        const u16 invert_rgb = rgb.invert ? 255 : 0;
        std::array<u16, 4> invert = {invert_rgb, invert_rgb, invert_rgb,
                                     static_cast<u16>(alpha.invert ? 255 : 0)};
        if (part == Part::Alpha)
            channel[0] = channel[1] = channel[2] = kZeroChannel;
        if (part == Part::Rgb)
            channel[3] = kZeroChannel;
        if (part != Part::Both)
            return combine_parts(part == Part::Rgb ? rgb_source : alpha_source, channel, invert, d);
        // The two halves may have different sources, so first put each into one register.
        const u8 rgb_register = channel[0] == 3 ? rgb_source.alpha : rgb_source.rgb;
        const u8 alpha_register = channel[3] == 3 ? alpha_source.alpha : alpha_source.rgb;
        return select_pair(rgb_register, alpha_register, channel, invert, d);
    }

    // Channels 0-2 come from one register, channel 3 from another, whatever the channels read.
    u8 select_pair(u8 rgb_register, u8 alpha_register, std::array<u8, 4> channel, std::array<u16, 4> invert,
                   u8 d)
    {
        const bool plain = channel == kIdentity && invert == std::array<u16, 4>{0, 0, 0, 0};
        if (rgb_register == alpha_register && plain)
            return rgb_register;
        if (rgb_register >= kFirstConstant && alpha_register >= kFirstConstant)
        {
            u32 word = 0;
            for (u32 c = 0; c < 4; ++c)
                word |= (constant_channel(c < 3 ? rgb_register : alpha_register, channel[c]) ^ invert[c])
                        << (8 * c);
            return constant(word);
        }
        const bool one = rgb_register == alpha_register;
        TexEnvInstruction& in =
            emit(one ? TexEnvInstruction::Kind::Select : TexEnvInstruction::Kind::Select2, d, rgb_register);
        in.b = alpha_register;
        in.factor = invert;
        in.select = channel_select(one ? channel
                                       : std::array<u8, 4>{channel[0], channel[1], channel[2], kZeroChannel});
        in.select2 = channel_select({kZeroChannel, kZeroChannel, kZeroChannel, channel[3]});
        return d;
    }

    u8 combine(u32 i, CombinerOp op, Part part, u8 d, u32 color_shift, u32 alpha_shift)
    {
        u8 result = d;
        if (op == CombinerOp::Replace)
            result = operand(i, 0, part, d);
        else
        {
            std::array<u8, 3> operands{};
            for (u32 slot = 0; slot < combiner_slots(op); ++slot)
                operands[slot] = operand(i, slot, part, static_cast<u8>(kTemporaryRegister + slot));
            TexEnvInstruction& in = emit(TexEnvInstruction::Kind::Combine, d, operands[0]);
            in.op = op;
            in.b = operands[1];
            in.c = operands[2];
        }
        if (color_shift == 0 && alpha_shift == 0)
            return result;
        const u16 rgb = static_cast<u16>(1u << color_shift);
        emit(TexEnvInstruction::Kind::Scale, d, result).factor = {rgb, rgb, rgb,
                                                                  static_cast<u16>(1u << alpha_shift)};
        return d;
    }

    Value stage(u32 i)
    {
        const TexEnvStageKey& stage = key_.texenv[i];
        const u8 rgb_register = static_cast<u8>(kStageColorRegister + i);
        const u8 alpha_register = static_cast<u8>(kStageAlphaRegister + i);
        if (stage.color_op == CombinerOp::Dot3Rgba)
        {
            const u8 d =
                combine(i, stage.color_op, Part::Rgb, rgb_register, stage.color_shift, stage.alpha_shift);
            return {d, d};
        }
        if (stage.color_op == stage.alpha_op && stage.color_op != CombinerOp::Replace)
        {
            const u8 d =
                combine(i, stage.color_op, Part::Both, rgb_register, stage.color_shift, stage.alpha_shift);
            return {d, d};
        }
        Value result;
        result.rgb = combine(i, stage.color_op, Part::Rgb, rgb_register, stage.color_shift, 0);
        result.alpha = combine(i, stage.alpha_op, Part::Alpha, alpha_register, 0, stage.alpha_shift);
        return result;
    }

    const FragmentKey& key_;
    const FragmentConstants& constants_;
    TexEnvProgram& program_;
    Value previous_;
    Value buffer_;
};

} // namespace

void make_texenv_program(const FragmentKey& key, const FragmentConstants& constants, TexEnvProgram& program)
{
    Compiler(key, constants, program).compile();
}

} // namespace pica::soft
