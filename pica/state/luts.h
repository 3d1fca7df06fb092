// SPDX-License-Identifier: MIT
// Tables that programs upload word by word through ports: lighting, fog, procedural texture, gas. Both as raw
// words and in the decoded form that both backends read. Source: pica/hardware/procedural-texture.md,
// lighting.md, fog-and-gas.md; pica/hardware/registers.md. Tests: tests/pica/luts_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace pica
{

// A table in the form that draws read.
enum class LutTable : u8
{
    Fog,
    ProcTexNoise,
    ProcTexRgbMap,
    ProcTexAlphaMap,
    ProcTexColor, // colours and their differences
    Gas,
    Lighting0, // to Lighting0 + 23, numbered as in register 0x1C5; 2 and 7 do not exist
};

struct Luts
{
    static constexpr u32 kLightingTables = 24;
    static constexpr u32 kTables = static_cast<u32>(LutTable::Lighting0) + kLightingTables;

    std::array<std::array<u32, 256>, kLightingTables> lighting{};
    std::array<u32, 128> fog{};
    std::array<u32, 128> proctex_noise{};
    std::array<u32, 128> proctex_rgb_map{};
    std::array<u32, 128> proctex_alpha_map{};
    std::array<u32, 256> proctex_color{};
    std::array<u32, 256> proctex_color_diff{};
    std::array<u32, 16> gas{};

    // Indexed by LutTable. A revision changes whenever a word of its table changes.
    std::array<u64, kTables> revisions = first_revisions();
    u64 revision(LutTable table) const { return revisions[static_cast<u32>(table)]; }
    void changed(LutTable table) { ++revisions[static_cast<u32>(table)]; }

private:
    static constexpr std::array<u64, kTables> first_revisions()
    {
        std::array<u64, kTables> r{};
        r.fill(1);
        return r;
    }
};

// Bit n stands for LutTable n.
using LutMask = u32;
constexpr LutMask lut_bit(LutTable table)
{
    return LutMask{1} << static_cast<u32>(table);
}
constexpr LutTable lighting_lut(u32 table)
{
    return static_cast<LutTable>(static_cast<u32>(LutTable::Lighting0) + table);
}

// One decoded entry of two words:
//   Fog                  value 0..2047, difference -4096..4095 (integers; difference as two's complement)
//   ProcTexNoise, maps   value/4095, difference/4095 (bits of floats)
//   ProcTexColor         RGBA8 colour, raw differences (signed bytes, half the difference to the next colour)
//   Gas                  RGBA8 colour, raw differences
//   Lighting             value/4095, difference/2047 (bits of floats)
struct LutEntry
{
    u32 value = 0;
    u32 difference = 0;
    bool operator==(const LutEntry&) const = default;
};

constexpr u32 lut_size(LutTable table)
{
    switch (table)
    {
    case LutTable::Fog:
    case LutTable::ProcTexNoise:
    case LutTable::ProcTexRgbMap:
    case LutTable::ProcTexAlphaMap:
        return 128;
    case LutTable::Gas:
        return 8;
    default:
        return 256;
    }
}

// Fills lut_size(table) entries.
void decode_lut(const Luts& luts, LutTable table, LutEntry* entries);

// Decoded tables. A table is decoded again when its revision has changed.
class DecodedLuts
{
public:
    // lut_size(table) entries. They stay as they are until release().
    const LutEntry* get(const Luts& luts, LutTable table);
    // Only the newest decoding of each table may be read from now on.
    void release();
    // How many older ones may be read until then. A guest can replace tables as often as it likes.
    std::size_t replaced() const { return replaced_.size(); }

private:
    using Entries = std::array<LutEntry, 256>;
    struct Slot
    {
        const Luts* luts = nullptr;
        u64 revision = 0;
        std::unique_ptr<Entries> entries;
    };
    std::array<Slot, Luts::kTables> slots_;
    std::vector<std::unique_ptr<Entries>> replaced_; // may still be read
    std::vector<std::unique_ptr<Entries>> free_;
};

} // namespace pica
