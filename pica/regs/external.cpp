// SPDX-License-Identifier: MIT
// External registers: storage and names. The tables are expanded from external.def and checked at compile
// time.
#include "pica/regs/external.h"

#include "pica/regs/register_table.h"
#include "pica/regs/registers.h"

#include <cstdio>

namespace pica
{

namespace
{

using register_table::FieldRow;
using register_table::RegisterRow;
using register_table::ResetRow;

enum RowIndex : u32
{
#define REG(NAME, ID) kRow_##NAME,
#define REGS(NAME, COUNT, ...) kRow_##NAME,
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE) kRow_##NAME,
#define RESET(NAME, INDEX, VALUE)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)
#include "pica/regs/external.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
    kRowCount
};

constexpr RegisterRow kRows[] = {
#define REG(NAME, ID) {#NAME, 0, ext::NAME::ids, false},
#define REGS(NAME, COUNT, ...) {#NAME, 0, ext::NAME::ids, true},
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE) {#NAME, FIRST, ext::NAME::ids, true},
#include "pica/regs/external.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
#undef RESET
#undef FIELD
};

#define REG(NAME, ID)
#define REGS(NAME, COUNT, ...)
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE)

constexpr FieldRow kFields[] = {
#define RESET(NAME, INDEX, VALUE)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)                                                       \
    {kRow_##NAME, #NAME_OF_FIELD, SHIFT, WIDTH, std::is_same_v<TYPE, s32>},
#include "pica/regs/external.def"
#undef RESET
#undef FIELD
};

constexpr ResetRow kResets[] = {
#define RESET(NAME, INDEX, VALUE) {kRow_##NAME, INDEX, VALUE},
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)
#include "pica/regs/external.def"
#undef RESET
#undef FIELD
};

#undef REG
#undef REGS
#undef REGS_STRIDE

static_assert(std::size(kRows) == kRowCount);
static_assert(register_table::fields_fit_and_are_disjoint<kRowCount>(kFields), "two fields overlap");
static_assert(register_table::ids_are_unique(kRows), "two registers share an address");
static_assert(register_table::rows_are_sorted(kRows), "external.def is not in address order");

constexpr bool all_rows_have_storage()
{
    for (const RegisterRow& row : kRows)
        for (const u32 address : row.ids)
            if (address % 4 != 0 ||
                (address - kGpuBlockBase >= kGpuBlockSize && address - kLcdBlockBase >= kLcdBlockSize))
                return false;
    return true;
}
static_assert(all_rows_have_storage());

struct Found
{
    std::string name;
    u32 row;
};

Found find_register(PhysAddr address)
{
    address &= ~3u;
    for (u32 row = 0; row < kRowCount; ++row)
        for (u32 i = 0; i < kRows[row].ids.size(); ++i)
            if (kRows[row].ids[i] == address)
                return {std::string(std::string_view(element_name(kRows[row], i))), row};
    char text[24];
    std::snprintf(text, sizeof(text), "UNKNOWN_%08X", address);
    return {text, kRowCount};
}

bool in_p3d_window(PhysAddr address)
{
    return address - kP3dWindowBase < kRegisterCount * 4;
}

} // namespace

void ExternalRegisters::write(PhysAddr address, u32 value, u32 byte_mask)
{
    const u32 index = slot(address);
    if (index >= kWordCount)
        return;
    const u32 mask = expand_byte_mask(byte_mask);
    words_[index] = (words_[index] & ~mask) | (value & mask);
}

void ExternalRegisters::reset()
{
    words_.fill(0);
    for (const ResetRow& reset : kResets)
        words_[slot(kRows[reset.row].ids[reset.index])] = reset.value;
}

std::string ext::register_name(PhysAddr address)
{
    const Found found = find_register(address);
    if (found.row == kRowCount && in_p3d_window(address))
        return std::string(pica::register_name((address - kP3dWindowBase) / 4));
    return found.name;
}

std::string ext::describe_write(PhysAddr address, u32 value)
{
    const Found found = find_register(address);
    if (found.row == kRowCount && in_p3d_window(address))
        return pica::describe_write((address - kP3dWindowBase) / 4, value);
    return register_table::describe(found.name, value, kFields, found.row);
}

} // namespace pica
