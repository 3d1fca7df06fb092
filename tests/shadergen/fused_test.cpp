// SPDX-License-Identifier: MIT
// Where generated shaders write fma, devices may round once or twice. Both give the codes of the contract.
#include "pica/base/numeric.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <initializer_list>

using pica::f32;
using pica::u32;

namespace
{

constexpr f32 kInverse = std::bit_cast<f32>(0x3B808081u); // INVERSE_255 and HALF_255 of shadergen/texenv.cpp
constexpr f32 kHalf = std::bit_cast<f32>(0x3B008081u);

f32 fma_of(bool fused, f32 a, f32 b, f32 c)
{
    if (fused)
        return std::fma(a, b, c);
    const volatile f32 product = a * b; // two roundings, whatever the compiler contracts
    return product + c;
}

} // namespace

TEST_CASE("fused: the code of a colour is the same with one rounding and with two")
{
    // Both are monotonous, so codes can differ only where one of them begins.
    u32 differing = 0;
    for (u32 code = 1; code <= 255; ++code)
    {
        const u32 begin = std::bit_cast<u32>((f32(code) - 0.5f) / 255.0f);
        for (u32 bits = begin - 64; bits <= begin + 64; ++bits)
        {
            const f32 a = std::bit_cast<f32>(bits);
            const f32 expected = pica::num::color_code(a);
            for (const bool fused : {false, true})
                differing += std::trunc(fma_of(fused, a, 255.0f, 0.5f)) != expected;
        }
        CHECK(pica::num::color_code(std::bit_cast<f32>(begin - 64)) <
              pica::num::color_code(std::bit_cast<f32>(begin + 64)));
    }
    CHECK(differing == 0);
}

TEST_CASE("fused: products with a factor that was divided by 255 before are divided exactly")
{
    u32 differing = 0;
    for (u32 factor = 0; factor <= 255; ++factor)
    {
        const f32 ratio = f32(factor) * kInverse;
        const f32 rest = f32(255 - factor) * kInverse;
        for (u32 x = 0; x <= 255; ++x)
            for (const bool fused : {false, true})
            {
                differing += std::trunc(fma_of(fused, f32(x), ratio, kHalf)) != f32(x * factor / 255);
                for (u32 y = 0; y <= 255; ++y)
                {
                    const f32 sum = fma_of(fused, f32(x), ratio, fma_of(fused, f32(y), rest, kHalf));
                    differing += std::trunc(sum) != f32((x * factor + y * (255 - factor)) / 255);
                    const f32 plus = fma_of(fused, f32(x), ratio, f32(y) + kHalf);
                    differing += std::trunc(plus) != f32((x * factor + y * 255) / 255);
                }
            }
    }
    CHECK(differing == 0);
}

TEST_CASE("fused: blending takes a destination of 0 to 1 that the device converted with an error of 2^-20")
{
    u32 differing = 0;
    for (u32 factor = 0; factor <= 255; ++factor)
        for (u32 y = 0; y <= 255; ++y)
            for (const f32 error : {-0x1p-20f, 0.0f, 0x1p-20f})
                for (const bool fused : {false, true})
                {
                    const f32 destination = f32(y) / 255.0f * (1.0f + error);
                    const f32 rest = fma_of(fused, destination, f32(255 - factor), kHalf);
                    for (u32 x = 0; x <= 255; x += 5)
                        differing += std::trunc(fma_of(fused, f32(x), f32(factor) * kInverse, rest)) !=
                                     f32((x * factor + y * (255 - factor)) / 255);
                }
    CHECK(differing == 0);
}
