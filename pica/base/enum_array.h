// SPDX-License-Identifier: MIT
// An array with an element for each enumerator of a scoped enumeration that counts from 0.
#pragma once

#include <cstddef>

namespace pica
{

template <typename T, typename Enum, std::size_t count>
struct EnumArray
{
    T values[count]{};

    constexpr T& operator[](Enum e) { return values[static_cast<std::size_t>(e)]; }
    constexpr const T& operator[](Enum e) const { return values[static_cast<std::size_t>(e)]; }
    constexpr T* begin() { return values; }
    constexpr T* end() { return values + count; }
    constexpr const T* begin() const { return values; }
    constexpr const T* end() const { return values + count; }

    bool operator==(const EnumArray&) const = default;
};

} // namespace pica
