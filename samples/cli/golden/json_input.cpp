// SPDX-License-Identifier: MIT
#include "samples/cli/golden/json_input.h"

#include <cstdint>
#include <limits>

namespace samples
{

using Json = nlohmann::ordered_json;

std::optional<Json> parse_object(std::string_view text)
{
    // Printing and comparing are recursive: deep nesting would overflow the stack.
    constexpr int kMostDepth = 32;
    bool is_deep = false;
    const auto look = [&](int depth, Json::parse_event_t, Json&)
    {
        is_deep |= depth > kMostDepth;
        return !is_deep; // what is not kept is not built
    };
    Json json = Json::parse(text.begin(), text.end(), look, false);
    if (is_deep || !json.is_object())
        return std::nullopt;
    return json;
}

bool has_text(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string();
}

bool has_number(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number_unsigned() &&
           found->get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}

} // namespace samples
