// SPDX-License-Identifier: MIT
// Power-up and recorded state of the command processor. Source: citrace.md, "Sections" and "Playback".
#include "pica/base/float24.h"
#include "pica/command/processor.h"

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

void CommandProcessor::reset()
{
    regs_.reset();
    replace_ports(Ports{});
    builder_.invalidate();
    list_.clear();
    reader_ = CommandListReader{};
    is_running_ = false;
    immediate_.clear();
    restart_ = geometry_reset_ = geometry_configures_ = true;
}

// Revisions keep growing, so that nothing cached under an earlier revision becomes valid again.
void CommandProcessor::replace_ports(const Ports& ports)
{
    const u64 code = std::max(ports_.vertex.code.revision, ports_.geometry.code.revision);
    const u64 uniforms = std::max(ports_.vertex.uniforms_revision, ports_.geometry.uniforms_revision);
    const u64 fixed = ports_.fixed_revision;
    const auto tables = ports_.luts.revisions;
    ports_ = ports;
    ports_.vertex.code.revision = ports_.geometry.code.revision = code + 1;
    ports_.vertex.uniforms_revision = ports_.geometry.uniforms_revision = uniforms + 1;
    ports_.fixed_revision = fixed + 1;
    for (std::size_t i = 0; i < tables.size(); ++i)
        ports_.luts.revisions[i] = tables[i] + 1;
}

ProcessorState CommandProcessor::state() const
{
    ProcessorState state;
    std::copy(regs_.words().begin(), regs_.words().end(), state.registers.begin());
    state.ports = ports_;
    if (is_running_)
    {
        const std::span<const u32> words = reader_.words();
        state.list = {true,        has_finished_, {words.begin(), words.end()}, reader_.position(), jumps_,
                      words_read_, work_};
    }
    state.immediate = immediate_;
    state.restart = restart_;
    state.geometry_reset = geometry_reset_;
    state.geometry_configures = geometry_configures_;
    return state;
}

void CommandProcessor::set_state(const ProcessorState& state)
{
    for (u32 id = 0; id < kRegisterCount; ++id)
        regs_.write(id, state.registers[id]);
    regs_.mark_all_dirty();
    replace_ports(state.ports);
    builder_.invalidate();
    const ProcessorState::List& list = state.list;
    list_ = list.words;
    reader_ = CommandListReader(list_, list.position);
    is_running_ = list.is_running;
    has_finished_ = list.has_finished;
    jumps_ = list.jumps;
    words_read_ = list.words_read;
    work_ = list.work;
    immediate_ = state.immediate;
    restart_ = state.restart;
    geometry_reset_ = state.geometry_reset;
    geometry_configures_ = state.geometry_configures;
}

void CommandProcessor::restore(const RecordedState& state)
{
    reset();
    // Recorders that did not know the interrupt registers left them 0, but software always sets them.
    const bool knows_interrupts =
        state.registers.size() > kInterruptSettings.first && state.registers[kInterruptSettings.first] != 0;
    for (u32 id = 0; id < std::min<std::size_t>(state.registers.size(), kRegisterCount); ++id)
    {
        if (knows_interrupts || id < kInterruptSettings.first || id > kInterruptSettings.last)
            regs_.write(id, state.registers[id]);
    }
    bool bad_w = false;
    for (u32 i = 0; i < std::min<std::size_t>(state.fixed_attributes.size() / 4, ports_.fixed.size()); ++i)
        ports_.fixed[i] = read_vector(state.fixed_attributes.subspan(i * 4, 4), 1.0f, bad_w);
    bad_w |= restore_unit(ports_.vertex, state.vertex_code, state.vertex_descriptors, state.vertex_floats);
    if (Ports::shares_banks(regs_))
        bad_w |=
            restore_unit(ports_.geometry, state.vertex_code, state.vertex_descriptors, state.vertex_floats);
    else
        bad_w |= restore_unit(ports_.geometry, state.geometry_code, state.geometry_descriptors,
                              state.geometry_floats);
    if (bad_w)
        report_.report(ReportKind::Guest, "recorded vector without w", "1 for attributes, 0 for uniforms");

    for (const u32 bank : {kVertexBank, kGeometryBank})
    {
        for (u32 i = 0; i < 5; ++i)
            ports_.load_constant(regs_, bank, i, false);
        ports_.load_code_index(regs_, bank);
        ports_.load_descriptor_index(regs_, bank);
        ports_.load_float_index(regs_, bank);
    }
    ports_.load_fixed_index(regs_);
    ports_.load_lighting_index(regs_);
    ports_.load_fog_index(regs_);
    ports_.load_proctex_index(regs_);
    ports_.load_gas_index(regs_);
}

} // namespace pica
