// SPDX-License-Identifier: MIT
#include "samples/inspect/pixel_model.h"

#include "pica/inspect/pixel_history.h"
#include "pica/memory/guest_memory.h"
#include "samples/cli/pixel_json.h"

#include <utility>

namespace samples
{

using namespace pica;

PixelModel::PixelModel(StreamModel& model) : model_(model), history_(std::make_unique<PixelHistory>()) {}

PixelModel::~PixelModel() = default;

bool PixelModel::pick(const ShownPicture& shown, u32 x, u32 y)
{
    const std::optional<PixelPlace> place = shown.place(x, y);
    if (!place || model_.here().memory().span(place->address, place->bytes).empty())
        return false;
    picked_ = PickedPixel{shown.name, x, y, *place};
    found_ = false;
    return true;
}

bool PixelModel::is_at(const ShownPicture& shown) const
{
    return picked_ && picked_->picture == shown.name && shown.place(picked_->x, picked_->y) == picked_->place;
}

void PixelModel::find()
{
    if (!picked_ || (found_ && found_at_ == model_.revision()))
        return;
    found_ = true;
    found_at_ = model_.revision();
    const u32 end = model_.operations()[model_.selected()].step + 1;
    auto histories = trace_pixels(model_.replay(), {&picked_->place, 1}, end);
    *history_ = std::move(histories.front());
    json_ = pixel_history_json(model_.replay(), *history_);
}

const PixelHistory& PixelModel::history()
{
    find();
    return *history_;
}

const Json& PixelModel::json()
{
    find();
    return json_;
}

std::string PixelModel::event_line(std::size_t event)
{
    const Json& json = this->json()["events"][event];
    std::string line = "frame " + json["frame"].dump() + " ";
    if (json["kind"] == "draw")
        line += "draw " + json["draw"].dump() + ": " + std::to_string(json["fragments"].size()) +
                (json["fragments"].size() == 1 ? " fragment, " : " fragments, ");
    else
        line += json["kind"].get<std::string>() + ": ";
    if (json.contains("before"))
        line += json["before"].get<std::string>() + " to ";
    return line + json["after"].get<std::string>();
}

std::optional<std::size_t> PixelModel::current_event()
{
    const auto& events = history().events;
    if (!picked_ || events.empty())
        return std::nullopt;
    return events.size() - 1; // the history ends at the selected operation
}

Json PixelModel::log()
{
    if (!picked_)
        return nullptr;
    Json lines = Json::array();
    for (std::size_t event = 0; event < history().events.size(); ++event)
        lines.push_back(event_line(event));
    Json json = {{"operation", model_.selected()},
                 {"picture", picked_->picture},
                 {"x", picked_->x},
                 {"y", picked_->y},
                 {"address", hex(picked_->place.address)},
                 {"value", hex(history().word)},
                 {"events", std::move(lines)}};
    if (model_.scale() != 1)
        json["scale"] = model_.scale();
    return json;
}

} // namespace samples
