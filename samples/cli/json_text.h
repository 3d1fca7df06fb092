// SPDX-License-Identifier: MIT
// JSON for people: as text, one line a value, indented, short lists in one line; and as JSON that can be read, too.
#pragma once

#include "pica/base/types.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace samples
{

using Json = nlohmann::ordered_json;

std::string json_text(const Json& json);
// A value, a list of values, or an object of such as one line.
std::string json_line(const Json& json);
// JSON in which lists and objects without others in them take one line.
std::string json_lines(const Json& json);
// Prints on stdout, as JSON or as text.
void print_json(const Json& json, bool as_json);

// "0x18000000"
std::string hex(pica::u32 value);
// [r, g, b, a] of an RGBA8 word with R in bits 0-7.
Json color_json(pica::u32 rgba);
// A number that text and JSON show with the digits that tell it from its neighbours; "nan", "inf" and "-inf" otherwise.
Json float_json(pica::f32 value);
Json vector_json(std::span<const pica::f32> values);
// Reads a number, decimal or with 0x. Returns false if it is none.
bool parse_number(const std::string& text, pica::u32& value);

} // namespace samples
