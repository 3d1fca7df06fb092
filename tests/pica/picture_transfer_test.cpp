// SPDX-License-Identifier: MIT
// Display transfers whose input is a picture of words (transfer_picture), as the device's images are.
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/pixel_rows.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pica;

// A picture as words is what linear RGBA8 in memory is, with its bytes in reverse.
TEST_CASE("display transfer: from a picture as from memory")
{
    for (u64 seed = 0; seed < 400; ++seed)
    {
        CAPTURE(seed);
        tests::Random random(seed);
        DisplayTransfer t;
        t.input_width = static_cast<u16>(1 + random.below(600));
        t.output_width = static_cast<u16>(1 + random.below(t.input_width));
        t.output_height = static_cast<u16>(1 + random.below(20));
        t.flip_vertically = random.chance(1, 2);
        t.output_format = static_cast<PixelFormat>(random.below(5));
        t.scaling = static_cast<TransferScaling>(random.below(3));
        t.input_linear = true;
        t.raw_copy = true;
        if (random.chance(1, 4)) // to tiles
        {
            t.raw_copy = false;
            t.output_width = static_cast<u16>((t.output_width + 15) & ~15);
            t.output_height = static_cast<u16>((t.output_height + 15) & ~15);
            t.input_width = static_cast<u16>(t.input_width + 15);
        }
        std::vector<u32> words(u64{t.input_width} * t.read_height());
        std::vector<u8> input(words.size() * 4);
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            words[i] = random.next();
            pack_pixel<PixelFormat::RGBA8>(&input[i * 4], words[i]);
        }
        const u64 bytes = u64{t.written_width()} * t.written_height() * bytes_per_pixel(t.output_format);
        std::vector<u8> expected(bytes), output(bytes);
        transfer_pixels(t, input, expected);
        transfer_picture(t, {words.data(), t.input_width}, output.data());
        REQUIRE(output == expected);
        if (words.empty())
            continue;
        // The same picture from its last row to its first one.
        std::vector<u32> upwards;
        for (u32 y = t.read_height(); y-- != 0;)
            upwards.insert(upwards.end(), &words[u64{y} * t.input_width],
                           &words[u64{y} * t.input_width] + t.input_width);
        std::fill(output.begin(), output.end(), u8{0});
        transfer_picture(t,
                         {upwards.data() + (upwards.size() - t.input_width), -std::ptrdiff_t{t.input_width}},
                         output.data());
        REQUIRE(output == expected);
    }
}
