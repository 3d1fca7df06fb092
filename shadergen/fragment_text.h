// SPDX-License-Identifier: MIT
// What the fragment blocks share while one shader is written. Each block turns its part of the key into
// straight-line text of main and names what it needs from outside; fragment.cpp and ubershader.cpp put the
// blocks in order. Colours are vectors of floats that carry the integers 0..255 (design.md, Part II 2.4).
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
    const bool interlock;  // colour is written to a storage image, and dropping a fragment sets a variable
    const bool cube;       // texture_image0 is an array of cube faces
    const bool real_edges; // the varyings hold the edges as floats (raster_vertex.h)
    bool votes;            // branches are voted on, and the varyings hold what most triangles can leave out

    std::string title;                        // a comment for the first lines
    GlslWriter functions;                     // text before main
    GlslWriter body{1};                       // text of main
    std::vector<std::string_view> arithmetic; // functions of shaders/include that are called
    std::vector<std::string_view> emitted;    // names of our own functions that are defined already
    pica::u32 record_quads = 0;               // bit k: words 4k..4k+3 of the triangle record are read
    pica::u32 textures = 0;                   // bit n: texture_imageN is read
    pica::u32 texcoords = 0;                  // bit n: texcoordN_u and _v are declared
    bool flat_constants = false;              // words of the uniform block are varyings (constant_words.h)
    bool draw_block = false;                  // the uniform block is read
    bool gas_depth = false;                   // the stored depth of gas accumulation is read
    bool luts = false;                        // the lookup tables are read
    bool lighting_block = false;              // the uniform block of lights is read
    bool destination_ratio = false;           // destination_ratio, the destination from 0 to 1, is declared
    bool window_depth = false;                // window_depth is declared
    bool quad = false;                        // write_quad was called
    bool opaque = false;                      // the alpha that the combiners give is 255
    bool voted = false;                       // vote was called, with votes

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
    // A condition that is true where it is true in any invocation of the subgroup; without votes, the condition itself.
    std::string vote(std::string_view condition);
    // Drops the fragment if the condition holds.
    void drop_if(std::string_view condition);
};

} // namespace shadergen
