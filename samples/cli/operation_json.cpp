// SPDX-License-Identifier: MIT
#include "samples/cli/operation_json.h"

#include "pica/inspect/replay.h"
#include "samples/cli/pixel_json.h"

namespace samples
{

namespace
{

using namespace pica;

void describe(const DrawnTarget& drawn, Json& json)
{
    json["kind"] = "draw";
    json["vertices"] = drawn.vertices;
    json["target"] = target_json(drawn.target);
}

void describe(const MemoryFill& fill, Json& json)
{
    json["kind"] = "fill";
    json["range"] = {hex(fill.start), hex(fill.end)};
    json["value"] = hex(fill.value);
}

void describe(const DisplayTransfer& transfer, Json& json)
{
    json["kind"] = "display transfer";
    json["from"] = hex(transfer.input);
    json["to"] = hex(transfer.output);
    json["size"] = {transfer.written_width(), transfer.written_height()};
}

void describe(const TextureCopy& copy, Json& json)
{
    json["kind"] = "texture copy";
    json["from"] = hex(copy.input);
    json["to"] = hex(copy.output);
    json["bytes"] = copy.size;
}

void describe(const ByteRange& range, Json& json)
{
    json["kind"] = "cpu write";
    json["address"] = hex(range.begin);
    json["bytes"] = range.size;
}

} // namespace

Json operation_json(const ReplayOperation& operation)
{
    Json json;
    json["kind"] = "";
    json[operation.is_draw() ? "draw" : "draws_before"] = operation.draw;
    if (operation.is_draw())
        json["list"] = operation.list;
    std::visit([&](const auto& what) { describe(what, json); }, operation.what);
    return json;
}

std::string operation_line(const Json& operation)
{
    const bool draws = operation["kind"] == "draw";
    std::string text = json_line(operation["kind"]) + (draws ? " " + json_line(operation["draw"]) : "");
    for (const auto& [key, value] : operation.items())
        if (key != "kind" && key != "draw" && key != "draws_before")
            text += ", " + key + " " + json_line(value);
    return text + "\n";
}

} // namespace samples
