// SPDX-License-Identifier: MIT
// Vectors that are larger than any of the processor, as two of half the size, which may be pairs themselves. GCC takes the
// compiler's own vectors of such a size apart into single lanes wherever it compares or selects; halves stay vectors.
// Included by lanes.h alone, which has the halves and says where pairs are used. Tests: tests/pica/lanes_test.cpp.
#pragma once

#include "pica/base/plain_lanes.h"
#include "pica/base/types.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace pica
{

#define PICA_MEMBER [[gnu::always_inline]]

template <typename T, std::size_t kCount, template <typename, std::size_t> typename HalfOf>
struct alignas(sizeof(T) * kCount) PairedLanes
{
    static constexpr std::size_t kHalf = kCount / 2;
    using Half = typename HalfOf<T, kHalf>::Type;
    using Mask = PairedLanes<SignedOf<T>, kCount, HalfOf>;

    Half low;
    Half high;

    PairedLanes() = default;
    PICA_MEMBER PairedLanes(Half first, Half second) : low(first), high(second) {}
    // The value in all lanes. (Not Half{} + value, which would turn -0 into +0.)
    template <typename Value>
    requires std::is_arithmetic_v<Value> PICA_MEMBER PairedLanes(Value value)
        : low(static_cast<T>(value) - Half{}), high(low)
    {
    }
    // From two values on: one for each lane from the first one on, and 0 for the others.
    template <typename... Values>
    requires(std::is_arithmetic_v<Values>&&...) PICA_MEMBER PairedLanes(T first, T second, Values... values)
    {
        const T lanes[kCount] = {first, second, static_cast<T>(values)...};
        std::memcpy(&low, lanes, sizeof low);
        std::memcpy(&high, lanes + kHalf, sizeof high);
    }

    PICA_MEMBER T& operator[](std::size_t i) { return reinterpret_cast<T*>(this)[i]; }
    PICA_MEMBER const T& operator[](std::size_t i) const { return reinterpret_cast<const T*>(this)[i]; }

    PICA_MEMBER friend PairedLanes operator-(const PairedLanes& a) { return {-a.low, -a.high}; }
    PICA_MEMBER friend PairedLanes operator~(const PairedLanes& a) { return {~a.low, ~a.high}; }
#define PICA_EACH_HALF(Result, op)                                                                           \
    PICA_MEMBER friend Result operator op(const PairedLanes& a, const PairedLanes& b)                        \
    {                                                                                                        \
        return {a.low op b.low, a.high op b.high};                                                           \
    }
    PICA_EACH_HALF(PairedLanes, +)
    PICA_EACH_HALF(PairedLanes, -)
    PICA_EACH_HALF(PairedLanes, *)
    PICA_EACH_HALF(PairedLanes, /)
    PICA_EACH_HALF(PairedLanes, &)
    PICA_EACH_HALF(PairedLanes, |)
    PICA_EACH_HALF(PairedLanes, ^)
    PICA_EACH_HALF(PairedLanes, <<)
    PICA_EACH_HALF(PairedLanes, >>)
    PICA_EACH_HALF(Mask, ==)
    PICA_EACH_HALF(Mask, !=)
    PICA_EACH_HALF(Mask, <)
    PICA_EACH_HALF(Mask, <=)
    PICA_EACH_HALF(Mask, >)
    PICA_EACH_HALF(Mask, >=)
#undef PICA_EACH_HALF
    PICA_MEMBER PairedLanes& operator+=(const PairedLanes& b)
    {
        return *this = *this + b;
    }
    PICA_MEMBER PairedLanes& operator-=(const PairedLanes& b)
    {
        return *this = *this - b;
    }
    PICA_MEMBER PairedLanes& operator*=(const PairedLanes& b)
    {
        return *this = *this * b;
    }
    PICA_MEMBER PairedLanes& operator/=(const PairedLanes& b)
    {
        return *this = *this / b;
    }
    PICA_MEMBER PairedLanes& operator&=(const PairedLanes& b)
    {
        return *this = *this & b;
    }
    PICA_MEMBER PairedLanes& operator|=(const PairedLanes& b)
    {
        return *this = *this | b;
    }
    PICA_MEMBER PairedLanes& operator^=(const PairedLanes& b)
    {
        return *this = *this ^ b;
    }
    PICA_MEMBER PairedLanes& operator<<=(const PairedLanes& b)
    {
        return *this = *this << b;
    }
    PICA_MEMBER PairedLanes& operator>>=(const PairedLanes& b)
    {
        return *this = *this >> b;
    }
};

#undef PICA_MEMBER

} // namespace pica
