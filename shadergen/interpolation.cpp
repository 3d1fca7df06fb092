// SPDX-License-Identifier: MIT
// Edge values, perspective weights, interpolated scalars, depth. Source of truth: design.md, rows "Coverage"
// to "Depth code"; the arithmetic itself is shaders/include/raster.h. Record words:
// pica/state/triangle_record.h. Tests: fragment_test.cpp and the references in tests/golden/glsl
#include "shadergen/interpolation.h"

#include "shadergen/fragment_text.h"
#include "shadergen/raster_vertex.h"

#include <algorithm>
#include <iterator>

namespace shadergen
{

namespace
{

using pica::u32;

// For kEdges36: 64-bit numbers below 2^35 in magnitude as sixteenths and the four bits below, which each edge value has from
// its C. shift_split shifts as kRecordShift says: sixteenths by x to the left and the low bits by z to the right, then all by
// y to the right. x or y is 0. x is above 0 only where the area is below 2^28, so nothing is lost at a triangle's pixels and
// beside them.
constexpr std::string_view kSixteenths =
    R"(int sixteenths(int high, int low) { return high << 28 | int(uint(low) >> 4); }
)";
constexpr std::string_view kShiftSplit = R"(int shift_split(int value, int low, ivec3 shift)
{
    return (value << shift.x | low >> shift.z) >> shift.y;
}
)";

// 64-bit integers as (high, low), for kEdges64.
constexpr std::string_view kMultiplyWide = R"(uvec2 multiply_wide(int a, int b)
{
    int high;
    int low;
    imulExtended(a, b, high, low);
    return uvec2(uint(high), uint(low));
}
)";
constexpr std::string_view kAddWide = R"(uvec2 add_wide(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.y, b.y, carry);
    return uvec2(a.x + b.x + carry, low);
}
)";
constexpr std::string_view kSubtractWide = R"(uvec2 subtract_wide(uvec2 a, uvec2 b)
{
    uint borrow;
    uint low = usubBorrow(a.y, b.y, borrow);
    return uvec2(a.x - b.x - borrow, low);
}
)";
// The low 32 bits of v >> s, 0 <= s < 64. No shift amount leaves 0..31.
constexpr std::string_view kShiftWide = R"(int shift_wide(uvec2 v, int s)
{
    uint joined = (v.y >> (s & 31)) | ((v.x << (31 - (s & 31))) << 1);
    return s < 32 ? int(joined) : int(v.x) >> (s & 31);
}
)";

// One of e0, e1 at pixel p: A*px + B*py + C.
void write_edge(FragmentText& text, u32 edge)
{
    const u32 at = edge == 0 ? pica::kRecordEdge0 : pica::kRecordEdge1;
    const std::string a = text.word(at), b = text.word(at + 1), c = text.word(at + 2);
    if (text.layout.wide == pica::kEdges36)
    {
        text.body.line("int e", number(edge), " = (", a, " >> 4) * p.x + (", b, " >> 4) * p.y + sixteenths(",
                       text.word(pica::kRecordHeader + edge), ", ", c, ");");
        text.body.line("int low", number(edge), " = ", c, " & 15;");
    }
    else if (text.layout.wide == pica::kEdges64)
    {
        const std::string high = text.word(pica::kRecordHeader + edge);
        text.body.line("uvec2 e", number(edge), " = add_wide(add_wide(multiply_wide(", a,
                       ", p.x), multiply_wide(", b, ", p.y)), uvec2(", high, ", ", c, "));");
    }
    else
        text.body.line("int e", number(edge), " = ", a, " * p.x + ", b, " * p.y + ", c, ";");
}

std::string excluded(const std::string& a, const std::string& b)
{
    return "(" + a + " < 0 || (" + a + " == 0 && " + b + " < 0))";
}

// Edge values in the varyings' floats. fma or not, all is exact.
void write_real_edge_values(FragmentText& text)
{
    for (const u32 edge : {0u, 1u})
    {
        const u32 at = edge == 0 ? kRealEdge0 : kRealEdge1;
        text.body.line("float f", number(edge), " = fma(", text.real_word(at), ", gl_FragCoord.x, fma(",
                       text.real_word(at + 1), ", gl_FragCoord.y, ", text.real_word(at + 2), ")) + ",
                       text.real_word(at + 3), ";");
    }
}

