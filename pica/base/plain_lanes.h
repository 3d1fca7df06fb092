// SPDX-License-Identifier: MIT
// Vectors of lanes in plain C++, for compilers without vector types of their own (lanes.h chooses). Operators work on each
// lane, and a number stands for a vector that has it in all lanes. Integers wrap around, signed ones too. Comparisons give
// all ones or all zeros in the signed integer of a lane's size. Tests: tests/pica/lanes_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <bit>
#include <cstddef>
#include <type_traits>

// All uses have internal linkage, so that one source file may be compiled for several instruction sets.
#if defined(_MSC_VER) && !defined(__clang__)
#define PICA_INLINE static __forceinline
#else
#define PICA_INLINE [[gnu::always_inline]] static inline
#endif

namespace pica
{

// The signed integer of a type's size.
template <typename T>
using SignedOf =
    std::conditional_t<sizeof(T) == 1, s8,
                       std::conditional_t<sizeof(T) == 2, s16, std::conditional_t<sizeof(T) == 4, s32, s64>>>;

template <typename T, std::size_t kCount>
struct alignas(sizeof(T) * kCount) PlainLanes
{
    using Mask = PlainLanes<SignedOf<T>, kCount>;
    // What a lane is computed in: floats in themselves, integers without sign, and none is promoted to one with a sign.
    using Wide =
        std::conditional_t<std::is_floating_point_v<T>, T, std::conditional_t<sizeof(T) == 8, u64, u32>>;

    T lane[kCount];

    PlainLanes() = default;
    // The value in all lanes.
    constexpr PlainLanes(T value)
    {
        for (T& each : lane)
            each = value;
    }
    // From two values on: one for each lane from the first one on, and 0 for the others.
    template <typename... Values>
    constexpr PlainLanes(T first, T second, Values... values) : lane{first, second, static_cast<T>(values)...}
    {
    }

    constexpr T& operator[](std::size_t i) { return lane[i]; }
    constexpr const T& operator[](std::size_t i) const { return lane[i]; }

    friend constexpr PlainLanes operator-(const PlainLanes& a)
    {
        PlainLanes r;
        for (std::size_t i = 0; i < kCount; ++i)
            if constexpr (std::is_floating_point_v<T>)
                r.lane[i] = -a.lane[i];
            else
                r.lane[i] = static_cast<T>(Wide{} - static_cast<Wide>(a.lane[i]));
        return r;
    }
    friend constexpr PlainLanes operator~(const PlainLanes& a)
    {
        return each(a, a, [](Wide x, Wide) { return ~x; });
    }
    friend constexpr PlainLanes operator+(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x + y; });
    }
    friend constexpr PlainLanes operator-(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x - y; });
    }
    friend constexpr PlainLanes operator*(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x * y; });
    }
    friend constexpr PlainLanes operator&(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x & y; });
    }
    friend constexpr PlainLanes operator|(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x | y; });
    }
    friend constexpr PlainLanes operator^(const PlainLanes& a, const PlainLanes& b)
    {
        return each(a, b, [](Wide x, Wide y) { return x ^ y; });
    }
    // Signed integers are divided and shifted to the right with their sign, so not in Wide.
    friend constexpr PlainLanes operator/(const PlainLanes& a, const PlainLanes& b)
    {
        return signed_each(a, b, [](T x, T y) { return x / y; });
    }
    friend constexpr PlainLanes operator>>(const PlainLanes& a, const PlainLanes& count)
    {
        return signed_each(a, count, [](T x, T y) { return x >> bounded_count(y); });
    }
    friend constexpr PlainLanes operator<<(const PlainLanes& a, const PlainLanes& count)
    {
        return each(a, count, [](Wide x, Wide y) { return x << bounded_count(y); });
    }
    friend constexpr Mask operator==(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x == y; });
    }
    friend constexpr Mask operator!=(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x != y; });
    }
    friend constexpr Mask operator<(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x < y; });
    }
    friend constexpr Mask operator<=(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x <= y; });
    }
    friend constexpr Mask operator>(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x > y; });
    }
    friend constexpr Mask operator>=(const PlainLanes& a, const PlainLanes& b)
    {
        return compare(a, b, [](T x, T y) { return x >= y; });
    }
    constexpr PlainLanes& operator+=(const PlainLanes& b) { return *this = *this + b; }
    constexpr PlainLanes& operator-=(const PlainLanes& b) { return *this = *this - b; }
    constexpr PlainLanes& operator*=(const PlainLanes& b) { return *this = *this * b; }
    constexpr PlainLanes& operator/=(const PlainLanes& b) { return *this = *this / b; }
    constexpr PlainLanes& operator&=(const PlainLanes& b) { return *this = *this & b; }
    constexpr PlainLanes& operator|=(const PlainLanes& b) { return *this = *this | b; }
    constexpr PlainLanes& operator^=(const PlainLanes& b) { return *this = *this ^ b; }
    constexpr PlainLanes& operator<<=(const PlainLanes& b) { return *this = *this << b; }
    constexpr PlainLanes& operator>>=(const PlainLanes& b) { return *this = *this >> b; }

