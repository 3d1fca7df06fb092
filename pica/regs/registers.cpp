// SPDX-License-Identifier: MIT
// Register file and register names. The tables are expanded from registers.def and checked at compile time.
#include "pica/regs/registers.h"

#include "pica/regs/register_table.h"

namespace pica
{

namespace
{

using register_table::FieldRow;
using register_table::Name;
using register_table::RegisterRow;
using register_table::ResetRow;

enum RowIndex : u32
{
#define REG(NAME, ID) kRow_##NAME,
#define REGS(NAME, COUNT, ...) kRow_##NAME,
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE) kRow_##NAME,
#define RESET(NAME, INDEX, VALUE)
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)
#include "pica/regs/registers.def"
#undef REG
#undef REGS
#undef REGS_STRIDE
    kRowCount
};

constexpr RegisterRow kRows[] = {
#define REG(NAME, ID) {#NAME, 0, reg::NAME::ids, false},
#define REGS(NAME, COUNT, ...) {#NAME, 0, reg::NAME::ids, true},
#define REGS_STRIDE(NAME, FIRST, COUNT, BASE, STRIDE) {#NAME, FIRST, reg::NAME::ids, true},
#include "pica/regs/registers.def"
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
#include "pica/regs/registers.def"
#undef RESET
#undef FIELD
};

constexpr ResetRow kResets[] = {
#define RESET(NAME, INDEX, VALUE) {kRow_##NAME, INDEX, VALUE},
#define FIELD(NAME, NAME_OF_FIELD, SHIFT, WIDTH, TYPE)
#include "pica/regs/registers.def"
#undef RESET
#undef FIELD
};

#undef REG
#undef REGS
#undef REGS_STRIDE

static_assert(std::size(kRows) == kRowCount);
static_assert(register_table::fields_fit_and_are_disjoint<kRowCount>(kFields), "two fields overlap");
static_assert(register_table::ids_are_unique(kRows), "two registers share an id");
static_assert(register_table::rows_are_sorted(kRows), "registers.def is not in address order");

constexpr u16 kNoRow = 0xFFFF;

struct NameTable
{
    std::array<Name, kRegisterCount> names;
    std::array<u16, kRegisterCount> rows;
};

constexpr NameTable make_names()
{
    NameTable table{};
    for (u32 id = 0; id < kRegisterCount; ++id)
    {
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        table.rows[id] = kNoRow;
        table.names[id].append("UNKNOWN_");
        for (const u32 shift : {8u, 4u, 0u})
            table.names[id].append(kDigits.substr((id >> shift) & 15, 1));
    }
    for (u32 row = 0; row < kRowCount; ++row)
        for (u32 i = 0; i < kRows[row].ids.size(); ++i)
        {
            table.names[kRows[row].ids[i]] = element_name(kRows[row], i);
            table.rows[kRows[row].ids[i]] = static_cast<u16>(row);
        }
    return table;
}

constexpr NameTable kNames = make_names();

} // namespace

bool RegisterFile::any_dirty() const
{
    u64 found = 0;
    for (const u64 word : dirty_)
        found |= word;
    return found != 0;
}

void RegisterFile::mark_dirty(u32 id)
{
    if (id < kRegisterCount)
        dirty_[id >> 6] |= u64{1} << (id & 63);
}

void RegisterFile::reset()
{
    words_.fill(0);
    for (const ResetRow& reset : kResets)
        words_[kRows[reset.row].ids[reset.index]] = reset.value;
    mark_all_dirty();
}

std::string_view register_name(u32 id)
{
    return id < kRegisterCount ? std::string_view(kNames.names[id]) : std::string_view("OUT_OF_RANGE");
}

std::string describe_write(u32 id, u32 value)
{
    const u32 row = id < kRegisterCount ? kNames.rows[id] : kNoRow;
    return register_table::describe(register_name(id), value, kFields, row);
}

} // namespace pica