// Declares the area and the third edge in sixteenths, and what shift_split shifts by.
void write_split_edges(FragmentText& text)
{
    const std::string area = text.word(pica::kRecordArea), shift = text.word(pica::kRecordShift);
    GlslWriter& out = text.body;
    text.define("shift_split", kShiftSplit);
    out.line("int area = sixteenths(", text.word(pica::kRecordHeader + 2), ", ", area, ");");
    out.line("int low2 = (", area, " & 15) - low0 - low1;");
    out.line("int edge_sum = area + (low2 >> 4);");
    out.line("low2 &= 15;");
    out.line("int e2 = edge_sum - e0 - e1;");
    out.line("ivec3 shifts = ivec3(max(4 - ", shift, ", 0), max(", shift, " - 4, 0), min(", shift, ", 4));");
}

void write_edge_values(FragmentText& text)
{
    text.body.blank();
    text.body.line("// Edge values at the pixel centre");
    if (text.real_edges)
        return write_real_edge_values(text);
    if (text.layout.wide == pica::kEdges36)
        text.define("sixteenths", kSixteenths);
    write_edge(text, 0);
    write_edge(text, 1);
    const std::string area = text.word(pica::kRecordArea);
    if (text.layout.wide == pica::kEdges36)
        write_split_edges(text);
    else if (text.layout.wide == pica::kEdges64)
    {
        define_wide_sums(text);
        text.define("subtract_wide", kSubtractWide);
        text.body.line("uvec2 area = uvec2(", text.word(pica::kRecordHeader + 2), ", ", area, ");");
        text.body.line("uvec2 e2 = subtract_wide(subtract_wide(area, e0), e1);");
    }
    else
        text.body.line("int e2 = ", area, " - e0 - e1;");
}

// Row "Coverage": biased edges. A sample on an edge l1 -> l2 belongs to the triangle unless the edge runs
// upward (A < 0, as A = -16*(l2.y - l1.y)) or is horizontal and runs left (B < 0).
void write_coverage_test(FragmentText& text)
{
    const std::string a0 = text.word(pica::kRecordEdge0), b0 = text.word(pica::kRecordEdge0 + 1);
    const std::string a1 = text.word(pica::kRecordEdge1), b1 = text.word(pica::kRecordEdge1 + 1);
    text.body.line("int a2 = -(", a0, " + ", a1, ");");
    text.body.line("int b2 = -(", b0, " + ", b1, ");");
    const std::string exclude[3] = {excluded(a0, b0), excluded(a1, b1), excluded("a2", "b2")};
    for (u32 i = 0; i < 3; i++)
    {
        const std::string e = "e" + number(i);
        if (text.layout.wide == pica::kEdges36)
            text.drop_if(e + " < 0 || ((" + e + " | low" + number(i) + ") == 0 && " + exclude[i] + ")");
        else if (text.layout.wide == pica::kEdges64)
            text.drop_if("int(" + e + ".x) < 0 || ((" + e + ".x | " + e + ".y) == 0u && " + exclude[i] + ")");
        else
            text.drop_if(e + " < 0 || (" + e + " == 0 && " + exclude[i] + ")");
    }
}

// An edge value or the area, less its low bits. low: the four bits below its sixteenths.
std::string shifted(FragmentText& text, const std::string& value, const std::string& low)
{
    if (text.layout.wide == pica::kEdges36)
        return "shift_split(" + value + ", " + low + ", shifts)";
    const std::string shift = text.word(pica::kRecordShift);
    if (text.layout.wide == pica::kEdges64)
        return "shift_wide(" + value + ", " + shift + ")";
    return value + " >> " + shift;
}

