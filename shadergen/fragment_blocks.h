// SPDX-License-Identifier: MIT
// What the fragment blocks share while one shader is written. Each block turns its part of the key into
// straight-line text of main and names what it needs from outside; fragment.cpp puts the pieces in order.
// Colours are vectors of floats that carry the integers 0..255 (design.md, Part II 2.4).
#pragma once

#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "shadergen/glsl_writer.h"
#include "shadergen/target.h"

#include <string>
#include <string_view>
#include <vector>

namespace shadergen
{

struct FragmentText
{
    FragmentText(const pica::FragmentKey& k, const pica::RecordLayout& l, const Target& t);

    const pica::FragmentKey& key;
    const pica::RecordLayout& layout;
    const Target& target;
    const bool interlock; // colour is written to a storage image, and dropping a fragment sets a variable
    const bool cube;      // texture_image0 is an array of cube faces

    std::string title;                        // a comment for the first lines
    GlslWriter functions;                     // text before main
    GlslWriter body{1};                       // text of main
    std::vector<std::string_view> arithmetic; // functions of shaders/include that are called
    std::vector<std::string_view> emitted;    // names of our own functions that are defined already
    pica::u32 record_quads = 0;               // bit k: words 4k..4k+3 of the triangle record are read
    pica::u32 textures = 0;                   // bit n: texture_imageN is read
    pica::u32 texcoords = 0;                  // bit n: texcoordN_u and _v are declared
    bool draw_block = false;                  // the uniform block is read
    bool gas_depth = false;                   // the stored depth of gas accumulation is read
    bool luts = false;                        // the lookup tables are read
    bool lighting_block = false;              // the uniform block of lights is read
    bool window_depth = false;                // window_depth is declared
    bool quad = false;                        // write_quad was called

