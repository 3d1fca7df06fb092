// SPDX-License-Identifier: MIT
// Builds command lists from the register declarations of production code. Encoding:
// pica/hardware/command-lists.md, "Command format" (a value, a header, further values; padded to 8 bytes).
#pragma once

#include "pica/regs/registers.h"

#include <array>
#include <span>
#include <vector>

namespace tests
{

using namespace pica;

class CommandListBuilder
{
public:
    // Writes the whole register with this field changed. Consecutive calls for the same register become one
    // write.
    template <typename T>
    CommandListBuilder& set(const Field<T>& field, std::type_identity_t<T> value, u32 index = 0)
    {
        const u32 id = field.ids[index];
        return write(id, field.insert(registers_[id], value));
    }
    CommandListBuilder& write(u32 id, u32 value, u32 byte_mask = 0xF);
    // Writes the values to id, id+1, id+2, ...
    CommandListBuilder& write_consecutive(u32 id, std::span<const u32> values, u32 byte_mask = 0xF);
    // Writes all values to one register (a port).
    CommandListBuilder& write_repeated(u32 id, std::span<const u32> values, u32 byte_mask = 0xF);

    // Uploads code from word 0 on and descriptors from entry 0 on.
    CommandListBuilder& upload_vertex_program(std::span<const u32> code, std::span<const u32> descriptors,
                                              u32 entry_point);
    CommandListBuilder& upload_geometry_program(std::span<const u32> code, std::span<const u32> descriptors,
                                                u32 entry_point);
    // Writes a uniform in binary32 mode.
    CommandListBuilder& float_uniform(u32 index, const std::array<f32, 4>& value);
    CommandListBuilder& geometry_float_uniform(u32 index, const std::array<f32, 4>& value);
    CommandListBuilder& fixed_attribute(u32 index, const std::array<f32, 4>& value);
    // Writes what citro3d writes around a draw call.
    CommandListBuilder& draw_arrays(Topology topology, u32 first, u32 count);
    CommandListBuilder& draw_elements(Topology topology, u32 offset, IndexType type, u32 count);

    // Ends the list with FINALIZE, pads it to 16 bytes and returns the words. The builder is empty
    // afterwards, but still knows the register values.
    std::vector<u32> finish();
    // The register values after the list, assuming power-up values before it.
    const RegisterFile& registers() const { return registers_; }

private:
    CommandListBuilder& upload_program(u32 offset, std::span<const u32> code,
                                       std::span<const u32> descriptors, u32 entry_point);
    CommandListBuilder& command(u32 id, std::span<const u32> values, u32 byte_mask, u32 consecutive_bit);

    static constexpr u32 kNone = ~0u;
    RegisterFile registers_;
    std::vector<u32> words_;
    u32 last_single_ = kNone; // register of the last command if that is a single write of all four bytes
};

} // namespace tests
