// SPDX-License-Identifier: MIT
// The pixel that was picked in `picavk inspect`, and its history up to the selected operation. Knows nothing of the
// window. Tests: tests/cli/inspect_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <memory>
#include <optional>
#include <string>

namespace pica
{
struct PixelHistory;
}

namespace samples
{

// The place in memory stays picked when another operation is selected. Where it was picked need not show it any more.
struct PickedPixel
{
    std::string picture;
    pica::u32 x = 0, y = 0; // in the picture
    pica::PixelPlace place;
};

class PixelModel
{
public:
    explicit PixelModel(StreamModel& model);
    ~PixelModel();
    PixelModel(const PixelModel&) = delete;
    PixelModel& operator=(const PixelModel&) = delete;

    // Returns false, and keeps what was picked, if the picture shows no memory there.
    bool pick(const ShownPicture& shown, pica::u32 x, pica::u32 y);
    const std::optional<PickedPixel>& picked() const { return picked_; }
    // Does the picture show the picked place where it was picked?
    bool is_at(const ShownPicture& shown) const;

    // Of the picked pixel. It takes as long as playing the stream up to the selected operation.
    const pica::PixelHistory& history();
    // The same as `picavk pixel --json` prints it.
    const Json& json();
    // "frame 0 draw 3: 2 fragments, 0x00000000 to 0xFF0000FF"
    std::string event_line(std::size_t event);
    // The last event at the selected operation, or before it. Nothing: there are no events.
    std::optional<std::size_t> current_event();
    // What `--log` writes.
    Json log();

private:
    void find();

    StreamModel& model_;
    std::optional<PickedPixel> picked_;
    bool found_ = false;
    pica::u64 found_at_ = 0; // revision
    std::unique_ptr<pica::PixelHistory> history_;
    Json json_;
};

} // namespace samples
