#version 450
// tev0.color_source=Constant,PrimaryColor,PrimaryColor tev0.alpha_source=Constant,PrimaryColor,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque
#define PICA_GLSL
#define Real float
#define Bits uint
#define Int int
#define Mask bool
#define NUM_FN
#define NOT(a) (!(a))
#define REAL(x) (x)
#define BITS(x) (x)
#define INT(x) (x)
#define FLOOR(x) floor(x)
#define MUL_WIDE(a, b, high, low) umulExtended(a, b, high, low)
#define as_bits(x) floatBitsToUint(x)
#define as_real(x) uintBitsToFloat(x)
#define as_unsigned(x) uint(x)
#define as_signed(x) int(x)
#define to_int(x) int(x)
#define to_real(x) float(x)
#define SEL(mask, a, b) mix(b, a, mask)
#define AND(a, b) mix(false, b, a)
#define OR(a, b) mix(b, true, a)
#define RCP_STEPS 3

struct FragmentBlock
{
    vec4 texenv_color[6]; // 0..255, r g b a
    vec4 texenv_buffer_color;
    uvec4 border_color;  // RGBA8 words of units 0..2, red in the low byte
    vec4 blend_color;
    ivec4 texture_size[3]; // x width, y height of level 0; z LOD bias, w lowest | highest LOD << 16, in 1/256 level
    vec4 texture_scale[3]; // x width, y height of level 0; z width - 1, w height - 1
    ivec4 scissor;         // scaled pixels x1, y1, x2, y2 inclusive, y up; mode exclude only
    vec4 misc;             // x depth scale, y depth offset, z alpha reference (0..255), w shadow bias (24 bits)
    // The rows from here on are for fragment keys of which reads_common_rows_only (shadergen/uniforms.h) is false.
    vec4 proctex_noise;    // phase u, v, frequency u, v (times 9)
    vec4 proctex_scale;    // x, y amplitude of the noise, z |width * bias|; w constant of shadow maps
    ivec4 proctex_level;   // x first entries of levels 0..3, y width; z, w lowest and highest level of detail in 1/256
    vec4 gas_planar;       // minimum, maximum, attenuation; w normalisation
    vec4 gas_view;         // minimum, maximum, attenuation; w attenuation of alpha
    // x line of sight, y scale of depth differences, z height of the depth texture, w z minus the target's height
    vec4 gas_misc;
    vec4 fog_color;        // 0..255; w linear coefficient of shadow maps
    ivec4 lut_base[8];     // first entry of LutTable n in the LUT buffer at [n/4][n%4]; 0 if the draw does not read it
    uvec4 state[10];       // the bytes of the fragment key, for the ubershader only; order in shadergen/ubershader.cpp
};
layout(std140, set = 0, binding = 0) uniform Draw { FragmentBlock draw; };
layout(set = 0, binding = 1) uniform isamplerBuffer record_texels;
layout(location = 0) flat in int triangle;
layout(location = 0) out uvec4 color_output;

int sixteenths(int high, int low) { return high << 28 | int(uint(low) >> 4); }
int shift_split(int value, int low, ivec3 shift)
{
    return (value << shift.x | low >> shift.z) >> shift.y;
}
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    int record = triangle * 6;
    ivec4 q0 = texelFetch(record_texels, record + 0);
    ivec4 q1 = texelFetch(record_texels, record + 1);
    ivec4 q3 = texelFetch(record_texels, record + 3);

    // Edge values at the pixel centre
    int e0 = (q0.x >> 4) * p.x + (q0.y >> 4) * p.y + sixteenths(q3.x, q0.z);
    int low0 = q0.z & 15;
    int e1 = (q0.w >> 4) * p.x + (q1.x >> 4) * p.y + sixteenths(q3.y, q1.y);
    int low1 = q1.y & 15;
    int area = sixteenths(q3.z, q1.z);
    int low2 = (q1.z & 15) - low0 - low1;
    int edge_sum = area + (low2 >> 4);
    low2 &= 15;
    int e2 = edge_sum - e0 - e1;
    ivec3 shifts = ivec3(max(4 - q1.w, 0), max(q1.w - 4, 0), min(q1.w, 4));
    int a2 = -(q0.x + q0.w);
    int b2 = -(q0.y + q1.x);
    if (e0 < 0 || ((e0 | low0) == 0 && (q0.x < 0 || (q0.x == 0 && q0.y < 0)))) discard;
    if (e1 < 0 || ((e1 | low1) == 0 && (q0.w < 0 || (q0.w == 0 && q1.x < 0)))) discard;
    if (e2 < 0 || ((e2 | low2) == 0 && (a2 < 0 || (a2 == 0 && b2 < 0)))) discard;

    // Combiners
    vec4 stage0 = vec4(draw.texenv_color[0].rgb, draw.texenv_color[0].a);

    // Colour output
    color_output = uvec4(stage0);
}
