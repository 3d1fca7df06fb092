// SPDX-License-Identifier: MIT
#include "samples/cli/golden/base64.h"

#include <algorithm>

namespace samples
{

std::string base64(std::span<const pica::u8> bytes)
{
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        const std::size_t present = std::min<std::size_t>(3, bytes.size() - i);
        pica::u32 word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (k < present ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= present ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

} // namespace samples
