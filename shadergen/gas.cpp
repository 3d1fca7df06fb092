// SPDX-License-Identifier: MIT
// Gas: shading in place of fog, and adding densities to the target. Source of truth: fog-and-gas.md, "Gas";
// the arithmetic is shaders/include/gas.h. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/gas.h"

#include "shadergen/fragment_ops.h"
#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"

namespace shadergen
{

namespace
{

using pica::DepthFormat;
using pica::GasDepthFunc;
using pica::u32;

// The depth code from red, green, blue and alpha of the texture that pica/state/gas.cpp makes of the depth
// buffer.
std::string stored_depth(DepthFormat format)
{
    switch (format)
    {
    case DepthFormat::D16:
        return "int(texel.r << 8 | texel.a)";
    case DepthFormat::D24:
        return "int(texel.r << 16 | texel.g << 8 | texel.b)";
    case DepthFormat::D24S8:
        break;
    }
    return "int(texel.g << 16 | texel.b << 8 | texel.a)";
}

} // namespace

void write_gas_colors(FragmentText& text, const std::string& color, const std::string& attenuated,
                      const std::string& by_light, std::string_view result)
{
    for (const std::string_view name :
         {"gas_density", "gas_intensity", "gas_light", "gas_index", "gas_channel", "gas_alpha"})
        text.use(name);
    text.draw_block = true;
    GlslWriter& out = text.body;
    out.line("int gas_sum_of = ", attenuated, " ? int(", color, ".r) * 256 + int(", color, ".g) : int(",
             color, ".b) * 256 + int(", color, ".a);");
    out.line("float gas_dense = gas_density(gas_sum_of, draw.gas_planar.w);");
    out.line("float gas_lit = gas_light(gas_intensity(gas_dense, draw.gas_planar.x, draw.gas_planar.y, "
             "draw.gas_planar.z),");
    out.line("                          gas_intensity(gas_dense, draw.gas_view.x, draw.gas_view.y, "
             "draw.gas_view.z), draw.gas_misc.x);");
    out.line("float gas_at = ", by_light, " ? gas_lit : gas_dense;");
    out.line("int gas_entry = gas_index(gas_at);");
    out.line("uvec2 gas_colors = ", text.lut(pica::LutTable::Gas, "gas_entry"), ";");
    const auto channel = [](const char* shift) {
        return std::string("float(gas_channel(gas_colors.x, gas_colors.y, ") + shift +
               ", gas_at, gas_entry))";
    };
    out.line(result, " = vec4(", channel("0u"), ", ", channel("8u"), ",");
    out.line("    ", channel("16u"), ", float(gas_alpha(gas_dense, draw.gas_view.w)));");
}

std::string write_gas_shading(FragmentText& text, const std::string& color)
{
    text.body.blank();
    text.body.line("// Gas shading");
    const auto flag = [&](pica::u8 bit)
    { return std::string((text.key.fog.gas & bit) != 0 ? "true" : "false"); };
    write_gas_colors(text, color, flag(pica::FogKey::kGasAttenuated), flag(pica::FogKey::kGasByLight),
                     "vec4 shaded");
    return "shaded";
}

void write_gas_sums(FragmentText& text, const std::string& color)
{
    GlslWriter& out = text.body;
    out.line("int density = int(", color, ".r);");
    out.line("int plain = gas_sum(int(destination.b) * 256 + int(destination.a), density);");
    out.line("int attenuated = gas_sum(int(destination.r) * 256 + int(destination.g),");
    out.line(
        "                         gas_attenuated(density, abs(gas_code - gas_stored), draw.gas_misc.y));");
    out.line(
        "vec4 sums = vec4(float(attenuated >> 8), float(attenuated & 255), float(plain >> 8), float(plain & "
        "255));");
    write_color(text, "sums");
}

// The texture's rows go from the last tile in memory to the first.
void write_gas_texel(FragmentText& text, const std::string& flip, const std::string& block32)
{
    GlslWriter& out = text.body;
    out.line("ivec2 gas_place = ivec2(p.x, ", flip,
             " ? int(draw.gas_misc.z - draw.gas_misc.w) - 1 - p.y : p.y);");
    if (!block32.empty())
    {
        text.define("block32_as_tiles",
                    R"(// Column and memory row of 8x8 tiles where a pixel of 32x32 blocks lies.
ivec2 block32_as_tiles(ivec2 at, int tiles_per_row)
{
    int tile = (at.y >> 5) * tiles_per_row * 4 + (at.x >> 5) * 16;
    tile += (at.x >> 3 & 1) + (at.y >> 3 & 1) * 2 + (at.x >> 4 & 1) * 4 + (at.y >> 4 & 1) * 8;
    int row = tile / tiles_per_row;
    return ivec2((tile - row * tiles_per_row) * 8 + (at.x & 7), row * 8 + (at.y & 7));
}
)");
        const std::string n = number(text.target.scale);
        if (text.target.scale == 1)
            out.line("if (", block32,
                     ") gas_place = block32_as_tiles(gas_place, textureSize(gas_depth, 0).x >> 3);");
        else // the texture has N x texels
        {
            out.line("ivec2 gas_pixel = gas_place / ", n, ";");
            out.line("if (", block32,
                     ") gas_place += (block32_as_tiles(gas_pixel, textureSize(gas_depth, 0).x / ",
                     number(8u * text.target.scale), ") - gas_pixel) * ", n, ";");
        }
    }
    out.line(
        "uint gas_word = texelFetch(gas_depth, ivec2(gas_place.x, int(draw.gas_misc.z) - 1 - gas_place.y), "
        "0).x;");
    out.line("uvec4 texel = uvec4(gas_word, gas_word >> 8, gas_word >> 16, gas_word >> 24) & 255u;");
}

void write_gas_accumulation(FragmentText& text, const std::string& color)
{
    const pica::GasKey& key = text.key.gas;
    for (const std::string_view name : {"depth_code", "gas_sum", "gas_attenuated"})
        text.use(name);
    write_window_depth(text);
    text.gas_depth = true;
    text.draw_block = true;
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Gas densities");
    out.line("int gas_code = depth_code(window_depth, ",
             key.depth_format == DepthFormat::D16 ? "65535.0" : "16777215.0", ");");
    write_gas_texel(text, key.flip ? "true" : "false", key.block32 ? "true" : "");
    out.line("int gas_stored = ", stored_depth(key.depth_format), ";");
    if (key.func == GasDepthFunc::Greater)
        text.drop_if("gas_code <= gas_stored");
    if (key.func == GasDepthFunc::Less)
        text.drop_if("gas_code >= gas_stored");
    if (text.interlock)
        out.line("beginInvocationInterlockARB();");
    write_destination(text);
    write_gas_sums(text, color);
}

} // namespace shadergen
