// SPDX-License-Identifier: MIT
#include "pica/vertex/geometry_words.h"

#include "shaders/include/layout.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pica
{

namespace
{

// Visits all words in the order of layout.h; `word` reads or writes one value of four bytes.
template <typename Registers, typename Constants, typename Word>
void each_word(Registers& registers, Constants& constants, Word&& word)
{
    const auto vectors = [&](auto& file, u32 at)
    {
        for (auto& vector : file)
            for (auto& component : vector)
                word(component, at++);
    };
    vectors(registers.unit.v, STATE_INPUTS);
    vectors(registers.unit.r, STATE_TEMPORARIES);
    vectors(registers.unit.o, STATE_BANKS); // the bank that is written now is stored as bank 0
    vectors(registers.other_bank, STATE_BANKS + 64);
    u32 at = STATE_SLOTS;
    for (auto& slot : registers.slots)
    {
        vectors(slot, at);
        at += kGeometrySlotOutputs * 4;
    }
    word(registers.unit.a0[0], STATE_A0X);
    word(registers.unit.a0[1], STATE_A0Y);
    word(registers.al, STATE_AL);
    vectors(constants, STATE_CONSTANTS);
}

} // namespace

void store_words(const GeometryRegisters& registers, const FedConstants& constants, std::span<u32> words)
{
    std::fill(words.begin(), words.end(), 0u);
    each_word(registers, constants, [&](auto value, u32 at) { words[at] = std::bit_cast<u32>(value); });
    words[STATE_FLAGS] = (registers.unit.cmp_x ? 1u : 0u) | (registers.unit.cmp_y ? 2u : 0u);
    words[STATE_LATCH] =
        registers.vertex_id | (registers.emit_primitive ? 4u : 0u) | (registers.invert_winding ? 8u : 0u);
}

void load_words(std::span<const u32> words, GeometryRegisters& registers, FedConstants& constants)
{
    each_word(registers, constants,
              [&]<typename T>(T& value, u32 at) { value = std::bit_cast<T>(words[at]); });
    registers.unit.cmp_x = (words[STATE_FLAGS] & 1) != 0;
    registers.unit.cmp_y = (words[STATE_FLAGS] & 2) != 0;
    registers.vertex_id = static_cast<u8>(words[STATE_LATCH] & 3);
    registers.emit_primitive = (words[STATE_LATCH] & 4) != 0;
    registers.invert_winding = (words[STATE_LATCH] & 8) != 0;
    if ((words[STATE_BANK] & 1) != 0)
        std::swap(registers.unit.o, registers.other_bank);
}

} // namespace pica
