// SPDX-License-Identifier: MIT
// 4x4 matrices for generated streams. They use only + - * / and sqrt (IEEE), so that every machine writes the
// same bytes; angles are in turns and use our own sine.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <cmath>

namespace tests
{

using namespace pica;

using Vec4f = std::array<f32, 4>;

// One row for each output component: out[i] = dot(row[i], in).
struct Matrix
{
    std::array<Vec4f, 4> row = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
};

inline Matrix operator*(const Matrix& a, const Matrix& b)
{
    Matrix result;
    for (u32 i = 0; i < 4; ++i)
        for (u32 j = 0; j < 4; ++j)
        {
            f32 sum = 0;
            for (u32 k = 0; k < 4; ++k)
                sum = sum + a.row[i][k] * b.row[k][j];
            result.row[i][j] = sum;
        }
    return result;
}

inline f32 sine(f32 turns)
{
    double t = double(turns) - std::floor(double(turns)); // 0..1
    const bool negative = t >= 0.5;
    t = negative ? t - 0.5 : t;
    t = t > 0.25 ? 0.5 - t : t; // 0..1/4
    const double x = t * 6.283185307179586, y = x * x;
    const double s =
        x * (1 - y * (1.0 / 6 - y * (1.0 / 120 - y * (1.0 / 5040 - y * (1.0 / 362880 - y / 39916800)))));
    return f32(negative ? -s : s);
}
inline f32 cosine(f32 turns)
{
    return sine(turns + 0.25f);
}

inline Matrix translation(f32 x, f32 y, f32 z)
{
    Matrix m;
    m.row[0][3] = x;
    m.row[1][3] = y;
    m.row[2][3] = z;
    return m;
}
inline Matrix scaling(f32 x, f32 y, f32 z)
{
    Matrix m;
    m.row[0][0] = x;
    m.row[1][1] = y;
    m.row[2][2] = z;
    return m;
}
// Rotations are counter-clockwise seen from the axis's positive end.
inline Matrix rotation(u32 axis, f32 turns)
{
    const f32 c = cosine(turns), s = sine(turns);
    const u32 a = (axis + 1) % 3, b = (axis + 2) % 3;
    Matrix m;
    m.row[a][a] = c;
    m.row[a][b] = -s;
    m.row[b][a] = s;
    m.row[b][b] = c;
    return m;
}
inline Matrix rotation_x(f32 turns)
{
    return rotation(0, turns);
}
inline Matrix rotation_y(f32 turns)
{
    return rotation(1, turns);
}
inline Matrix rotation_z(f32 turns)
{
    return rotation(2, turns);
}

} // namespace tests
