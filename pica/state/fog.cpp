// SPDX-License-Identifier: MIT
#include "pica/state/fog.h"

namespace pica
{

void decode_fog(const RegisterFile& regs, const CombinerNeeds& needs, Draw& draw)
{
    FogKey& key = draw.fragment.fog;
    key = FogKey{};
    draw.constants.fog_color = 0;
    const FogMode mode = regs.get(reg::TEXENV_UPDATE_BUFFER::fog_mode);
    if (draw.fragment.gas.accumulate != 0 || draw.fragment.shadow_map != DepthMode::None)
        return;
    if (mode == FogMode::Gas && (needs.color != 0 || needs.alpha != 0))
    {
        key.mode = mode;
        if (regs.get(reg::TEXENV_UPDATE_BUFFER::gas_density) == GasDensitySource::DepthAttenuated)
            key.gas |= FogKey::kGasAttenuated;
        if (regs.get(reg::GAS_LIGHT_Z_COLOR::lut_input) == GasLutInput::LightFactor)
            key.gas |= FogKey::kGasByLight;
        return;
    }
    // Fog changes only rgb [HW].
    if (mode != FogMode::Fog || needs.color == 0)
        return;
    key.mode = FogMode::Fog;
    key.flip = regs.get(reg::TEXENV_UPDATE_BUFFER::fog_flip);
    key.depth = depth_mode(regs);
    draw.constants.fog_color = regs[reg::FOG_COLOR::id] & 0xFFFFFF;
    decode_depth_map(regs, draw.constants);
}

} // namespace pica
