// SPDX-License-Identifier: MIT
#include "renderer/residency/opaque_textures.h"

#include "pica/memory/guest_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

namespace renderer
{

using pica::TextureFormat;
using pica::u32;
using pica::u64;
using pica::u8;

namespace
{

// The bits of alphas in 16 bytes, as they lie in memory. Formats without an alpha have none.
std::array<u8, 16> alpha_bits(TextureFormat format)
{
    const auto repeated = [](std::initializer_list<u8> bytes)
    {
        std::array<u8, 16> bits{};
        for (std::size_t i = 0; i < bits.size(); ++i)
            bits[i] = bytes.begin()[i % bytes.size()];
        return bits;
    };
    switch (format)
    {
    case TextureFormat::RGBA8:
        return repeated({0xFF, 0, 0, 0});
    case TextureFormat::RGB5A1:
        return repeated({0x01, 0});
    case TextureFormat::RGBA4:
        return repeated({0x0F, 0});
    case TextureFormat::IA8:
        return repeated({0xFF, 0});
    case TextureFormat::IA4:
        return repeated({0x0F});
    case TextureFormat::A8:
    case TextureFormat::A4:
        return repeated({0xFF});
    case TextureFormat::ETC1A4: // a block is 16 alphas, then the colours
        return {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    case TextureFormat::RGB8:
    case TextureFormat::RGB565:
    case TextureFormat::HILO8:
    case TextureFormat::I8:
    case TextureFormat::I4:
    case TextureFormat::ETC1:
        break;
    }
    return {};
}

} // namespace

bool stores_alpha(TextureFormat format)
{
    return alpha_bits(format)[0] != 0;
}

bool alphas_are_full(TextureFormat format, std::span<const u8> bytes)
{
    const std::array<u8, 16> bits = alpha_bits(format);
    u64 wanted[2];
    std::memcpy(wanted, bits.data(), sizeof wanted);
    // Blocks of this size are looked at without a branch. Most textures that are not opaque show that in their first one.
    constexpr std::size_t kBlock = 1024;
    for (std::size_t begin = 0; begin < bytes.size(); begin += kBlock)
    {
        const std::size_t end = std::min(bytes.size(), begin + kBlock);
        u64 missing = 0;
        std::size_t i = begin;
        for (; i + 16 <= end; i += 16)
        {
            u64 words[2];
            std::memcpy(words, bytes.data() + i, sizeof words);
            missing |= (~words[0] & wanted[0]) | (~words[1] & wanted[1]);
        }
        for (; i < end; ++i)
            missing |= static_cast<u8>(~bytes[i]) & bits[i % bits.size()];
        if (missing != 0)
            return false;
    }
    return true;
}

std::size_t OpaqueTextures::TextureHash::operator()(const pica::TextureBinding& texture) const
{
    const u64 size = u64{texture.width} << 16 | u64{texture.height} << 32 |
                     u64{static_cast<u8>(texture.format)} << 48 | u64{texture.levels} << 56;
    return static_cast<std::size_t>((texture.address ^ size) * 0x9E3779B97F4A7C15 >> 16);
}

bool OpaqueTextures::contains(const pica::TextureBinding& texture)
{
    const u32 size = texture.byte_size();
    const std::span<const u8> bytes = guest_.span(texture.address, size);
    if (bytes.size() != size)
        return false; // texels beyond memory are 0
    if (!stores_alpha(texture.format))
        return true;
    if (entries_.size() >= kMost && !entries_.contains(texture))
        entries_.clear();
    Entry& entry = entries_[texture];
    if (!entry.full && entry.checked == guest_.latest_generation())
        return false;
    // Before the bytes are looked at: a readback replaces them, and their pages have had their generation since the device
    // wrote.
    if (newer_on_device_(texture.address, size))
        return false;
    if (entry.checked == guest_.latest_generation())
        return entry.full;
    const u64 generation = guest_.generation(texture.address, size);
    if (entry.generation != generation)
        entry.full = alphas_are_full(texture.format, bytes);
    entry.generation = generation;
    entry.checked = guest_.latest_generation(); // generation() may have found new ones
    return entry.full;
}

} // namespace renderer
