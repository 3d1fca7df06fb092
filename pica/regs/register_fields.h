// SPDX-License-Identifier: MIT
// Words of internal registers as people read them: fields with enumerations by name, short floats and fixed-point
// numbers as numbers, addresses in full. For dumps. Tests: tests/pica/register_fields_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <string_view>
#include <variant>
#include <vector>

namespace pica
{

// Shown in hexadecimal.
struct FieldAddress
{
    PhysAddr address = 0;
    bool operator==(const FieldAddress&) const = default;
};

struct FieldValue
{
    std::string_view name; // as in registers.def
    // A name where the enumeration has one for the code, otherwise the code.
    std::variant<s64, bool, f32, FieldAddress, std::string_view> value;
};

// The fields of the register, in the order of registers.def. Empty: it has none.
std::vector<FieldValue> register_fields(u32 id, u32 word);

// Does registers.def have the register?
bool is_named_register(u32 id);

} // namespace pica
