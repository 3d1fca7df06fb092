// SPDX-License-Identifier: MIT
#include "samples/cli/info_draws.h"

#include "pica/command/gpu.h"
#include "pica/inspect/draw_state.h"
#include "samples/cli/draw_pipelines.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/operation_json.h"
#include "samples/cli/run_end.h"
#include "samples/cli/state_json.h"

#include <cstdio>
#include <map>
#include <optional>

namespace samples
{

namespace
{

using namespace pica;

// Compares the state of each draw with that of the draw before it.
class ChangeRecorder final : public ReplayObserver
{
public:
    ChangeRecorder(Replay& replay, std::optional<DrawState> last) : replay_(replay), last_(std::move(last)) {}

    void before(std::size_t number, const Draw* draw) override
    {
        if (!draw)
            return;
        DrawState now(replay_.gpu().processor());
        if (last_)
            changes_[number] = changed_names(*last_, now);
        last_ = std::move(now);
    }
    void after(std::size_t, const Draw*) override {}

    // Null for the first draw of the stream.
    const Json* changes(std::size_t number) const
    {
        const auto found = changes_.find(number);
        return found == changes_.end() ? nullptr : &found->second;
    }

private:
    Replay& replay_;
    std::optional<DrawState> last_;
    std::map<std::size_t, Json> changes_;
};

void print_draw_text(const Json& json, const DrawState& state)
{
    Json shown = json;
    if (shown.contains("changed") && shown["changed"].empty())
        shown["changed"] = "nothing";
    if (shown.contains("changed") && shown["changed"].contains("registers"))
        for (Json& change : shown["changed"]["registers"])
            change = json_line(change["before"]) + " to " + json_line(change["word"]) +
                     (change.contains("fields") ? ": " + json_line(change["fields"]) : "");
    for (const char* key :
         {"registers", "vertex_uniforms", "geometry_uniforms", "fixed_attributes", "tables"})
        shown.erase(key);
    const std::string text = json_text(shown) + "registers:\n" + registers_text(state.registers);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace

int print_frame(const std::string& stream, u32 frame, bool as_json)
{
    const auto opened = OpenedReplay::open(stream);
    if (!opened)
        return bad_input(opened.error().message);
    Replay& replay = (*opened)->replay();
    const Result<u32> end = (*opened)->frame_end(frame);
    if (!end)
        return bad_input(end.error().message);
    const std::vector<ReplayOperation>& operations = replay.operations();
    std::size_t first = 0;
    while (first < operations.size() && operations[first].frame < frame)
        ++first;
    ChangeRecorder recorder(replay, last_draw_state(replay, first));
    replay.seek(first < operations.size() ? operations[first].step : *end);
    replay.set_observer(&recorder);
    while (replay.position() < *end && replay.step())
    {
    }
    replay.set_observer(nullptr);
    Json json;
    json["stream"] = (*opened)->name();
    json["frame"] = frame;
    json["operations"] = Json::array();
    for (std::size_t number = first; number < operations.size() && operations[number].frame == frame;
         ++number)
    {
        Json item = operation_json(operations[number]);
        if (const Json* changes = recorder.changes(number))
            item["changed"] = *changes;
        json["operations"].push_back(std::move(item));
    }
    if (as_json)
    {
        print_json(json, true);
        return kExitSuccess;
    }
    for (const Json& operation : json["operations"])
        std::fputs(operation_line(operation).c_str(), stdout);
    return kExitSuccess;
}

int print_draw(const std::string& stream, u32 frame, u32 draw, bool as_json, const renderer::Options* driver,
               u32 scale)
{
    const auto opened = OpenedReplay::open(stream, scale);
    if (!opened)
        return bad_input(opened.error().message);
    Replay& replay = (*opened)->replay();
    const Result<std::size_t> number = (*opened)->find_draw(frame, draw);
    if (!number)
        return bad_input(number.error().message);
    const std::optional<DrawState> last = last_draw_state(replay, *number);
    std::optional<DrawState> state;
    Json json;
    json["stream"] = (*opened)->name();
    json["frame"] = frame;
    json["draw"] = draw;
    visit_draw(replay, *number,
               [&](const Draw& drawn)
               {
                   state.emplace(replay.gpu().processor());
                   json["state"] = draw_json(drawn);
                   if (last)
                       json["changed"] = changes_json(*last, *state);
                   json["registers"] = registers_json(state->registers);
                   json["vertex_uniforms"] = uniforms_json(state->ports.vertex.uniforms);
                   json["geometry_uniforms"] = uniforms_json(state->ports.geometry.uniforms);
                   json["fixed_attributes"] = fixed_attributes_json(state->ports.fixed);
                   json["tables"] = tables_json(state->ports.luts, drawn.fragment.luts());
               });
    if (driver != nullptr)
    {
        ConsoleReport report;
        const auto pipelines = DrawPipelines::create((*opened)->trace(), *driver, report, scale);
        if (!pipelines)
            return bad_input(pipelines.error().message);
        const Result<Json> told = (*pipelines)->of_operation(replay, *number);
        if (!told)
            return failed(told.error().message);
        json["driver"] = *told;
    }
    if (as_json)
        print_json(json, true);
    else
        print_draw_text(json, *state);
    return kExitSuccess;
}

} // namespace samples
