// SPDX-License-Identifier: MIT
#include "pica/state/proctex.h"

#include "pica/base/float24.h"

#include <algorithm>
#include <cmath>

namespace pica
{

namespace
{

// Does the function read u? Otherwise it is one of v alone.
bool reads_u(ProcTexFunction function)
{
    return function != ProcTexFunction::V && function != ProcTexFunction::V2;
}

bool reads_v(ProcTexFunction function)
{
    return function != ProcTexFunction::U && function != ProcTexFunction::U2;
}

// Whether each coordinate reaches a map. Noise and shifts are made of the coordinates before their own.
struct UsedAxes
{
    explicit UsedAxes(const ProcTexKey& key)
    {
        if (!key.alpha_only)
            add(key.color_func);
        if (key.separate_alpha)
            add(key.alpha_func);
    }
    void add(ProcTexFunction function)
    {
        u |= reads_u(function);
        v |= reads_v(function);
    }
    bool u = false;
    bool v = false;
};

class ProcTexDecoder
{
public:
    ProcTexDecoder(const RegisterFile& regs, Findings& findings) : regs_(regs), findings_(findings) {}

    void key(ProcTexKey& key)
    {
        namespace r0 = reg::TEXUNIT3_PROCTEX0;
        key.enabled = 1;
        key.texcoord = static_cast<u8>(std::min(regs_.get(reg::TEXUNIT_CONFIG::unit3_coord), 2u)); // 3 [ours]
        key.clamp_u = known(regs_.get(r0::u_clamp), ProcTexClamp::Pulse, ProcTexClamp::ToEdge);
        key.clamp_v = known(regs_.get(r0::v_clamp), ProcTexClamp::Pulse, ProcTexClamp::ToEdge);
        key.shift_u = known(regs_.get(r0::u_shift), ProcTexShift::Even, ProcTexShift::None);
        key.shift_v = known(regs_.get(r0::v_shift), ProcTexShift::Even, ProcTexShift::None);
        key.color_func = known(regs_.get(r0::color_func), ProcTexFunction::RMax, ProcTexFunction::U);
        key.separate_alpha = regs_.get(r0::separate_alpha);
        if (key.separate_alpha)
            key.alpha_func = known(regs_.get(r0::alpha_func), ProcTexFunction::RMax, ProcTexFunction::U);
        key.noise = regs_.get(r0::noise_enable);
        const ProcTexFilter filter = known(regs_.get(reg::TEXUNIT3_PROCTEX4::filter),
                                           ProcTexFilter::LinearMipLinear, ProcTexFilter::Nearest);
        key.linear = static_cast<u32>(filter) & 1;
        key.mip = static_cast<ProcTexMip>(static_cast<u32>(filter) >> 1);
    }

    void constants(const ProcTexKey& key, ProcTexConstants& constants)
    {
        if (key.noise)
        {
            // The divisor is Azahar's; the register is documented as 1.3.12, so 4096 is as likely [EMU].
            const auto amplitude = [](s32 raw) { return static_cast<f32>(raw) / 4095.0f; };
            // 9 * frequency is exact. Its sign has no meaning [our rule].
            const auto frequency = [](u32 raw) { return 9.0f * std::fabs(float16_register(raw)); };
            const UsedAxes used(key);
            if (used.u)
                constants.amplitude[0] = amplitude(regs_.get(reg::TEXUNIT3_PROCTEX1::u_amplitude));
            if (used.v)
                constants.amplitude[1] = amplitude(regs_.get(reg::TEXUNIT3_PROCTEX2::v_amplitude));
            constants.phase = {float16_register(regs_.get(reg::TEXUNIT3_PROCTEX1::u_phase)),
                               float16_register(regs_.get(reg::TEXUNIT3_PROCTEX2::v_phase))};
            constants.frequency = {frequency(regs_.get(reg::TEXUNIT3_PROCTEX3::u_frequency)),
                                   frequency(regs_.get(reg::TEXUNIT3_PROCTEX3::v_frequency))};
        }
        if (key.alpha_only)
            return;
        constants.width = static_cast<u8>(regs_.get(reg::TEXUNIT3_PROCTEX4::width));
        constants.offsets = regs_[reg::TEXUNIT3_PROCTEX5::id];
        if (key.mip == ProcTexMip::None)
        {
            constants.offsets &= 0xFF;
            return;
        }
        const u32 bias = regs_.get(reg::TEXUNIT3_PROCTEX4::lod_bias_high) << 8 |
                         regs_.get(reg::TEXUNIT3_PROCTEX0::lod_bias_low);
        constants.lod_scale = std::fabs(static_cast<f32>(constants.width) * float16_register(bias));
        constants.min_lod = static_cast<u8>(std::min(regs_.get(reg::TEXUNIT3_PROCTEX4::min_lod), 7u));
        constants.max_lod = static_cast<u8>(std::min(regs_.get(reg::TEXUNIT3_PROCTEX4::max_lod), 7u));
        // If the limits cross, the upper one counts [our rule].
        constants.min_lod = std::min(constants.min_lod, constants.max_lod);
    }

private:
    // Values above the last enumerator are reported and become `instead` [our rule].
    template <typename T>
    T known(T value, T last, T instead)
    {
        if (value <= last)
            return value;
        findings_.add(Finding::ProceduralTextureUndefined);
        return instead;
    }

    const RegisterFile& regs_;
    Findings& findings_;
};

} // namespace

void decode_proctex(const RegisterFile& regs, ColorChannels read, Draw& draw, Findings& findings)
{
    draw.fragment.proctex = {};
    draw.constants.proctex = {};
    if (read == ColorChannels{})
        return;
    ProcTexDecoder decoder(regs, findings);
    decoder.key(draw.fragment.proctex);
    prune_proctex(read, draw.fragment.proctex);
    decoder.constants(draw.fragment.proctex, draw.constants.proctex);
}

void prune_proctex(ColorChannels read, ProcTexKey& key)
{
    if (!read.alpha)
    {
        key.separate_alpha = 0;
        key.alpha_func = {};
    }
    key.alpha_only = !read.color && key.separate_alpha;
    if (key.alpha_only)
    {
        key.color_func = {};
        key.linear = 0;
        key.mip = ProcTexMip::None;
    }
    const UsedAxes used(key);
    if (!used.u)
    {
        key.clamp_u = {};
        key.shift_u = {};
    }
    if (!used.v)
    {
        key.clamp_v = {};
        key.shift_v = {};
    }
}

} // namespace pica
