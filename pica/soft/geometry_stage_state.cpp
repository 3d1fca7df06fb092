// SPDX-License-Identifier: MIT
// The registers of the geometry shader unit on their way to a device and back, and its complete state on the
// way to another backend.
#include "pica/soft/geometry_stage.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <bit>

namespace pica::soft
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

void GeometryStage::ran_elsewhere(u32 invocations, u32 first, u32 fed, u32 left, Report& report)
{
    if (first + fed > 96)
        report_past_uniforms(report);
    invocations_ = invocations;
    collected_ = left;
    if (left != 0)
        cursor_ = first + left * feed_.attributes;
    if (invocations != 0)
        has_run_ = true;
    for (u32 n = first; n < std::min(first + fed, u32{96}); ++n)
        fed_.set(n);
}

CarriedGeometry GeometryStage::carried() const
{
    CarriedGeometry carried;
    carried.registers = registers_;
    carried.fed = fed_;
    for (u32 n = 0; n < fed_.size(); ++n)
        if (fed_[n])
            carried.fed_values[n] = fed_values_[n];
    carried.has_run = has_run_;
    if (collected_ != 0)
    {
        carried.collected = collected_;
        carried.cursor = cursor_;
        std::copy_n(inputs_.begin(), std::min<std::size_t>(collected_, inputs_.size()),
                    carried.inputs.begin());
    }
    return carried;
}

void GeometryStage::set_carried(const CarriedGeometry& carried)
{
    registers_ = carried.registers;
    fed_ = carried.fed;
    fed_values_ = carried.fed_values;
    has_run_ = carried.has_run;
    collected_ = carried.collected;
    cursor_ = carried.cursor;
    inputs_ = carried.inputs;
}

void GeometryStage::save(std::span<u32> words) const
{
    std::fill(words.begin(), words.end(), 0u);
    each_word(registers_, fed_values_, [&](auto value, u32 at) { words[at] = std::bit_cast<u32>(value); });
    words[STATE_FLAGS] = (registers_.unit.cmp_x ? 1u : 0u) | (registers_.unit.cmp_y ? 2u : 0u);
    words[STATE_LATCH] =
        registers_.vertex_id | (registers_.emit_primitive ? 4u : 0u) | (registers_.invert_winding ? 8u : 0u);
}

void GeometryStage::load(std::span<const u32> words)
{
    each_word(registers_, fed_values_,
              [&]<typename T>(T& value, u32 at) { value = std::bit_cast<T>(words[at]); });
    registers_.unit.cmp_x = (words[STATE_FLAGS] & 1) != 0;
    registers_.unit.cmp_y = (words[STATE_FLAGS] & 2) != 0;
    registers_.vertex_id = static_cast<u8>(words[STATE_LATCH] & 3);
    registers_.emit_primitive = (words[STATE_LATCH] & 4) != 0;
    registers_.invert_winding = (words[STATE_LATCH] & 8) != 0;
    if ((words[STATE_BANK] & 1) != 0)
        std::swap(registers_.unit.o, registers_.other_bank);
}

} // namespace pica::soft
