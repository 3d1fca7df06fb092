// SPDX-License-Identifier: MIT
// JSON from a file or from another program: nothing in it is taken on trust. Tests: tests/cli/report_test.cpp,
// tests/cli/bisect_test.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace samples
{

// Nothing if the text is no JSON object, or is nested more deeply than what picavk prints.
std::optional<nlohmann::ordered_json> parse_object(std::string_view text);

// Has the object a member of this name that is a text, or a whole number from 0 to 2^32 - 1?
bool has_text(const nlohmann::ordered_json& object, const char* name);
bool has_number(const nlohmann::ordered_json& object, const char* name);

} // namespace samples
