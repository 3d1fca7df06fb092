// SPDX-License-Identifier: MIT
// Gas accumulation in the ubershader: the expressions of gas.cpp under conditions.
#include "shadergen/ubershader_gas.h"

#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/gas.h"
#include "shadergen/ubershader_state.h"

namespace shadergen
{

void write_ubershader_gas(FragmentText& text)
{
    for (const std::string_view name : {"depth_code", "gas_sum", "gas_attenuated"})
        text.use(name);
    text.gas_depth = true;
    text.draw_block = true;
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Gas densities");
    out.line("uint gas_format = ", state_byte(text, kGasFormat), ";");
    out.line("uint gas_func = ", state_byte(text, kGasFunc), ";");
    out.line("int gas_code = depth_code(window_depth, gas_format == 0u ? 65535.0 : 16777215.0);");
    write_gas_texel(text, state_byte(text, kGasFlip) + " != 0u", state_byte(text, kGasBlock32) + " != 0u");
    out.line(
        "int gas_stored = int(gas_format == 0u ? texel.r << 8 | texel.a : gas_format == 2u ? texel.r << 16 | "
        "texel.g << 8 | texel.b");
    out.line("                     : texel.g << 16 | texel.b << 8 | texel.a);");
    text.drop_if("(gas_func == 2u && gas_code <= gas_stored) || (gas_func == 3u && gas_code >= gas_stored)");
    if (text.interlock)
        out.line("beginInvocationInterlockARB();");
    write_destination(text);
    write_gas_sums(text, "combined");
}

} // namespace shadergen
