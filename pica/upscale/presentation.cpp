// SPDX-License-Identifier: MIT
// Lengths along an axis count in units of which an old pixel has `new_size` and a new pixel `old_size`, so that all
// borders are whole numbers.
#include "pica/upscale/presentation.h"

#include <algorithm>
#include <array>
#include <vector>

namespace pica
{

namespace
{

// The old pixels that each new one covers: `count` from `first` on, with weights whose sum is old_size.
struct Cover
{
    u32 first = 0;
    u32 count = 0;
    std::size_t weights = 0; // of the first one in Axis::weights
};

struct Axis
{
    Axis(u32 old_size, u32 new_size)
    {
        for (u32 x = 0; x < new_size; ++x)
        {
            const u64 begin = u64{x} * old_size, end = begin + old_size;
            const u32 first = static_cast<u32>(begin / new_size);
            const u32 last = static_cast<u32>((end - 1) / new_size);
            covers.push_back({first, last - first + 1, weights.size()});
            for (u64 i = first; i <= last; ++i)
                weights.push_back(
                    static_cast<u32>(std::min(end, (i + 1) * new_size) - std::max(begin, i * new_size)));
        }
    }

    std::vector<Cover> covers;
    std::vector<u32> weights;
};

// n / d for n up to 255.5 * d and d below 2^24, by a product. m = ceil(2^56 / d) is too large by less than 1, so the
// quotient is by less than n / 2^56 < 1 / d: too little to reach the next whole number. The product is below 2^64.
class Divisor
{
public:
    explicit Divisor(u32 d) : factor_(((u64{1} << 56) + d - 1) / d) {}
    u32 divide(u64 n) const { return static_cast<u32>((n & 0xFFFFFFFF) * factor_ >> 56); }

private:
    u64 factor_;
};

// Sums of channels 0 and 2, and of 1 and 3, each in half of a word. Each stays below 2^32, because it is below 256 * 2^24.
struct Sums
{
    u64 even = 0, odd = 0;

    void add(u64 weight, const Sums& more)
    {
        even += weight * more.even;
        odd += weight * more.odd;
    }
};

Sums channels_of(u32 word)
{
    return {(word & 255) | u64{word >> 16 & 255} << 32, (word >> 8 & 255) | u64{word >> 24} << 32};
}

// Rows of the old picture, made as wide as the new one. A row is asked for again while the next new row covers it too.
class WideRows
{
public:
    WideRows(PictureSize size, std::span<const u32> picture, u32 new_width)
        : width_(size.width), picture_(picture), axis_(size.width, new_width), rows_{{{}, {}}}
    {
        for (Row& row : rows_)
            row.sums.resize(new_width);
    }

    const Sums* get(u32 y)
    {
        Row& row = rows_[y % rows_.size()];
        if (row.y == y)
            return row.sums.data();
        row.y = y;
        const u32* from = picture_.data() + std::size_t{y} * width_;
        for (std::size_t x = 0; x < row.sums.size(); ++x)
        {
            const Cover& cover = axis_.covers[x];
            Sums sums{};
            for (u32 i = 0; i < cover.count; ++i)
                sums.add(axis_.weights[cover.weights + i], channels_of(from[cover.first + i]));
            row.sums[x] = sums;
        }
        return row.sums.data();
    }

private:
    struct Row
    {
        u32 y = 0xFFFFFFFF;
        std::vector<Sums> sums;
    };
    u32 width_;
    std::span<const u32> picture_;
    Axis axis_;
    std::array<Row, 2> rows_;
};

void repeat_pixels(PictureSize size, std::span<const u32> picture, u32 times_x, u32 times_y, u32* out)
{
    const std::size_t width = std::size_t{size.width} * times_x;
    for (u32 y = 0; y < size.height; ++y)
    {
        u32* const row = out;
        for (u32 x = 0; x < size.width; ++x)
            out = std::fill_n(out, times_x, picture[std::size_t{y} * size.width + x]);
        for (u32 i = 1; i < times_y; ++i)
            out = std::copy_n(row, width, out);
    }
}

} // namespace

void resize_picture(PictureSize size, std::span<const u32> picture, PictureSize new_size, std::span<u32> out)
{
    if (new_size.width % size.width == 0 && new_size.height % size.height == 0)
        return repeat_pixels(size, picture, new_size.width / size.width, new_size.height / size.height,
                             out.data());
    const u32 area = size.width * size.height; // the sum of a new pixel's weights
    const Divisor divisor(area);
    const Axis axis(size.height, new_size.height);
    WideRows rows(size, picture, new_size.width);
    std::vector<Sums> sums(new_size.width);
    u32* to = out.data();
    for (const Cover& cover : axis.covers)
    {
        const u64 half = u64{area / 2} << 32 | area / 2;
        std::fill(sums.begin(), sums.end(), Sums{half, half});
        for (u32 i = 0; i < cover.count; ++i)
        {
            const Sums* row = rows.get(cover.first + i);
            const u32 weight = axis.weights[cover.weights + i];
            for (std::size_t x = 0; x < sums.size(); ++x)
                sums[x].add(weight, row[x]);
        }
        for (const Sums& s : sums)
            *to++ = divisor.divide(s.even) | divisor.divide(s.odd) << 8 | divisor.divide(s.even >> 32) << 16 |
                    divisor.divide(s.odd >> 32) << 24;
    }
}

PictureSize fitting_size(PictureSize size, PictureSize window, bool whole)
{
    const u32 times = std::min(window.width / size.width, window.height / size.height);
    if (whole && times != 0)
        return {size.width * times, size.height * times};
    if (u64{window.width} * size.height <= u64{window.height} * size.width)
        return {std::max(window.width, 1u),
                static_cast<u32>(std::max<u64>(u64{window.width} * size.height / size.width, 1))};
    return {static_cast<u32>(std::max<u64>(u64{window.height} * size.width / size.height, 1)),
            std::max(window.height, 1u)};
}

} // namespace pica
