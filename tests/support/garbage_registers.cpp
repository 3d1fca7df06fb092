// SPDX-License-Identifier: MIT
#include "tests/support/garbage_registers.h"

#include "pica/regs/registers.h"

#include <random>

namespace tests
{

using namespace pica;

namespace
{

// One kind of table behind a port: its index register, the port, the tables' numbers, entries of each.
struct Port
{
    u32 index, data, tables, entries;
};

constexpr Port kPorts[] = {
    {reg::LIGHTING_LUT_INDEX::id, reg::LIGHTING_LUT_DATA::id, 32, 256},
    {reg::PROCTEX_LUT::id, reg::PROCTEX_LUT_DATA::id, 6, 256},
    {reg::FOG_LUT_INDEX::id, reg::FOG_LUT_DATA::id, 1, 128},
    {reg::GAS_LUT_INDEX::id, reg::GAS_LUT_DATA::id, 1, 16},
    {reg::VSH_CODETRANSFER_INDEX::id, reg::VSH_CODETRANSFER_DATA::id, 1, 512},
    {reg::VSH_OPDESCS_INDEX::id, reg::VSH_OPDESCS_DATA::id, 1, 128},
    {reg::VSH_FLOATUNIFORM_INDEX::id, reg::VSH_FLOATUNIFORM_DATA::id, 1, 3 * 96},
    {reg::GSH_CODETRANSFER_INDEX::id, reg::GSH_CODETRANSFER_DATA::id, 1, 4096},
    {reg::GSH_OPDESCS_INDEX::id, reg::GSH_OPDESCS_DATA::id, 1, 128},
    {reg::GSH_FLOATUNIFORM_INDEX::id, reg::GSH_FLOATUNIFORM_DATA::id, 1, 3 * 96},
};
constexpr u32 kFixedAttributes = 12;

bool acts_at_once(u32 id)
{
    return id <= kInterruptSettings.last || id == reg::DRAWARRAYS::id || id == reg::DRAWELEMENTS::id ||
           (id >= reg::FIXEDATTRIB_INDEX::id && id <= reg::FIXEDATTRIB_DATA::ids[2]) ||
           id == reg::CMDBUF_JUMP::ids[0] || id == reg::CMDBUF_JUMP::ids[1];
}

} // namespace

void leave_garbage(const std::function<void(u32 id, u32 value)>& write, u32 seed, bool flipped)
{
    std::mt19937 random(seed);
    const auto garbage = [&] { return static_cast<u32>(random()) ^ (flipped ? ~0u : 0u); };
    for (const Port& port : kPorts)
        for (u32 table = 0; table < port.tables; ++table)
        {
            write(port.index, table << 8);
            for (u32 i = 0; i < port.entries; ++i)
                write(port.data, garbage());
        }
    for (u32 attribute = 0; attribute < kFixedAttributes; ++attribute)
    {
        write(reg::FIXEDATTRIB_INDEX::id, attribute);
        for (const u32 id : reg::FIXEDATTRIB_DATA::ids)
            write(id, garbage());
    }
    for (u32 id = 0; id < kRegisterCount; ++id)
        if (!acts_at_once(id))
            write(id, garbage());
}

} // namespace tests
