// SPDX-License-Identifier: MIT
// Vectors of the lighting kernel, and its two kinds of products. Included only by the source files that are compiled
// once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

#include <array>

namespace pica::soft
{

namespace
{

struct Vector
{
    Real x, y, z;
};

PICA_SIMD Vector load_vector(const std::array<f32, 3>& v)
{
    return {splat(v[0]), splat(v[1]), splat(v[2])};
}
PICA_SIMD Real dot(const Vector& a, const Vector& b)
{
    return lanes::dot3(a.x, a.y, a.z, b.x, b.y, b.z);
}
PICA_SIMD Vector scaled(const Vector& v, Real s)
{
    return {lanes::fm(v.x, s), lanes::fm(v.y, s), lanes::fm(v.z, s)};
}
PICA_SIMD Vector product(const Vector& a, const Vector& b)
{
    return {lanes::fm(a.x, b.x), lanes::fm(a.y, b.y), lanes::fm(a.z, b.z)};
}
PICA_SIMD Vector sum(const Vector& a, const Vector& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
PICA_SIMD Vector normalized(const Vector& v)
{
    return scaled(v, lanes::inverse_length(dot(v, v)));
}

// The vector v rotated by the quaternion q (x, y, z, w).
PICA_SIMD Vector rotated(const Real* q, const Vector& v)
{
    const Vector t = {lanes::rotate_t(q[1], v.z, q[2], v.y, q[3], v.x),
                      lanes::rotate_t(q[2], v.x, q[0], v.z, q[3], v.y),
                      lanes::rotate_t(q[0], v.y, q[1], v.x, q[3], v.z)};
    return {lanes::rotate_sum(v.x, q[1], t.z, q[2], t.y), lanes::rotate_sum(v.y, q[2], t.x, q[0], t.z),
            lanes::rotate_sum(v.z, q[0], t.y, q[1], t.x)};
}

// A light is computed with plain products first. They give what the design's give, which become 0 below 2^-100, if no
// dot product is near 0, and no factor either unless it is 0 (kLeastPlain). Proof: design.md, row "Lighting".
template <bool exact>
PICA_SIMD Real times(Real a, Real b)
{
    return exact ? lanes::fm(a, b) : a * b;
}
template <bool exact>
PICA_SIMD Vector times(const Vector& v, Real s)
{
    return {times<exact>(v.x, s), times<exact>(v.y, s), times<exact>(v.z, s)};
}
template <bool exact>
PICA_SIMD Vector times(const Vector& a, const Vector& b)
{
    return {times<exact>(a.x, b.x), times<exact>(a.y, b.y), times<exact>(a.z, b.z)};
}
template <bool exact>
PICA_SIMD Real dot(const Vector& a, const Vector& b)
{
    return (times<exact>(a.x, b.x) + times<exact>(a.y, b.y)) + times<exact>(a.z, b.z);
}
template <bool exact>
PICA_SIMD Real inverse_length(Real squared)
{
    return exact ? lanes::inverse_length(squared) : lanes::rsq_newton(squared);
}

} // namespace

} // namespace pica::soft