// Declares f0, f1 and, for perspective, f2.
void write_shifted_edges(FragmentText& text, EdgeNeeds needs)
{
    if (text.layout.wide == pica::kEdges64)
        text.define("shift_wide", kShiftWide);
    for (u32 i = 0; i < (needs == EdgeNeeds::Perspective ? 3u : 2u); i++)
        text.body.line("float f", number(i), " = float(", shifted(text, "e" + number(i), "low" + number(i)),
                       ");");
}

void write_third_edge(FragmentText& text)
{
    text.body.line("float f2 = (", text.real_word(real_tail_word(text.layout) + kRealSum), " - f0) - f1;");
}

// Declares b_0, b_1, b_2 and r.
void write_reciprocal(FragmentText& text)
{
    for (u32 i = 0; i < 3; i++)
        text.body.line("float b_", number(i), " = f", number(i), " * ",
                       text.real_word(pica::kRecordInverseW + i), ";");
    text.body.line("float r = rcp_positive((b_0 + b_1) + b_2);");
}

// Do units or the procedural texture read points of the quad, and f2 with them?
bool uses_quad(const pica::FragmentKey& key)
{
    return (key.proctex.enabled && key.proctex.mip != pica::ProcTexMip::None) ||
           std::any_of(std::begin(key.texture), std::end(key.texture),
                       [](const pica::TextureUnitKey& unit) { return unit.samples() && unit.lod != 0; });
}

// May the weights of a triangle be products of f0 and f1? The depth of w-buffers reads r.
bool has_simple_weights(const FragmentText& text)
{
    return text.votes && text.key.depth_mode() != pica::DepthMode::W;
}

// Declares l0 and l1.
void write_voted_weights(FragmentText& text, bool has_third_edge)
{
    const std::string simple = text.real_word(real_tail_word(text.layout) + kRealSimple);
    GlslWriter& out = text.body;
    out.line("float l0 = f0 * abs(", simple, ");");
    out.line("float l1 = f1 * abs(", simple, ");");
    out.line("if (", text.vote(simple + " == 0.0"), ")");
    out.open();
    if (!has_third_edge)
        write_third_edge(text);
    write_reciprocal(text);
    out.line("l0 = weight(b_0, r);");
    out.line("l1 = weight(b_1, r);");
    out.close();
}

} // namespace

void define_wide_sums(FragmentText& text)
{
    text.define("multiply_wide", kMultiplyWide);
    text.define("add_wide", kAddWide);
}

void write_edges(FragmentText& text, EdgeNeeds needs)
{
    if (needs == EdgeNeeds::None)
        return;
    write_edge_values(text);
    if (text.target.coverage_in_shader)
        write_coverage_test(text);
    if (needs == EdgeNeeds::Coverage)
        return;

    if (!text.real_edges)
        write_shifted_edges(text, needs);
    if (needs == EdgeNeeds::Affine)
        return;
    text.use("rcp_positive");
    text.use("weight");
    text.use("interpolate");
    const bool has_quad = uses_quad(text.key);
    if (text.real_edges && (has_quad || !has_simple_weights(text)))
        write_third_edge(text);
    text.body.blank();
    text.body.line("// Perspective weights of vertices 0 and 1");
    if (has_simple_weights(text))
        return write_voted_weights(text, has_quad);
    write_reciprocal(text);
    text.body.line("float l0 = weight(b_0, r);");
    text.body.line("float l1 = weight(b_1, r);");
}

std::string interpolated(FragmentText& text, u32 offset)
{
    if (offset == 0)
        return "0.0";
    return "interpolate(" + text.real_word(offset) + ", " + text.real_word(offset + 1) + ", " +
           text.real_word(offset + 2) + ", l0, l1)";
}

std::string write_z_over_w(FragmentText& text)
{
    const u32 z = text.layout.depth;
    if (z != 0)
    {
        const std::string inverse_area = text.real_word(pica::kRecordInverseArea);
        text.use("interpolate");
        text.body.line("float z_over_w = interpolate(", text.real_word(z), ", ", text.real_word(z + 1), ", ",
                       text.real_word(z + 2), ", f0 * ", inverse_area, ", f1 * ", inverse_area, ");");
    }
    else
        text.body.line("float z_over_w = 0.0;");
    if (text.real_edges)
        return text.real_word(real_tail_word(text.layout) + kRealShiftedArea);
    const std::string word = text.word(pica::kRecordArea);
    return "float(" + shifted(text, text.layout.wide ? "area" : word, word + " & 15") + ")";
}

