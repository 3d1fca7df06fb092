// SPDX-License-Identifier: MIT
#include "samples/cli/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace samples
{

namespace
{

using pica::f32;
using pica::u32;

bool is_simple(const Json& json)
{
    return !json.is_structured();
}

bool is_line(const Json& json)
{
    return is_simple(json) || (json.is_array() && std::all_of(json.begin(), json.end(), is_simple));
}

std::string line_of(const Json& json)
{
    if (json.is_string())
        return json.get<std::string>();
    if (is_simple(json))
        return json.dump();
    std::string text;
    for (const Json& item : json)
        text += (text.empty() ? "" : " ") + line_of(item);
    return text.empty() ? "none" : text;
}

// Objects whose members fit a line each are written as "key value, key value".
bool is_short_object(const Json& json)
{
    if (!json.is_object() || !std::all_of(json.begin(), json.end(), is_line))
        return false;
    std::size_t length = 0;
    for (const auto& [key, value] : json.items())
        length += key.size() + line_of(value).size() + 3;
    return length < 90;
}

std::string short_object(const Json& json)
{
    std::string text;
    for (const auto& [key, value] : json.items())
        text += (text.empty() ? "" : ", ") + key + " " + line_of(value);
    return text;
}

void append(std::string& text, const Json& json, std::size_t indent)
{
    const std::string space(indent, ' ');
    if (json.is_object())
    {
        for (const auto& [key, value] : json.items())
        {
            text += space + key + ":";
            if (is_line(value))
                text += " " + line_of(value) + "\n";
            else if (is_short_object(value))
                text += " " + short_object(value) + "\n";
            else
            {
                text += "\n";
                append(text, value, indent + 2);
            }
        }
        return;
    }
    for (const Json& item : json)
    {
        if (is_line(item))
            text += space + "- " + line_of(item) + "\n";
        else if (is_short_object(item))
            text += space + "- " + short_object(item) + "\n";
        else
        {
            const std::size_t begin = text.size();
            append(text, item, indent + 2);
            text[begin + indent] = '-';
        }
    }
}

// Names of files may be no UTF-8.
std::string compact(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_lines(std::string& text, const Json& json, std::size_t indent)
{
    const bool nests =
        std::any_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
    if (!json.is_structured() || !nests)
    {
        text += compact(json);
        return;
    }
    const std::string space(indent + 2, ' ');
    text += json.is_object() ? '{' : '[';
    const char* separator = "\n";
    for (const auto& [key, value] : json.items())
    {
        text += separator + space;
        if (json.is_object())
            text += compact(Json(key)) + ": ";
        append_lines(text, value, indent + 2);
        separator = ",\n";
    }
    text += "\n" + std::string(indent, ' ') + (json.is_object() ? '}' : ']');
}

} // namespace

std::string json_text(const Json& json)
{
    std::string text;
    append(text, json, 0);
    return text;
}

std::string json_line(const Json& json)
{
    return json.is_object() ? short_object(json) : line_of(json);
}

std::string json_lines(const Json& json)
{
    std::string text;
    append_lines(text, json, 0);
    return text + "\n";
}

void print_json(const Json& json, bool as_json)
{
    const std::string text = as_json ? json_lines(json) : json_text(json);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string hex(u32 value)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%08X", value);
    return text;
}

Json color_json(u32 rgba)
{
    return Json::array({rgba & 255, rgba >> 8 & 255, rgba >> 16 & 255, rgba >> 24});
}

Json float_json(f32 value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    // The shortest decimal number that is this float; as a double it would have more digits.
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    double number = 0;
    std::from_chars(text, end, number);
    return number;
}

Json vector_json(std::span<const f32> values)
{
    Json json = Json::array();
    for (const f32 value : values)
        json.push_back(float_json(value));
    return json;
}

bool parse_number(const std::string& text, u32& value)
{
    const bool is_hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
    const char* begin = text.data() + (is_hex ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(begin, end, value, is_hex ? 16 : 10);
    return error == std::errc{} && at == end && begin != end;
}

} // namespace samples
