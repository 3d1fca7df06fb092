// SPDX-License-Identifier: MIT
// Text of one register write.
#include "pica/regs/register_table.h"

#include "pica/regs/field.h"

#include <cstdio>

namespace pica::register_table
{

std::string describe(std::string_view name, u32 value, std::span<const FieldRow> fields, u32 row)
{
    char number[32];
    std::snprintf(number, sizeof(number), " = 0x%08X", value);
    std::string text(name);
    text += number;
    for (const FieldRow& field : fields)
    {
        if (field.row != row)
            continue;
        const u32 low = field.width == 32 ? ~0u : (1u << field.width) - 1;
        const u32 raw = (value >> field.shift) & low;
        const u32 unused = 32u - field.width;
        if (field.is_signed)
            std::snprintf(number, sizeof(number), "=%d", static_cast<s32>(raw << unused) >> unused);
        else
            std::snprintf(number, sizeof(number), field.width > 8 ? "=0x%X" : "=%u", raw);
        text += ' ';
        text += field.name;
        text += number;
    }
    return text;
}

} // namespace pica::register_table
