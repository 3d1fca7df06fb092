// SPDX-License-Identifier: MIT
// Tests: ubershader_test.cpp
#include "shadergen/ubershader_state.h"

#include "pica/state/keys.h"
#include "shadergen/fragment_text.h"
#include "shadergen/uniforms.h"

#include <cstring>

namespace shadergen
{

using pica::u8;

std::string state_byte(FragmentText& text, StateByte byte)
{
    return "byte_of(" + text.draw("state[" + number(byte / 16) + "].") + "xyzw"[byte / 4 % 4] + ", " +
           number(byte % 4) + "u)";
}

void pack_ubershader_state(const pica::FragmentKey& key, FragmentBlock& block)
{
    u8 bytes[sizeof block.state] = {};
    std::memcpy(bytes, key.texenv, sizeof key.texenv);
    std::memcpy(bytes + 16 * kTextureRow, key.texture, sizeof key.texture);
    std::memcpy(bytes + 16 * kProcTexRow, &key.proctex, sizeof key.proctex);
    bytes[kUpdateColor] = key.buffer_color_update;
    bytes[kUpdateAlpha] = key.buffer_alpha_update;
    bytes[kAlphaFunc] = static_cast<u8>(key.alpha_func);
    bytes[kScissorExclude] = key.scissor_exclude;
    bytes[kDepthMode] = static_cast<u8>(key.depth_mode());
    bytes[kFogMode] = static_cast<u8>(key.fog.mode);
    bytes[kFogGas] = key.fog.gas;
    bytes[kGasFunc] = static_cast<u8>(key.gas.func);
    bytes[kGasFormat] = static_cast<u8>(key.gas.depth_format);
    bytes[kGasFlip] = key.gas.flip;
    bytes[kGasBlock32] = key.gas.block32;
    bytes[kFogFlip] = key.fog.flip;
    bytes[kDepth16] = key.depth16;
    bytes[kDepthZero] = static_cast<u8>(key.depth_zero);
    bytes[kColorFormat] = static_cast<u8>(key.color_format);
    bytes[kLogic] = key.fetch.logic;
    bytes[kLogicOp] = static_cast<u8>(key.fetch.logic_op);
    bytes[kEquationColor] = static_cast<u8>(key.fetch.equation_color);
    bytes[kEquationAlpha] = static_cast<u8>(key.fetch.equation_alpha);
    bytes[kSourceColor] = static_cast<u8>(key.fetch.source_color);
    bytes[kDestinationColor] = static_cast<u8>(key.fetch.destination_color);
    bytes[kSourceAlpha] = static_cast<u8>(key.fetch.source_alpha);
    bytes[kDestinationAlpha] = static_cast<u8>(key.fetch.destination_alpha);
    bytes[kColorMask] = key.fetch.color_mask;
    bytes[kReadDestination] = key.fetch.read_destination;
    std::memcpy(block.state, bytes, sizeof bytes);
}

} // namespace shadergen
