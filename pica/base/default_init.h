// SPDX-License-Identifier: MIT
// DefaultInit: an allocator for vectors whose new elements are written right after resize(). Elements without initial
// values are left as they are in memory, not set to zero.
#pragma once

#include <memory>
#include <new>
#include <utility>

namespace pica
{

template <typename T>
struct DefaultInit : std::allocator<T>
{
    template <typename U>
    struct rebind
    {
        using other = DefaultInit<U>;
    };
    template <typename U>
    void construct(U* place)
    {
        ::new (static_cast<void*>(place)) U;
    }
    template <typename U, typename First, typename... Rest>
    void construct(U* place, First&& first, Rest&&... rest)
    {
        std::construct_at(place, std::forward<First>(first), std::forward<Rest>(rest)...);
    }
};

} // namespace pica
