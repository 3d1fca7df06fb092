// SPDX-License-Identifier: MIT
#include "pica/command/recorded_state.h"

#include "pica/base/float24.h"

#include <algorithm>

namespace pica
{

namespace
{

// A raw x y z w vector. Old recorders leave w unset: anything that is no float24 becomes `missing_w`.
Vec4 read_vector(std::span<const u32> words, f32 missing_w, bool& bad_w)
{
    Vec4 value;
    for (u32 i = 0; i < 3; ++i)
        value[i] = float24_to_f32(words[i] & 0xFFFFFF);
    if (words[3] >> 24 != 0)
        bad_w = true;
    value[3] = words[3] >> 24 != 0 ? missing_w : float24_to_f32(words[3]);
    return value;
}

bool restore_unit(ShaderUnit& unit, std::span<const u32> code, std::span<const u32> descriptors,
                  std::span<const u32> floats)
{
    for (u32 i = 0; i < std::min<std::size_t>(code.size(), unit.code.words.size()); ++i)
        unit.code.write_word(i, code[i]);
    for (u32 i = 0; i < std::min<std::size_t>(descriptors.size(), kDescriptorCount); ++i)
        unit.code.write_descriptor(i, descriptors[i]);
    bool bad_w = false;
    for (u32 i = 0; i < std::min<std::size_t>(floats.size() / 4, unit.uniforms.f.size()); ++i)
        unit.set_float(i, read_vector(floats.subspan(i * 4, 4), 0.0f, bad_w));
    return bad_w;
}

} // namespace

bool load_recorded_state(const RecordedState& state, RegisterFile& regs, Ports& ports)
{
    // Recorders that did not know the interrupt registers left them 0, but software always sets them.
    const bool knows_interrupts =
        state.registers.size() > kInterruptSettings.first && state.registers[kInterruptSettings.first] != 0;
    for (u32 id = 0; id < std::min<std::size_t>(state.registers.size(), kRegisterCount); ++id)
    {
        if (knows_interrupts || id < kInterruptSettings.first || id > kInterruptSettings.last)
            regs.write(id, state.registers[id]);
    }
    bool bad_w = false;
    for (u32 i = 0; i < std::min<std::size_t>(state.fixed_attributes.size() / 4, ports.fixed.size()); ++i)
        ports.fixed[i] = read_vector(state.fixed_attributes.subspan(i * 4, 4), 1.0f, bad_w);
    bad_w |= restore_unit(ports.vertex, state.vertex_code, state.vertex_descriptors, state.vertex_floats);
    if (Ports::shares_banks(regs))
        bad_w |=
            restore_unit(ports.geometry, state.vertex_code, state.vertex_descriptors, state.vertex_floats);
    else
        bad_w |= restore_unit(ports.geometry, state.geometry_code, state.geometry_descriptors,
                              state.geometry_floats);

    for (const u32 bank : {kVertexBank, kGeometryBank})
    {
        for (u32 i = 0; i < 5; ++i)
            ports.load_constant(regs, bank, i, false);
        ports.load_code_index(regs, bank);
        ports.load_descriptor_index(regs, bank);
        ports.load_float_index(regs, bank);
    }
    ports.load_fixed_index(regs);
    for (const TablePort port : {TablePort::Lighting, TablePort::Fog, TablePort::ProcTex, TablePort::Gas})
        ports.load_table_index(port, regs);
    return !bad_w;
}

} // namespace pica
