// SPDX-License-Identifier: MIT
// Rows made from a register list (registers.def, external.def), and what every such list needs: the
// compile-time checks, names, field dumps. Private to pica/regs.
#pragma once

#include "pica/base/types.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace pica::register_table
{

struct RegisterRow
{
    std::string_view name;
    u32 first_number; // number of the first element in dumps
    std::span<const u32> ids;
    bool is_array;
};

struct FieldRow
{
    u32 row; // index of its register
    std::string_view name;
    u8 shift;
    u8 width;
    bool is_signed;
};

struct ResetRow
{
    u32 row;
    u32 index;
    u32 value;
};

// Linear and n log n, because compilers bound the work of a constant expression.
template <u32 row_count>
constexpr bool fields_fit_and_are_disjoint(std::span<const FieldRow> fields)
{
    std::array<u32, row_count> used{};
    for (const FieldRow& field : fields)
    {
        if (field.row >= row_count || field.width == 0 || field.shift + field.width > 32)
            return false;
        const u32 mask = (field.width == 32 ? ~0u : (1u << field.width) - 1) << field.shift;
        if (used[field.row] & mask)
            return false;
        used[field.row] |= mask;
    }
    return true;
}

constexpr bool ids_are_unique(std::span<const RegisterRow> rows)
{
    std::array<u32, 0x400> ids{};
    std::size_t count = 0;
    for (const RegisterRow& row : rows)
        for (const u32 id : row.ids)
            ids[count++] = id;
    std::sort(ids.begin(), ids.begin() + count);
    return std::adjacent_find(ids.begin(), ids.begin() + count) == ids.begin() + count;
}

// Are the rows sorted by their first ids?
constexpr bool rows_are_sorted(std::span<const RegisterRow> rows)
{
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i - 1].ids[0] >= rows[i].ids[0])
            return false;
    return true;
}

struct Name
{
    char text[39] = {};
    u8 size = 0;
    constexpr void append(std::string_view part)
    {
        for (const char c : part)
            text[size++] = c;
    }
    constexpr operator std::string_view() const { return {text, size}; }
};

// The name of an array element: the number stands after the unit's name ("TEXENV3_COMBINER"), or at the end
// ("SH_OUTMAP_O2").
constexpr Name element_name(const RegisterRow& row, u32 index)
{
    Name name;
    if (!row.is_array)
    {
        name.append(row.name);
        return name;
    }
    const u32 number = row.first_number + index;
    const char digits[2] = {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
    const std::string_view text = number < 10 ? std::string_view(digits + 1, 1) : std::string_view(digits, 2);
    std::size_t split = row.name.size();
    for (const std::string_view unit :
         {"TEXENV_", "TEXUNIT_", "LIGHT_", "ATTRIBBUFFER_", "PSC_", "PDC_", "LCD_"})
        if (row.name.starts_with(unit))
            split = unit.size() - 1;
    name.append(row.name.substr(0, split));
    name.append(text);
    name.append(row.name.substr(split));
    return name;
}

// "NAME = 0x........ field=value ..."
std::string describe(std::string_view name, u32 value, std::span<const FieldRow> fields, u32 row);

} // namespace pica::register_table
