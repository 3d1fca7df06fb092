// SPDX-License-Identifier: MIT
// Vectors of lanes: those of the compiler where it has them (GCC and Clang), else those of plain_lanes.h, which
// PICAVK_PLAIN_LANES asks for, too. With GCC, vectors larger than the processor's are pairs (paired_lanes.h) unless
// PICA_WHOLE_LANES is defined. No other file has vector types or functions of one compiler, but for the intrinsics of SSE2,
// AVX2 and AVX-512, which take the compiler's vectors. All forms have C++'s operators on each lane, with a number for a
// vector of equal lanes; comparisons give all ones or all zeros as signed integers. Signed lanes must not overflow, as
// signed numbers must not. All functions have internal linkage and are always inlined, so that one source file may be
// compiled for several instruction sets without sharing symbols. Tests: tests/pica/lanes_test.cpp.
#pragma once

#include "pica/base/paired_lanes.h"
#include "pica/base/plain_lanes.h"
#include "pica/base/types.h"

#include <bit>
#include <cstddef>
#include <cstring>

#if !defined(PICAVK_PLAIN_LANES) && !defined(__GNUC__)
#define PICAVK_PLAIN_LANES
#endif

// The sets of instructions whose intrinsics may be used: they take the compiler's vectors.
#if !defined(PICAVK_PLAIN_LANES)
#if defined(__AVX2__)
#define PICA_LANES_AVX2
#endif
#if defined(__AVX512BW__)
#define PICA_LANES_AVX512
#endif
#endif

namespace pica
{

#if !defined(PICAVK_PLAIN_LANES)

template <typename T, std::size_t kCount>
struct CompilerLanes
{
    using Type [[gnu::vector_size(sizeof(T) * kCount)]] = T;
};
// Sizes in bytes: of the processor's vectors, and of those that are pairs of smaller ones.
#if defined(PICA_LANES_AVX2) || defined(__clang__) || defined(PICA_WHOLE_LANES)
constexpr std::size_t kLargestVector = 64;
#else
#define PICA_PAIRED_LANES
constexpr std::size_t kLargestVector = 16;
#endif
template <typename T, std::size_t kCount>
struct LanesOf
{
    using Type = typename CompilerLanes<T, kCount>::Type;
};
template <typename T, std::size_t kCount>
requires(sizeof(T) * kCount > kLargestVector) struct LanesOf<T, kCount>
{
    using Type = PairedLanes<T, kCount, LanesOf>;
};
template <typename T, std::size_t kCount>
using Lanes = typename LanesOf<T, kCount>::Type;

template <typename V>
constexpr bool kIsPair = false;
template <typename T, std::size_t kCount>
constexpr bool kIsPair<PairedLanes<T, kCount, LanesOf>> = true;

// The vector that the compiler would have in the place of a pair.
template <typename V>
struct WholeOf
{
    using Type = V;
};
template <typename T, std::size_t kCount>
struct WholeOf<PairedLanes<T, kCount, LanesOf>>
{
    using Type = typename CompilerLanes<T, kCount>::Type;
};

// a in the lanes where the mask is set, else b. A macro, because GCC finds the minimum and maximum of AVX2 only where it
// sees the comparison in the condition.
#if defined(PICA_PAIRED_LANES)
#define PICA_SELECT(mask, a, b) select_lanes(mask, a, b)
template <typename M, typename V>
PICA_INLINE V select_lanes(const M& mask, const V& a, const V& b)
{
    if constexpr (kIsPair<V>)
        return {select_lanes(mask.low, a.low, b.low), select_lanes(mask.high, a.high, b.high)};
    else
        return mask ? a : b;
}
#else
#define PICA_SELECT(mask, a, b) ((mask) ? (a) : (b))
#endif
template <typename To, typename From>
PICA_INLINE To convert_lanes(From v)
{
    if constexpr (kIsPair<To> && kIsPair<From>)
    {
        return {convert_lanes<typename To::Half>(v.low), convert_lanes<typename To::Half>(v.high)};
    }
    else
    {
        // GCC converts vectors of all sizes well.
        typename WholeOf<From>::Type from;
        std::memcpy(&from, &v, sizeof from);
        const auto whole = __builtin_convertvector(from, typename WholeOf<To>::Type);
        To to;
        std::memcpy(&to, &whole, sizeof to);
        return to;
    }
}
template <typename To, typename From>
PICA_INLINE To cast_lanes(From v)
{
    if constexpr (kIsPair<From>)
        return {cast_lanes<typename To::Half>(v.low), cast_lanes<typename To::Half>(v.high)};
    else
        return reinterpret_cast<To>(v);
}
// A vector in memory that holds numbers, at an address that fits a vector.
template <typename V, typename T>
PICA_INLINE V load_lanes(const T* p)
{
    if constexpr (kIsPair<V>)
        return {load_lanes<typename V::Half>(p), load_lanes<typename V::Half>(p + V::kHalf)};
    else
        return *reinterpret_cast<const V*>(p);
}
template <typename V, typename T>
PICA_INLINE void store_lanes(T* p, V v)
{
    if constexpr (kIsPair<V>)
    {
        store_lanes(p, v.low);
        store_lanes(p + V::kHalf, v.high);
    }
    else
    {
        *reinterpret_cast<V*>(p) = v;
    }
}

template <int... kLane, typename V>
PICA_INLINE V shuffle_lanes(V v)
{
#if __has_builtin(__builtin_shufflevector)
    if constexpr (!kIsPair<V>)
        return __builtin_shufflevector(v, v, kLane...);
    else
        return V{v[kLane]...};
#else
    return V{v[kLane]...}; // GCC 11
#endif
}

#else

template <typename T, std::size_t kCount>
using Lanes = PlainLanes<T, kCount>;

#define PICA_SELECT(mask, a, b) select_lanes(mask, a, b)
template <typename V, typename T>
PICA_INLINE V load_lanes(const T* p)
{
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
template <typename V, typename T>
PICA_INLINE void store_lanes(T* p, const V& v)
{
    std::memcpy(p, &v, sizeof v);
}

#endif

// Between vectors, and between vectors and arrays.
PICA_INLINE void copy_lanes(void* to, const void* from, std::size_t bytes)
{
    std::memcpy(to, from, bytes);
}
// lanes: a set with a bit for each lane, not empty.
PICA_INLINE u32 lowest_lane(u32 lanes)
{
    return static_cast<u32>(std::countr_zero(lanes));
}

} // namespace pica
