// SPDX-License-Identifier: MIT
// The divisions are IEEE divisions and happen only here (design.md, rows "Procedural texture" and
// "Lighting").
#include "pica/state/luts.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace pica
{

namespace
{

u32 quotient(s32 numerator, s32 denominator)
{
    return std::bit_cast<u32>(static_cast<f32>(numerator) / static_cast<f32>(denominator));
}

s32 sign_extend(u32 value, u32 bits)
{
    return static_cast<s32>(value << (32 - bits)) >> (32 - bits);
}

// Value in bits 13-23, difference in bits 0-12, two's complement. [DOC]
LutEntry fog_entry(u32 word)
{
    return {word >> 13 & 0x7FF, static_cast<u32>(sign_extend(word & 0x1FFF, 13))};
}

// Value in bits 0-11, difference in bits 12-23, two's complement; both in 1/4095 [EMU; perhaps 1/4096].
LutEntry proctex_entry(u32 word)
{
    return {quotient(static_cast<s32>(word & 0xFFF), 4095),
            quotient(sign_extend(word >> 12 & 0xFFF, 12), 4095)};
}

// Value in bits 0-11, difference in bits 12-22 with its sign in bit 23. [DOC; divisors EMU]
LutEntry lighting_entry(u32 word)
{
    const s32 magnitude = static_cast<s32>(word >> 12 & 0x7FF);
    return {quotient(static_cast<s32>(word & 0xFFF), 4095),
            quotient((word >> 23 & 1) != 0 ? -magnitude : magnitude, 2047)};
}

template <std::size_t size, typename Decode>
void decode_words(const std::array<u32, size>& words, LutEntry* entries, Decode decode)
{
    for (std::size_t i = 0; i < size; ++i)
        entries[i] = decode(words[i]);
}

} // namespace

void decode_lut(const Luts& luts, LutTable table, LutEntry* entries)
{
    switch (table)
    {
    case LutTable::Fog:
        return decode_words(luts.fog, entries, fog_entry);
    case LutTable::ProcTexNoise:
        return decode_words(luts.proctex_noise, entries, proctex_entry);
    case LutTable::ProcTexRgbMap:
        return decode_words(luts.proctex_rgb_map, entries, proctex_entry);
    case LutTable::ProcTexAlphaMap:
        return decode_words(luts.proctex_alpha_map, entries, proctex_entry);
    case LutTable::ProcTexColor:
        for (u32 i = 0; i < 256; ++i)
            entries[i] = {luts.proctex_color[i], luts.proctex_color_diff[i]};
        return;
    case LutTable::Gas: // differences first, then colours [DOC]
        for (u32 i = 0; i < 8; ++i)
            entries[i] = {luts.gas[8 + i], luts.gas[i]};
        return;
    default:
        break;
    }
    const u32 lighting = static_cast<u32>(table) - static_cast<u32>(LutTable::Lighting0);
    if (lighting < Luts::kLightingTables)
        decode_words(luts.lighting[lighting], entries, lighting_entry);
}

const LutEntry* DecodedLuts::get(const Luts& luts, LutTable table)
{
    Slot& slot = slots_[static_cast<u32>(table)];
    if (slot.luts != &luts || slot.revision != luts.revision(table))
    {
        if (slot.entries)
            replaced_.push_back(std::move(slot.entries));
        if (free_.empty())
            slot.entries = std::make_unique<Entries>();
        else
        {
            slot.entries = std::move(free_.back());
            free_.pop_back();
        }
        decode_lut(luts, table, slot.entries->data());
        slot.luts = &luts;
        slot.revision = luts.revision(table);
    }
    return slot.entries->data();
}

void DecodedLuts::release()
{
    std::move(replaced_.begin(), replaced_.end(), std::back_inserter(free_));
    replaced_.clear();
}

} // namespace pica
