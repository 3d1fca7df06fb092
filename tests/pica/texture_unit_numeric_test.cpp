// SPDX-License-Identifier: MIT
// shaders/include/texture.h against hand-computed values.
#include "pica/base/numeric.h"
#include "tests/reference/reference_texture.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pica;
using namespace pica::num;

TEST_CASE("level of detail: the fraction is round(256 * log2(1 + k/256)) for every k")
{
    // Some by hand: log2(1.5) = 0.58496 -> 149.75, log2(1.25) = 0.32193 -> 82.41, log2(1 + 255/256) ->
    // 255.28.
    CHECK(level_of_detail(1.5f) == 150);
    CHECK(level_of_detail(1.25f) == 82);
    CHECK(level_of_detail(1.99609375f) == 255);
    for (u32 k = 0; k < 256; ++k)
    {
        const u32 mantissa = k << 15;
        CHECK(level_of_detail(as_real(0x3F800000u | mantissa)) ==
              tests::reference_log2(as_real(0x3F800000u | mantissa)));
        // Lower mantissa bits don't count.
        CHECK(level_of_detail(as_real(0x3F800000u | mantissa | 0x7FFFu)) ==
              level_of_detail(as_real(0x3F800000u | mantissa)));
    }
}

TEST_CASE("level of detail: powers of two are whole levels, 0 is below every level")
{
    CHECK(level_of_detail(1.0f) == 0);
    CHECK(level_of_detail(8.0f) == 3 * 256);
    CHECK(level_of_detail(0.25f) == -2 * 256);
    CHECK(level_of_detail(0.0f) + 4095 < 0);
    CHECK(level_of_detail(as_real(1u)) + 4095 < 0); // subnormal
}

TEST_CASE("level of detail: bias, then bounds")
{
    CHECK(bounded_lod(300, -44, 0, 1792) == 256);
    CHECK(bounded_lod(-32512, 4095, 256, 1792) == 256);
    CHECK(bounded_lod(0x100000, -4096, 0, 512) == 512);
}

TEST_CASE("level of detail: edge values are cut to 24 bits, points behind the eye are found")
{
    CHECK(bounded_edge(0x7FFFFFFF) == 16777215.0f);
    CHECK(bounded_edge(-0x7FFFFFFF) == -16777215.0f);
    CHECK(bounded_edge(-5) == -5.0f);
    CHECK(is_beyond_horizon(1.0f, 2.0f, -3.0f, 0.0f));
    CHECK(is_beyond_horizon(1.0f, 2.0f, -3.5f, -0.5f));
    CHECK(is_beyond_horizon(0.0f, 1.0f, 0.0f, 0x1p-20f));
    CHECK_FALSE(is_beyond_horizon(0.0f, 1.0f, 0.0f, 0x1.000002p-20f));
}

TEST_CASE("cube map: the major axis chooses the face, of equal ones the later axis")
{
    CHECK(cube_face(2.0f, 1.0f, -1.0f) == 0);
    CHECK(cube_face(-2.0f, 1.0f, -1.0f) == 1);
    CHECK(cube_face(1.0f, 2.0f, -1.0f) == 2);
    CHECK(cube_face(1.0f, -2.0f, -1.0f) == 3);
    CHECK(cube_face(1.0f, -1.5f, 2.0f) == 4);
    CHECK(cube_face(1.0f, -1.5f, -2.0f) == 5);
    CHECK(cube_face(1.0f, 1.0f, 0.5f) == 2); // X = Y: Y
    CHECK(cube_face(1.0f, 0.5f, 1.0f) == 4); // X = Z: Z
    CHECK(cube_face(0.5f, -1.0f, -1.0f) == 5);
    CHECK(cube_face(0.0f, 0.0f, 0.0f) == 5);
}

TEST_CASE("cube map: coordinates on the faces")
{
    // Direction (1, 2, 3) / (-1, -2, -3) with each axis as the major one; textures.md, "Types of unit 0".
    const f32 x = 1.0f, y = 2.0f, z = 3.0f;
    const f32 expected_s[6] = {-3, 3, 1, 1, 1, -1};
    const f32 expected_t[6] = {-2, -2, 3, -3, -2, -2};
    const f32 expected_major[6] = {1, -1, 2, -2, 3, -3};
    for (s32 face = 0; face < 6; ++face)
    {
        CHECK(cube_s(face, x, z) == expected_s[face]);
        CHECK(cube_t(face, y, z) == expected_t[face]);
        CHECK(cube_major(face, x, y, z) == expected_major[face]);
    }
    CHECK(cube_coordinate(-1.0f, rcp(2.0f)) == 0.25f);
    CHECK(cube_coordinate(1.0f, 1.0f) == 1.0f);
}

