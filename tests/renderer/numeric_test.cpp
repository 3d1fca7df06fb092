// SPDX-License-Identifier: MIT
// The shared arithmetic (shaders/include/numeric.h, geometry.h, raster.h) on the device against its C++
// compilation, bit for bit but for the payloads of NaN. Unary float24 functions: a stratified sample, in long
// runs all 2^24 values.
#include "pica/base/float24.h"
#include "pica/base/numeric.h"
#include "shadergen/prelude.h"
#include "tests/support/device/compute_runner.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdlib>

using namespace tests;
using namespace pica::num;

namespace
{

constexpr u32 kMaxOperands = 8;
using Operands = std::array<f32, kMaxOperands>;

enum class Domain : u8
{
    Bits,     // any 32 bits
    Float24,  // float24 registers
    Normal24, // results of float24 arithmetic
    Moderate, // binary32 of magnitude 2^-40 .. 2^40, and zero
    Unit,     // around [-2, 2], with 0, 1 and powers of two among them
    Integer,  // small integers
};

// The names of float24_fast.h, whose functions must give the same bits.
f32 fast_mul(f32 a, f32 b)
{
    return f24_mul(a, b);
}
f32 fast_add(f32 a, f32 b)
{
    return f24_add(a, b);
}
f32 fast_mad(f32 a, f32 b, f32 c)
{
    return f24_mad(a, b, c);
}
f32 fast_dp3(f32 ax, f32 bx, f32 ay, f32 by, f32 az, f32 bz)
{
    return f24_mad(az, bz, f24_mad(ay, by, f24_mul(ax, bx)));
}
f32 fast_dp4(f32 ax, f32 bx, f32 ay, f32 by, f32 az, f32 bz, f32 aw, f32 bw)
{
    return f24_mad(aw, bw, fast_dp3(ax, bx, ay, by, az, bz));
}
f32 fast_in(f32 x)
{
    return f24_in(x);
}
f32 fast_round(f32 x)
{
    return f24_round(x);
}
bool fast_greater(f32 a, f32 b)
{
    return f24_greater(a, b);
}
bool fast_less(f32 a, f32 b)
{
    return f24_less(a, b);
}
bool fast_greater_equal(f32 a, f32 b)
{
    return f24_greater_equal(a, b);
}
bool fast_less_equal(f32 a, f32 b)
{
    return f24_less_equal(a, b);
}
bool fast_equal(f32 a, f32 b)
{
    return f24_equal(a, b);
}
bool fast_not_equal(f32 a, f32 b)
{
    return f24_not_equal(a, b);
}
f32 fast_sge(f32 a, f32 b)
{
    return f24_sge(a, b);
}
f32 fast_slt(f32 a, f32 b)
{
    return f24_slt(a, b);
}
f32 fast_attribute(f32 x)
{
    return vertex_attribute(x);
}
f32 fast_color(f32 c)
{
    return vertex_color(c);
}

struct Function
{
    const char* expression; // the same text in C++ and in GLSL
    u32 operands;
    Domain domain;
    u32 (*evaluate)(f32 a, f32 b, f32 c, f32 d, f32 e, f32 f, f32 g, f32 h);
};

#define FLAG(m) ((m) ? 1u : 0u)
#define FUNCTION(operands, domain, expression)                                                               \
    {                                                                                                        \
#expression, operands, Domain::domain,                                                               \
            []([[maybe_unused]] f32 a, [[maybe_unused]] f32 b, [[maybe_unused]] f32 c,                       \
               [[maybe_unused]] f32 d, [[maybe_unused]] f32 e, [[maybe_unused]] f32 f,                       \
               [[maybe_unused]] f32 g, [[maybe_unused]] f32 h) -> u32 { return expression; }                 \
    }

// clang-format off
const Function kFunctions[] = {
    FUNCTION(1, Bits, magnitude_bits(a)),
    FUNCTION(1, Bits, FLAG(is_nan(a))),
    FUNCTION(1, Bits, FLAG(is_finite(a))),
    FUNCTION(1, Bits, as_bits(flush_below(a, 0x20800000u))),
    FUNCTION(2, Moderate, as_bits(fm(a, b))),
    FUNCTION(1, Moderate, as_bits(rcp(a))),
    FUNCTION(1, Unit, as_bits(rcp(a))),
    FUNCTION(1, Moderate, as_bits(rsq_newton(magnitude(a) + as_real(0x2B800000u)))), // of positive numbers alone
    FUNCTION(1, Bits, as_bits(f24_round(a))),
    FUNCTION(1, Float24, as_bits(f24_in(a))),
    FUNCTION(2, Float24, as_bits(f24_add(a, b))),
    FUNCTION(2, Float24, as_bits(f24_mul(a, b))),
    FUNCTION(3, Float24, as_bits(f24_mad(a, b, c))),
    FUNCTION(2, Float24, FLAG(f24_ordered(a, b))),
    FUNCTION(2, Float24, FLAG(f24_greater(a, b))),
    FUNCTION(2, Float24, FLAG(f24_less(a, b))),
    FUNCTION(2, Float24, FLAG(f24_greater_equal(a, b))),
    FUNCTION(2, Float24, FLAG(f24_less_equal(a, b))),
    FUNCTION(2, Float24, FLAG(f24_equal(a, b))),
    FUNCTION(2, Float24, FLAG(f24_not_equal(a, b))),
    FUNCTION(2, Float24, as_bits(f24_max(a, b))),
    FUNCTION(2, Float24, as_bits(f24_min(a, b))),
    FUNCTION(2, Float24, as_bits(f24_sge(a, b))),
    FUNCTION(2, Float24, as_bits(f24_slt(a, b))),
    FUNCTION(1, Float24, as_bits(f24_floor(a))),
    FUNCTION(1, Float24, as_bits(f24_rcp(a))),
    FUNCTION(1, Float24, as_bits(f24_rsq(a))),
    FUNCTION(1, Float24, as_bits(f24_ex2(a))),
    FUNCTION(1, Float24, as_bits(f24_lg2(a))),
    FUNCTION(1, Float24, as_unsigned(f24_to_offset(a))),
    FUNCTION(2, Integer, as_unsigned(relative_constant(to_int(a), to_int(b)))),

    FUNCTION(2, Normal24, as_bits(fast_mul(a, b))),
    FUNCTION(2, Normal24, as_bits(fast_add(a, b))),
    FUNCTION(3, Normal24, as_bits(fast_mad(a, b, c))),
    FUNCTION(6, Normal24, as_bits(fast_dp3(a, b, c, d, e, f))),
    FUNCTION(8, Normal24, as_bits(fast_dp4(a, b, c, d, e, f, g, h))),
    FUNCTION(1, Float24, as_bits(fast_in(a))),
    FUNCTION(1, Bits, as_bits(fast_round(a))),
    FUNCTION(2, Float24, FLAG(fast_greater(a, b))),
    FUNCTION(2, Float24, FLAG(fast_less(a, b))),
    FUNCTION(2, Float24, FLAG(fast_greater_equal(a, b))),
    FUNCTION(2, Float24, FLAG(fast_less_equal(a, b))),
    FUNCTION(2, Float24, FLAG(fast_equal(a, b))),
    FUNCTION(2, Float24, FLAG(fast_not_equal(a, b))),
    FUNCTION(2, Float24, as_bits(fast_sge(a, b))),
    FUNCTION(2, Float24, as_bits(fast_slt(a, b))),
    FUNCTION(1, Bits, as_bits(fast_attribute(a))),
    FUNCTION(1, Bits, as_bits(fast_color(a))),

    FUNCTION(1, Bits, as_bits(vertex_attribute(a))),
    FUNCTION(1, Bits, as_bits(vertex_color(a))),
    FUNCTION(2, Unit, as_bits(snap_to_depth_planes(a, b))),
    FUNCTION(2, Float24, as_bits(snap_to_depth_planes(a, b))),
    FUNCTION(8, Moderate, as_bits(user_plane_distance(a, b, c, d, e, f, g, h))),
    FUNCTION(2, Unit, as_bits(clip_parameter(as_real(magnitude_bits(a)), as_real(magnitude_bits(b) | 0x80000000u)))),
    FUNCTION(3, Unit, as_bits(clip_position(a, b, as_real(magnitude_bits(c))))),
    FUNCTION(3, Moderate, as_bits(clip_position(a, b, 0.375f))),
    FUNCTION(3, Unit, as_bits(clip_attribute(a, b, as_real(magnitude_bits(c))))),
    FUNCTION(1, Moderate, as_bits(inverse_w(a))),
    FUNCTION(4, Unit, as_bits(viewport_transform(a, b, c * 256.0f, d * 64.0f))),
    FUNCTION(2, Moderate, as_bits(depth_over_w(a, b))),
    FUNCTION(1, Moderate, as_unsigned(snap_coordinate(a, 16.0f, 65536.0f))),
    FUNCTION(1, Unit, as_unsigned(snap_coordinate(a * 300.0f, 48.0f, 196608.0f))),

    FUNCTION(2, Moderate, as_bits(weight(a, b))),
    FUNCTION(5, Unit, as_bits(interpolate(a, b, c, d, e))),
    FUNCTION(3, Unit, as_bits(window_depth_z(a, b, c))),
    FUNCTION(4, Unit, as_bits(window_depth_w(a, b, c, d))),
    FUNCTION(1, Unit, as_unsigned(depth_code(a, 16777215.0f))),
    FUNCTION(1, Unit, as_unsigned(depth_code(a, 65535.0f))),
    FUNCTION(1, Unit, as_bits(color_code(as_real(magnitude_bits(a))))),
    FUNCTION(2, Moderate, as_unsigned(texel_coordinate(a, 32768.0f))),
    FUNCTION(1, Integer, as_unsigned(wrap_clamp(to_int(a), 64))),
    FUNCTION(1, Integer, as_unsigned(wrap_repeat(to_int(a), 64))),
    FUNCTION(1, Integer, as_unsigned(wrap_mirror(to_int(a), 64))),
    FUNCTION(1, Integer, as_unsigned(wrap_clamp2(to_int(a), 64))),
    FUNCTION(1, Integer, FLAG(outside_both(to_int(a), 64))),
    FUNCTION(1, Integer, FLAG(outside_above(to_int(a), 64))),
    FUNCTION(2, Unit, as_unsigned(scaled_texel_coordinate(a * 8.0f, 8 + to_int(magnitude(b) * 4092.0f)))),
    FUNCTION(2, Moderate, as_unsigned(scaled_texel_coordinate(a, 7168))),
    FUNCTION(2, Unit, as_unsigned(wrap_scaled_repeat(to_int(a * 2097152.0f), 8 + to_int(magnitude(b) * 4092.0f)))),
    FUNCTION(2, Unit, as_unsigned(wrap_scaled_mirror(to_int(a * 20000.0f), 8 + to_int(magnitude(b) * 4092.0f)))),
    FUNCTION(2, Unit, as_unsigned(wrap_scaled_clamp2(to_int(a * 20000.0f), 8 + to_int(magnitude(b) * 4092.0f)))),

    FUNCTION(2, Moderate, as_bits(proctex_shift_odd(proctex_magnitude(a), b))),
    FUNCTION(2, Unit, as_bits(proctex_shift_even(proctex_magnitude(a * 8.0f), b))),
    FUNCTION(1, Moderate, as_bits(proctex_symmetric(proctex_magnitude(a)))),
    FUNCTION(1, Moderate, as_bits(proctex_mirrored(proctex_magnitude(a)))),
    FUNCTION(1, Unit, as_bits(proctex_pulse(a))),
    FUNCTION(2, Unit, as_bits(proctex_bounded_radius(a, b))),
    FUNCTION(2, Unit, as_bits(proctex_mean_and_radius(proctex_magnitude(a), proctex_magnitude(b)))),
    FUNCTION(2, Unit, as_bits(proctex_half_squares(a, b))),
    FUNCTION(3, Unit, as_bits(proctex_entry(clamp_depth(a), proctex_index(clamp_depth(a)), b, c))),
    FUNCTION(3, Moderate, as_bits(proctex_noise_coordinate(proctex_magnitude(a), b, proctex_magnitude(c)))),
    FUNCTION(2, Unit, as_unsigned(proctex_random_code(to_int(proctex_magnitude(a) * 2097152.0f), to_int(proctex_magnitude(b) * 700.0f)))),
    FUNCTION(4, Unit, as_bits(proctex_noise(proctex_magnitude(a) * 500.0f, proctex_magnitude(b) * 70000.0f, clamp_depth(c), clamp_depth(d)))),
    FUNCTION(3, Moderate, as_bits(proctex_displaced(a, b, c))),
    FUNCTION(2, Unit, as_bits(proctex_place(clamp_depth(a), 128, to_int(proctex_magnitude(b) * 3.5f)))),
    FUNCTION(2, Unit, as_unsigned(proctex_nearest_entry(proctex_magnitude(a) * 127.0f, to_int(proctex_magnitude(b) * 127.5f)))),
    FUNCTION(2, Bits, as_bits(proctex_channel(as_bits(a), as_bits(b), 8u, 0.375f))),

    FUNCTION(3, Unit, as_unsigned(gas_attenuated(to_int(clamp_depth(a) * 255.0f), to_int(clamp_depth(b) * 16777215.0f), clamp_depth(c) * as_real(0x35800000u)))),
    FUNCTION(2, Unit, as_bits(gas_density(to_int(clamp_depth(a) * 65535.0f), b * as_real(0x38800000u)))),
    FUNCTION(4, Unit, as_bits(gas_intensity(a, b, c, d))),
    FUNCTION(3, Unit, as_bits(gas_light(a, b, c))),
    FUNCTION(3, Bits, as_unsigned(gas_channel(as_bits(a), as_bits(b), 8u, clamp_depth(c), gas_index(clamp_depth(c))))),
    FUNCTION(2, Unit, as_unsigned(gas_alpha(a, b))),

    FUNCTION(1, Unit, as_unsigned(fog_position(clamp_depth(a)))),
    FUNCTION(1, Unit, as_unsigned(fog_position(fog_flipped(clamp_depth(a))))),
    FUNCTION(3, Unit, as_unsigned(fog_factor(fog_position(clamp_depth(a)), to_int(b * 1024.0f), to_int(c * 2048.0f)))),
    FUNCTION(3, Unit, as_unsigned(fog_blend(to_int(a * 100.0f) + 200, to_int(b * 100.0f) + 200, to_int(clamp_depth(c) * 2047.0f)))),
    FUNCTION(1, Integer, as_bits(bounded_edge(to_int(a) * 65536))),
    FUNCTION(4, Unit, FLAG(is_beyond_horizon(a, b, c, d * as_real(0x35800000u)))),
    FUNCTION(1, Bits, as_unsigned(level_of_detail(as_real(magnitude_bits(a))))),
    FUNCTION(1, Bits, as_bits(divisor(a))),
    FUNCTION(3, Unit, as_unsigned(cube_face(a, b, c))),
    FUNCTION(4, Unit, as_bits(cube_major(to_int(magnitude(d) * 2.0f), a, b, c))),
    FUNCTION(4, Unit, as_bits(cube_s(to_int(magnitude(d) * 2.0f), a, b))),
    FUNCTION(4, Unit, as_bits(cube_t(to_int(magnitude(d) * 2.0f), a, b))),
    FUNCTION(2, Moderate, as_bits(cube_coordinate(a, b))),
    FUNCTION(1, Unit, as_unsigned(shadow_reference(a, 123456))),
    FUNCTION(3, Integer, as_unsigned(shadow_tap(to_int(a), to_int(b), to_int(c)))),
    FUNCTION(3, Moderate, as_unsigned(tie_exponent(a, b, c))),
    FUNCTION(1, Integer, as_bits(tie_spacing(to_int(magnitude(a) * 0.13f)))),
    FUNCTION(2, Unit, as_bits(nearest_tie(a, 0, tie_spacing(0)))),
    FUNCTION(2, Unit, as_bits(nearest_tie(a * 500.0f, 9, tie_spacing(9)))),
    FUNCTION(2, Unit, FLAG(is_near_tie(a * 0.01f, nearest_tie(a * 0.01f, 0, tie_spacing(0)), 4))),
    FUNCTION(1, Unit, as_unsigned(tie_units(a, 1))),
    FUNCTION(1, Unit, as_unsigned(tie_units(a * 4096.0f, 13))),
    FUNCTION(2, Unit, as_bits(beside_tie(a, nearest_tie(a, 0, tie_spacing(0)), tie_spacing(0), b > 0.0f))),
    FUNCTION(4, Integer, as_unsigned(bounded_lod(to_int(a), to_int(b), to_int(c), to_int(c) + 7))),
};
// clang-format on

f32 from_bits(u32 bits)
{
    return std::bit_cast<f32>(bits);
}

constexpr std::array<u32, 14> kSpecialFloat24 = {0x000000, 0x800000, 0x000001, 0x00FFFF, 0x010000,
                                                 0x810000, 0x3F0000, 0xBF0000, 0x7EFFFF, 0xFEFFFF,
                                                 0x7F0000, 0xFF0000, 0x7F8000, 0x3E0000};

f32 random_operand(Random& random, Domain domain)
{
    const u32 r = random.next();
    switch (domain)
    {
    case Domain::Bits:
        // Exponents of every class, denormals and NaN included.
        return from_bits(random.chance(1, 8) ? (r & 0x807FFFFFu) | random.pick({0u, 0x7F800000u, 0x3F800000u})
                                             : r);
    case Domain::Float24:
        if (random.chance(1, 6))
            return pica::float24_to_f32(kSpecialFloat24[random.below(kSpecialFloat24.size())]);
        // Half of them near 1, so that sums cancel and comparisons are close.
        return pica::float24_to_f32(random.chance(1, 2) ? (r & 0x81FFFFu) | 0x3E0000u : r & 0xFFFFFFu);
    case Domain::Normal24:
        return f24_round(random_operand(random, Domain::Float24));
    case Domain::Moderate:
        return random.chance(1, 20) ? 0.0f : from_bits((r & 0x807FFFFFu) | (87 + random.below(81)) << 23);
    case Domain::Unit:
        if (random.chance(1, 8))
            return random.pick({0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 0.25f, 1e-5f, 1e-6f, -1.00001f});
        return random.real(-2.0f, 2.0f);
    case Domain::Integer:
        break;
    }
    return static_cast<f32>(random.between(-300, 300));
}

bool same(u32 a, u32 b)
{
    const bool both_nan = (a & 0x7FFFFFFFu) > 0x7F800000u && (b & 0x7FFFFFFFu) > 0x7F800000u;
    return a == b || both_nan;
}

std::string shader(const Function& function, const shadergen::Target& target)
{
    const std::array<std::string_view, 11> texts = {"numeric.h",
                                                    "geometry.h",
                                                    "raster.h",
                                                    "shadow.h",
                                                    "lighting.h",
                                                    "fog.h",
                                                    "texture.h",
                                                    "ties.h",
                                                    "proctex.h",
                                                    "gas.h",
                                                    target.nan_preserve ? "float24_fast.h"
                                                                        : "float24_plain.h"};
    const std::string count = std::to_string(function.operands);
    std::string text = "#version 450\nlayout(local_size_x = 64) in;\n";
    text += "layout(set = 0, binding = 0, std430) readonly buffer Input { uint operand[]; };\n";
    text += "layout(set = 0, binding = 1, std430) writeonly buffer Output { uint result[]; };\n";
    text += shadergen::prelude(target, texts);
    text += "#define FLAG(m) ((m) ? 1u : 0u)\nvoid main()\n{\n    uint i = gl_GlobalInvocationID.x;\n";
    for (u32 k = 0; k < function.operands; k++)
        text += std::string("    float ") + "abcdefgh"[k] + " = uintBitsToFloat(operand[i * " + count +
                "u + " + std::to_string(k) + "u]);\n";
    return text + "    result[i] = " + function.expression + ";\n}\n";
}

class Checker
{
public:
    explicit Checker(ComputeRunner& runner)
        : runner_(runner), input_(runner.buffer(std::size_t{kChunk} * kMaxOperands * 4)),
          output_(runner.buffer(kChunk * 4))
    {
    }