private:
    template <typename F>
    static constexpr PlainLanes each(const PlainLanes& a, const PlainLanes& b, F f)
    {
        PlainLanes r;
        for (std::size_t i = 0; i < kCount; ++i)
            r.lane[i] = static_cast<T>(f(static_cast<Wide>(a.lane[i]), static_cast<Wide>(b.lane[i])));
        return r;
    }
    template <typename F>
    static constexpr PlainLanes signed_each(const PlainLanes& a, const PlainLanes& b, F f)
    {
        PlainLanes r;
        for (std::size_t i = 0; i < kCount; ++i)
            r.lane[i] = static_cast<T>(f(a.lane[i], b.lane[i]));
        return r;
    }
    template <typename F>
    static constexpr Mask compare(const PlainLanes& a, const PlainLanes& b, F f)
    {
        Mask r;
        for (std::size_t i = 0; i < kCount; ++i)
            r.lane[i] = f(a.lane[i], b.lane[i]) ? -1 : 0;
        return r;
    }
    // Where a count is not below the number of bits, the result is unspecified, but there is one.
    template <typename Count>
    static constexpr u32 bounded_count(Count count)
    {
        return static_cast<u32>(count) & (8 * sizeof(T) - 1);
    }
};

// a in the lanes where the mask is set, else b.
template <typename T, typename M, std::size_t kCount>
PICA_INLINE PlainLanes<T, kCount> select_lanes(const PlainLanes<M, kCount>& mask,
                                               const PlainLanes<T, kCount>& a, const PlainLanes<T, kCount>& b)
{
    PlainLanes<T, kCount> r;
    for (std::size_t i = 0; i < kCount; ++i)
        r.lane[i] = mask.lane[i] ? a.lane[i] : b.lane[i];
    return r;
}

// Lane by lane as by static_cast. A float without a value in the result's type gives an unspecified one.
template <typename To, typename T, std::size_t kCount>
PICA_INLINE To convert_lanes(const PlainLanes<T, kCount>& v)
{
    static_assert(sizeof(To::lane) / sizeof(To::lane[0]) == kCount);
    To r;
    for (std::size_t i = 0; i < kCount; ++i)
        r.lane[i] = static_cast<std::remove_reference_t<decltype(r.lane[i])>>(v.lane[i]);
    return r;
}

// The same bits.
template <typename To, typename T, std::size_t kCount>
PICA_INLINE To cast_lanes(const PlainLanes<T, kCount>& v)
{
    return std::bit_cast<To>(v);
}

// The lanes with these numbers, one after the other.
template <int... kLane, typename T, std::size_t kCount>
PICA_INLINE PlainLanes<T, kCount> shuffle_lanes(const PlainLanes<T, kCount>& v)
{
    static_assert(sizeof...(kLane) == kCount);
    return {v[kLane]...};
}

} // namespace pica