TEST_CASE("division by texcoord0.w: small divisors keep their sign")
{
    CHECK(divisor(3.0f) == 3.0f);
    CHECK(divisor(0.0f) == 0x1p-40f);
    CHECK(divisor(-0.0f) == 0x1p-40f);
    CHECK(divisor(-0x1p-50f) == -0x1p-40f);
    CHECK(divisor(-0x1p-40f) == -0x1p-40f);
}

TEST_CASE("shadow map: reference and comparison")
{
    CHECK(shadow_reference(0.5f, 0) == 8388607); // truncated
    CHECK(shadow_reference(-0.5f, 7) == 8388600);
    CHECK(shadow_reference(7.0f, 0) == 16777215);
    CHECK(shadow_reference(0.25f, 0xFFFFFE) == 0);
    CHECK(shadow_tap(101, 200, 100) == 200);
    CHECK(shadow_tap(100, 200, 100) == 0);
}

TEST_CASE("pictures of N x texels: wrap modes are plain remainders, for every N and power of two")
{
    for (s32 n = 1; n <= 8; ++n)
        for (s32 size = 8 * n; size <= 1024 * n; size *= 2)
        {
            const auto check = [&](s32 s)
            {
                const s32 repeated = ((s % size) + size) % size;
                const s32 mirrored = ((s % (2 * size)) + 2 * size) % (2 * size);
                const bool same =
                    wrap_scaled_repeat(s, size) == repeated &&
                    wrap_scaled_mirror(s, size) == (mirrored < size ? mirrored : 2 * size - 1 - mirrored) &&
                    wrap_scaled_clamp2(s, size) == (s >= size ? size - 1 : repeated);
                CHECK_MESSAGE(same, s << " of " << size);
            };
            for (s32 s = -3 * size; s <= 3 * size; ++s)
                check(s);
            // Around the multiples, where quotients could be rounded to the wrong side, as far as coordinates reach.
            for (s32 multiple = -4194304 / size; multiple <= 4194304 / size;
                 multiple += 1 + 4194304 / size / 512)
                for (s32 near = -1; near <= 1; ++near)
                    check(std::clamp(multiple * size + near, -4194305, 4194305));
        }
}

TEST_CASE("pictures of N x texels: powers of two up to 1024 are sampled as pictures of 1x are")
{
    for (s32 size = 8; size <= 1024; size *= 2)
        for (s32 i = -5000; i <= 5000; ++i)
        {
            const f32 u = static_cast<f32>(i) * 0.00123f;
            CHECK(scaled_texel_coordinate(u, size) == texel_coordinate(u, static_cast<f32>(size << 8)));
            CHECK(wrap_scaled_repeat(i, size) == wrap_repeat(i, size));
            CHECK(wrap_scaled_mirror(i, size) == wrap_mirror(i, size));
            CHECK(wrap_scaled_clamp2(i, size) == wrap_clamp2(i, size));
        }
}

TEST_CASE("pictures of N x texels: other coordinates are rounded, and far ones have limits")
{
    CHECK(scaled_texel_coordinate(1.0f, 24) == 24 * 256);
    CHECK(scaled_texel_coordinate(as_real(0x3F7FFFFFu), 24) == 24 * 256); // 1 - 2^-24
    CHECK(scaled_texel_coordinate(0.4999f / 6144.0f, 24) == 0);
    CHECK(scaled_texel_coordinate(0.5001f / 6144.0f, 24) == 1);
    CHECK(scaled_texel_coordinate(as_real(0x3F7FFFFFu), 1024) == 262143);
    CHECK(scaled_texel_coordinate(as_real(0x3F7FFFFFu), 2048) == 524288);
    CHECK(scaled_texel_coordinate(1e9f, 7168) == 1 << 30);
    CHECK(scaled_texel_coordinate(-1e9f, 7168) == -(1 << 30));
}
