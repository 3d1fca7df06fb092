// SPDX-License-Identifier: MIT
// What a write to each register does besides storing the word. Source: pica/hardware/registers.md and command-lists.md.
#pragma once

#include "pica/command/ports.h"
#include "pica/regs/registers.h"

#include <array>
#include <span>

namespace pica
{

enum class WriteAction : u8
{
    Store,
    CpuOnly,
    Interrupt,
    TableIndex,
    TableData,
    DrawArrays,
    DrawElements,
    FixedIndex,
    FixedData,
    Jump,
    Restart,       // stores the word, too
    StoreReported, // banks of the third and fourth shader core, mirrors at the end
    VertexBank,
    GeometryBank,
    Nothing, // a trigger without effect here, not stored
};

struct WriteEffect
{
    WriteAction action = WriteAction::Store;
    TablePort table{}; // of TableIndex and TableData
};

constexpr std::array<WriteEffect, kRegisterCount> make_write_effects()
{
    std::array<WriteEffect, kRegisterCount> effects{};
    const auto set = [&](RegisterRange range, WriteAction action)
    {
        for (u32 id = range.first; id <= range.last; ++id)
            effects[id] = {action, {}};
    };
    const auto set_ids = [&](std::span<const u32> ids, WriteAction action, TablePort table = {})
    {
        for (const u32 id : ids)
            effects[id] = {action, table};
    };
    set_ids(reg::IRQ_ACK::ids, WriteAction::CpuOnly);
    set(kInterruptRequests, WriteAction::Interrupt);
    set(kInterruptSettings, WriteAction::CpuOnly);
    set_ids(reg::PROCTEX_LUT::ids, WriteAction::TableIndex, TablePort::ProcTex);
    set_ids(reg::PROCTEX_LUT_DATA::ids, WriteAction::TableData, TablePort::ProcTex);
    set_ids(reg::FOG_LUT_INDEX::ids, WriteAction::TableIndex, TablePort::Fog);
    set_ids(reg::FOG_LUT_DATA::ids, WriteAction::TableData, TablePort::Fog);
    set_ids(reg::GAS_LUT_INDEX::ids, WriteAction::TableIndex, TablePort::Gas);
    set_ids(reg::GAS_LUT_DATA::ids, WriteAction::TableData, TablePort::Gas);
    set_ids(reg::LIGHTING_LUT_INDEX::ids, WriteAction::TableIndex, TablePort::Lighting);
    set_ids(reg::LIGHTING_LUT_DATA::ids, WriteAction::TableData, TablePort::Lighting);
    set_ids(reg::DRAWARRAYS::ids, WriteAction::DrawArrays);
    set_ids(reg::DRAWELEMENTS::ids, WriteAction::DrawElements);
    // Clears the post-vertex cache, which does not exist here.
    set_ids(reg::VTX_FUNC::ids, WriteAction::Nothing);
    set_ids(reg::FIXEDATTRIB_INDEX::ids, WriteAction::FixedIndex);
    set_ids(reg::FIXEDATTRIB_DATA::ids, WriteAction::FixedData);
    set_ids(reg::CMDBUF_JUMP::ids, WriteAction::Jump);
    set_ids(reg::PRIMITIVE_CONFIG::ids, WriteAction::Restart);
    set_ids(reg::RESTART_PRIMITIVE::ids, WriteAction::Restart);
    set({kGeometryBank, kGeometryBank + kShaderBankSize - 1}, WriteAction::GeometryBank);
    set({kVertexBank, kVertexBank + kShaderBankSize - 1}, WriteAction::VertexBank);
    set(kStoredOnly, WriteAction::StoreReported);
    return effects;
}

inline constexpr std::array<WriteEffect, kRegisterCount> kWriteEffects = make_write_effects();

// Does a write only store the word?
constexpr bool only_stores(u32 id)
{
    return id < kRegisterCount && kWriteEffects[id].action == WriteAction::Store;
}

// A data word of a port. Byte masks have no effect on these.
constexpr bool is_port(WriteAction action)
{
    return action == WriteAction::TableData || action == WriteAction::FixedData;
}

} // namespace pica
