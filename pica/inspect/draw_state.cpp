// SPDX-License-Identifier: MIT
#include "pica/inspect/draw_state.h"

#include "pica/command/gpu.h"
#include "pica/inspect/replay.h"

#include <array>
#include <cstring>

namespace pica
{

namespace
{

constexpr RegisterRange kShaderPorts[] = {
    // of a shader bank
    {reg::GSH_CODETRANSFER_END::id, reg::GSH_CODETRANSFER_END::id},
    {reg::GSH_FLOATUNIFORM_INDEX::id, reg::GSH_FLOATUNIFORM_DATA::ids[7]},
    {reg::GSH_CODETRANSFER_INDEX::id, reg::GSH_CODETRANSFER_DATA::ids[7]},
    {reg::GSH_OPDESCS_INDEX::id, reg::GSH_OPDESCS_DATA::ids[7]},
};
constexpr RegisterRange kPorts[] = {
    {reg::PROCTEX_LUT::id, reg::PROCTEX_LUT_DATA::ids[7]},
    {reg::FOG_LUT_INDEX::id, reg::FOG_LUT_DATA::ids[7]},
    {reg::GAS_LUT_INDEX::id, reg::GAS_LUT_DATA::id},
    only(reg::LIGHTING_LUT_INDEX::id),
    {reg::LIGHTING_LUT_DATA::id, reg::LIGHTING_LUT_DATA::ids[7]},
    {reg::FIXEDATTRIB_INDEX::id, reg::FIXEDATTRIB_DATA::ids[2]},
};

bool contains(const RegisterRange& range, u32 id)
{
    return id >= range.first && id <= range.last;
}

// By bits: not-a-number is equal to itself, and -0 is not 0.
bool same(const Vec4& a, const Vec4& b)
{
    return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

ShaderUnitChanges find_changes(const ShaderUnit& before, const ShaderUnit& now)
{
    ShaderUnitChanges changes;
    changes.code = before.code.words != now.code.words || before.code.descriptors != now.code.descriptors;
    for (std::size_t n = 0; n < changes.floats.size(); ++n)
        changes.floats[n] = !same(before.uniforms.f[n], now.uniforms.f[n]);
    for (std::size_t n = 0; n < changes.ints.size(); ++n)
        changes.ints[n] = before.uniforms.i[n] != now.uniforms.i[n];
    changes.bools = before.uniforms.b != now.uniforms.b;
    return changes;
}

bool same_table(const Luts& a, const Luts& b, LutTable table)
{
    std::array<LutEntry, 256> entries_a{}, entries_b{};
    decode_lut(a, table, entries_a.data());
    decode_lut(b, table, entries_b.data());
    return entries_a == entries_b;
}

} // namespace

DrawState::DrawState(const CommandProcessor& processor)
    : registers(processor.registers()), ports(processor.ports())
{
}

StateChanges find_changes(const DrawState& before, const DrawState& now)
{
    StateChanges changes;
    for (u32 id = 0; id < kRegisterCount; ++id)
        if (before.registers[id] != now.registers[id] && !is_port_register(id))
            changes.registers.push_back(id);
    changes.vertex = find_changes(before.ports.vertex, now.ports.vertex);
    changes.geometry = find_changes(before.ports.geometry, now.ports.geometry);
    for (std::size_t n = 0; n < changes.fixed_attributes.size(); ++n)
        changes.fixed_attributes[n] = !same(before.ports.fixed[n], now.ports.fixed[n]);
    for (u32 n = 0; n < Luts::kTables; ++n)
        if (!same_table(before.ports.luts, now.ports.luts, static_cast<LutTable>(n)))
            changes.tables |= LutMask{1} << n;
    return changes;
}

std::optional<DrawState> last_draw_state(Replay& replay, std::size_t operation)
{
    std::optional<DrawState> state;
    while (operation > 0 && !state)
        if (replay.operations()[--operation].is_draw())
            visit_draw(replay, operation, [&](const Draw&) { state.emplace(replay.gpu().processor()); });
    return state;
}

bool is_port_register(u32 id)
{
    for (const RegisterRange& range : kPorts)
        if (contains(range, id))
            return true;
    for (const RegisterRange& range : kShaderPorts)
        if (contains(range, id) || contains(range, id - (kVertexBank - kGeometryBank)))
            return true;
    return false;
}

} // namespace pica