    void use(std::string_view name) { arithmetic.push_back(name); }
    // Appends a function of our own, once.
    void define(std::string_view name, std::string_view definition);
    // A word of the triangle record as an int or float expression.
    std::string word(pica::u32 index);
    std::string real_word(pica::u32 index);
    // A member of the uniform block.
    std::string draw(std::string_view member);
    // The entry of a table, a uvec2 (pica/state/luts.h describes the entries). index: an int expression in
    // the table's range.
    std::string lut(pica::LutTable table, std::string_view index);
    // The index of the table's first entry in `luts`.
    std::string lut_base(pica::LutTable table);
    // Drops the fragment if the condition holds.
    void drop_if(std::string_view condition);
};

// Which results of the interpolation the later blocks read.
enum class EdgeNeeds : pica::u8
{
    None,
    Coverage,    // integer edge values
    Affine,      // also f0, f1
    Perspective, // also f2, r, and the weights l0, l1
};

// Interpolation (interpolation.cpp). If coverage is tested in the shader, write_edges drops fragments outside
// the triangle.
void write_edges(FragmentText& text, EdgeNeeds needs);
// The expression of an interpolated scalar whose triple begins at the given word; "0.0" if the record does
// not have it.
std::string interpolated(FragmentText& text, pica::u32 offset);
// Declares window_depth once, clamped to [0, 1], in the key's depth mode.
void write_window_depth(FragmentText& text);
// Weights at the three points of the pixel quad from which the level of detail is computed. Declares vec3
// w00, w10, w01 (l0, l1, and 1 where 1/w is not above 0) and beyond. Defines quad_values and quad_step.
void write_quad(FragmentText& text);
// A vec3 expression: an interpolated scalar at the points of the quad.
std::string quad_values(FragmentText& text, pica::u32 offset);
// An int expression: the level of detail of a texture unit, from coordinates at the points of the quad.
std::string level_of_detail(FragmentText& text, pica::u32 unit, const std::string& u, const std::string& v);
// Defines multiply_wide() and add_wide(): 64-bit integers as (high, low).
void define_wide_sums(FragmentText& text);
// Writes gl_FragDepth if the key has a depth mode.
void write_depth(FragmentText& text);
// Declares z_over_w; returns A, the area as float.
std::string write_z_over_w(FragmentText& text);

// Ties (ties.cpp). If the triangle's three 1/w are equal, moves texcoordN_u and _v, which must be declared,
// to the right side of texel boundaries.
void write_ties(FragmentText& text, pica::u32 set);

// Texture units (texture_unit.cpp). Declares texcoordN_u and _v once.
void write_texcoord(FragmentText& text, pica::u32 set);
// Defines bilinear(): filters four taps, with two coordinates in 1/256 texel.
void define_bilinear(FragmentText& text);
// Defines mix_levels(): mixes the colours of two levels, with a weight in 1/256.
void define_mix_levels(FragmentText& text);
// Types of unit 0 that read texcoord0.w (texture_types.cpp). Declares unit0_u and _v, the coordinates after
// division or face selection, and what the type needs besides: face0, reference0. With a level of detail also
// the vec3s quad0_u and _v, from u0 and v0.
void write_unit0_coordinates(FragmentText& text);
// Declares texture0, from the above.
void write_shadow(FragmentText& text);
// Declares texture0..2 of the texture units that are on.
void write_texture_unit(FragmentText& text, pica::u32 unit);

// Procedural texture (proctex.cpp): declares texture3 if unit 3 is on.
void write_proctex(FragmentText& text);

// Combiners (texenv.cpp). Returns the name of the result, a vec4 variable.
std::string write_texenv(FragmentText& text);
// The result of one combiner before the scale. a, b, c are vec3 (or float) expressions without side effects.
std::string combine(FragmentText& text, pica::CombinerOp op, const std::string& a, const std::string& b,
                    const std::string& c);

// floor(t / 255) for integers 0 <= t <= 130050, as float or vec3.
std::string divide_255(FragmentText& text, const std::string& t);

// Fragment lighting (lighting.cpp). Declares fragment_primary and fragment_secondary if the key has them.
// Textures must be written before.
void write_lighting(FragmentText& text);
// Functions, the interpolated quaternion (normalised), the view vector, and the sums. The ubershader uses it
// too.
void write_lighting_inputs(FragmentText& text);

// Fog (fog.cpp). Declares `fogged` if the key has fog. Returns the name of the colour that the next block
// uses.
std::string write_fog(FragmentText& text, const std::string& color);

// Gas (gas.cpp): shading, which replaces fog, and the output of the accumulation pass.
std::string write_gas_shading(FragmentText& text, const std::string& color);
void write_gas_accumulation(FragmentText& text, const std::string& color);
// Writes the new sums as the fragment's colour. destination, gas_code and gas_stored must be declared.
void write_gas_sums(FragmentText& text, const std::string& color);
// Declares uvec4 texel of the depth buffer. flip and block32 are bool expressions.
void write_gas_texel(FragmentText& text, const std::string& flip, const std::string& block32);
// Writes result = vec4(...). attenuated and by_light are bool expressions.
void write_gas_colors(FragmentText& text, const std::string& color, const std::string& attenuated,
                      const std::string& by_light, std::string_view result);

// Fragment operations (fragment_ops.cpp).
void write_scissor_exclude(FragmentText& text);
void write_alpha_test(FragmentText& text, const std::string& color);
void write_output_declarations(const FragmentText& text, GlslWriter& out);
void write_output(FragmentText& text, const std::string& color);
// Declares `destination`: the codes in the attachment or image.
void write_destination(FragmentText& text);
// Writes the codes to the attachment or, with interlock, to the image.
void write_color(FragmentText& text, const std::string& result);
// Declares `name`: the colour truncated to the format and expanded again. Returns the name to use.
std::string write_quantized(FragmentText& text, pica::ColorFormat format, const std::string& color,
                            std::string_view name);

// Shadow map rendering (shadow.cpp), which replaces write_output. color: the result of the combiners.
void write_shadow_map(FragmentText& text, const std::string& color);

// Blending (blending.cpp). The factor of the colour channels (vec3) or of alpha (float). `destination` must
// be declared.
std::string blend_factor(FragmentText& text, pica::BlendFactor factor, const std::string& source, bool alpha);
// The sum with one truncating division after it; negative differences are clamped to 0 before. p, q: the
// products.
std::string blend_sum(FragmentText& text, pica::BlendEquation equation, const std::string& p,
                      const std::string& q);
// A logic operation on uvec4 s and d.
std::string logic_operation(pica::LogicOp op);

// Composition (fragment.cpp), shared with the ubershader.
void write_primary_color(FragmentText& text);
// Everything around the blocks: resources, functions, main.
std::string assemble(const FragmentText& text);

} // namespace shadergen