    static constexpr u32 kChunk = 1u << 17;

    // make(i) gives the operands of evaluation i.
    template <typename Make>
    void check(const Function& function, u32 count, Make make)
    {
        const std::initializer_list<ComputeBinding> bindings = {{0, &input_}, {1, &output_}};
        const u32 pipeline =
            runner_.pipeline(compile_compute(shader(function, runner_.target()), runner_.target()), bindings);
        std::vector<Operands> operands(kChunk);
        for (u32 done = 0; done < count; done += kChunk)
        {
            u32* words = reinterpret_cast<u32*>(input_.mapped);
            for (u32 i = 0; i < kChunk; i++)
            {
                operands[i] = make(done + i);
                for (u32 k = 0; k < function.operands; k++)
                    *words++ = as_bits(operands[i][k]);
            }
            runner_.dispatch(pipeline, bindings, kChunk / 64);
            runner_.submit();
            const auto results = ComputeRunner::view<u32>(output_);
            for (u32 i = 0; i < kChunk; i++)
            {
                const Operands& x = operands[i];
                const u32 expected = function.evaluate(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
                if (!same(expected, results[i]))
                {
                    FAIL_CHECK(function.expression, " at ", x[0], " ", x[1], " ", x[2], " ", x[3], " (bits ",
                               as_bits(x[0]), " ", as_bits(x[1]), "): device ", results[i], ", C++ ",
                               expected);
                    return;
                }
            }
        }
        CHECK(count > 0);
    }

private:
    ComputeRunner& runner_;
    renderer::Buffer input_;
    renderer::Buffer output_;
};

bool long_run()
{
    const char* text = std::getenv("PICAVK_LONG");
    return text && text[0] == '1';
}

} // namespace

TEST_CASE("numeric: every shared function has the same bits on the device and in C++")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Checker checker(*runner);
    Random random(1);
    const u32 samples = Checker::kChunk * (long_run() ? 16 : 1);
    for (const Function& function : kFunctions)
    {
        checker.check(function, samples,
                      [&](u32)
                      {
                          Operands x{};
                          for (u32 k = 0; k < function.operands; k++)
                              x[k] = random_operand(random, function.domain);
                          return x;
                      });
    }
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}

TEST_CASE("numeric: unary float24 functions agree over the whole range")
{
    const auto runner = ComputeRunner::create();
    if (!runner)
        return;
    Checker checker(*runner);
    Random random(2);
    const u32 step = long_run() ? 1 : 64;
    for (const Function& function : kFunctions)
    {
        if (function.operands != 1 || function.domain != Domain::Float24)
            continue;
        checker.check(function, (1u << 24) / step,
                      [&](u32 i)
                      {
                          const u32 raw = i < kSpecialFloat24.size() && step != 1
                                              ? kSpecialFloat24[i]
                                              : i * step + random.below(step);
                          return Operands{pica::float24_to_f32(raw)};
                      });
    }
    for (const std::string& message : runner->messages())
        FAIL_CHECK(message);
}
