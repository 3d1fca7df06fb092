// SPDX-License-Identifier: MIT
#include "samples/inspect/state_model.h"

#include "pica/command/gpu.h"
#include "samples/cli/state_json.h"

#include <algorithm>
#include <cctype>

namespace samples
{

using namespace pica;

void StateModel::find()
{
    if (found_at_ == model_.revision())
        return;
    found_at_ = model_.revision();
    rows_.clear();
    other_ = Json::object();
    draw_ = model_.last_draw();
    if (!draw_)
        return;
    Replay& replay = model_.replay();
    const std::optional<DrawState> before = last_draw_state(replay, *draw_);
    std::optional<DrawState> now;
    visit_draw(replay, *draw_, [&](const Draw&) { now.emplace(replay.gpu().processor()); });
    Json changed = Json::object();
    if (before)
        other_ = changes_json(*before, *now);
    if (other_.contains("registers"))
    {
        changed = other_["registers"];
        other_.erase("registers");
    }
    const Json registers = registers_json(now->registers);
    for (const auto& [name, value] : registers.items())
    {
        StateRow row{name, value["word"].get<std::string>(), {}};
        if (value.contains("fields"))
            for (const auto& [field, number] : value["fields"].items())
                row.text += "  " + field + " " + json_line(number);
        if (changed.contains(name))
            row.before = changed[name]["before"].get<std::string>();
        rows_.push_back(std::move(row));
    }
}

std::optional<std::size_t> StateModel::draw()
{
    find();
    return draw_;
}

const std::vector<StateRow>& StateModel::rows()
{
    find();
    return rows_;
}

const Json& StateModel::other_changes()
{
    find();
    return other_;
}

void StateModel::filter(const std::string& text, bool only_changed)
{
    wanted_ = text;
    std::transform(wanted_.begin(), wanted_.end(), wanted_.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    only_changed_ = only_changed;
}

std::vector<std::size_t> StateModel::shown()
{
    find();
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if ((!only_changed_ || !rows_[row].before.empty()) &&
            rows_[row].name.find(wanted_) != std::string::npos)
            rows.push_back(row);
    return rows;
}

Json StateModel::log()
{
    if (!draw())
        return nullptr;
    Json changed = Json::array();
    for (const StateRow& row : rows_)
        if (!row.before.empty())
            changed.push_back(row.name);
    return {{"operation", *draw_},
            {"registers", rows_.size()},
            {"shown", shown().size()},
            {"changed", std::move(changed)}};
}

} // namespace samples
