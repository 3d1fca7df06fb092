// SPDX-License-Identifier: MIT
// Vectors of lanes: those of the compiler where it has them (GCC and Clang), else those of plain_lanes.h, which
// PICAVK_PLAIN_LANES asks for, too. No other file has vector types or functions of one compiler, but for the intrinsics of
// AVX2 and AVX-512, whose kernels need the compiler's vectors. Both forms have C++'s operators on each lane, with a number
// for a vector of equal lanes; comparisons give all ones or all zeros as signed integers. Signed lanes must not overflow, as
// signed numbers must not. All functions have internal linkage and are always inlined, so that one source file may be
// compiled for several instruction sets without sharing symbols. Tests: tests/pica/lanes_test.cpp.
#pragma once

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
template <typename T, std::size_t kCount>
using Lanes = typename CompilerLanes<T, kCount>::Type;

// a in the lanes where the mask is set, else b. A macro, because GCC finds minimum and maximum only where it sees the
// comparison in the condition.
#define PICA_SELECT(mask, a, b) ((mask) ? (a) : (b))
template <typename To, typename From>
PICA_INLINE To convert_lanes(From v)
{
    return __builtin_convertvector(v, To);
}
template <typename To, typename From>
PICA_INLINE To cast_lanes(From v)
{
    return reinterpret_cast<To>(v);
}
// A vector in memory that holds numbers, at an address that fits a vector.
template <typename V, typename T>
PICA_INLINE V load_lanes(const T* p)
{
    return *reinterpret_cast<const V*>(p);
}
template <typename V, typename T>
PICA_INLINE void store_lanes(T* p, V v)
{
    *reinterpret_cast<V*>(p) = v;
}

template <int... kLane, typename V>
PICA_INLINE V shuffle_lanes(V v)
{
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(v, v, kLane...);
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