void write_window_depth(FragmentText& text)
{
    if (text.window_depth)
        return;
    text.window_depth = true;
    text.body.blank();
    text.body.line("// Window depth");
    const std::string area = write_z_over_w(text);
    const std::string map = "z_over_w, " + text.draw("misc.x") + ", " + text.draw("misc.y");
    const bool w_buffer = text.key.depth_mode() == pica::DepthMode::W;
    text.use(w_buffer ? "window_depth_w" : "window_depth_plain");
    text.use("clamp_depth");
    if (w_buffer)
        text.body.line("float window_depth = clamp_depth(window_depth_w(", map, ", ", area, " * r));");
    else
        text.body.line("float window_depth = clamp_depth(window_depth_plain(", map, "));");
}

void define_code_of(FragmentText& text)
{
    text.define("code_of", R"(float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
)");
}

namespace
{

// Declares vec4 color, which is that of any vertex where all are equal.
void write_voted_color(FragmentText& text)
{
    const u32 first = text.layout.color;
    const std::string simple = text.word(real_tail_word(text.layout) + kRealSimple);
    GlslWriter& out = text.body;
    out.line("vec4 color = vec4(", text.real_word(first), ", ", text.real_word(first + 3), ", ",
             text.real_word(first + 6), ", ", text.real_word(first + 9), ");");
    out.line("if (", text.vote(simple + " >= 0"), ")");
    out.open();
    for (u32 c = 0; c < 4; c++)
        out.line("color.", std::string(1, "rgba"[c]), " = ", interpolated(text, first + 3 * c), ";");
    out.close();
}

} // namespace

void write_primary_color(FragmentText& text)
{
    define_code_of(text);
    text.body.blank();
    text.body.line("// Primary colour");
    const u32 first = text.layout.color;
    std::string channel[4];
    if (text.votes && first != 0)
        write_voted_color(text);
    for (u32 c = 0; c < 4; c++)
    {
        const std::string value = text.votes && first != 0
                                      ? std::string("color.") + "rgba"[c]
                                      : interpolated(text, first == 0 ? 0 : first + 3 * c);
        channel[c] = "code_of(" + value + ")";
    }
    text.body.line("vec4 primary = vec4(", channel[0], ",");
    text.body.line("                    ", channel[1], ",");
    text.body.line("                    ", channel[2], ",");
    text.body.line("                    ", channel[3], ");");
}

namespace
{

// The fixed function compares with LessOrEqual, so 0 always passes, and 1, which is above every code, never
// does. Forms that drop fragments of one kind use Always or Never.
void write_depth_zero(FragmentText& text)
{
    using pica::DepthZero;
    const DepthZero zero = text.key.depth_zero;
    GlslWriter& out = text.body;
    text.use("depth_code");
    out.line("int code = depth_code(window_depth, ", text.key.depth16 ? "65535.0" : "16777215.0", ");");
    if (zero == DepthZero::Zero || zero == DepthZero::Nonzero)
    {
        out.line("gl_FragDepth = code ", zero == DepthZero::Zero ? "==" : "!=", " 0 ? 0.0 : 1.0;");
        return;
    }
    text.drop_if(zero == DepthZero::KeepNonzero ? "code == 0" : "code != 0");
    out.line("gl_FragDepth = float(code) * as_real(", text.key.depth16 ? "0x37800000u" : "0x33800000u", ");");
}

} // namespace

void write_depth(FragmentText& text)
{
    if (text.key.depth == pica::DepthMode::None)
        return;
    write_window_depth(text);
    if (text.key.depth_zero != pica::DepthZero::None)
        return write_depth_zero(text);
    text.use("depth_fraction");
    text.body.line("gl_FragDepth = depth_fraction(window_depth, ",
                   text.key.depth16 ? "65535.0, as_real(0x37800000u)" : "16777215.0, as_real(0x33800000u)",
                   ");");
}

} // namespace shadergen
