// SPDX-License-Identifier: MIT
// The tables of lighting, fog, gas and procedural textures that the last draw finds, as curves; and where the fragments
// of the picked pixel read those of lighting. Knows nothing of the window. Tests:
// tests/cli/inspect_draw_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace samples
{

class PixelModel;

struct TableCurve
{
    const char* name; // of a channel; empty: the only one
    // Two points an entry: its value, and where its difference leads at the next entry.
    std::vector<std::array<pica::f32, 2>> points;
};

struct ShownTable
{
    std::string name;
    bool is_read = false; // by the draw
    pica::u32 entries = 0;
    pica::f32 first_x = 0; // the input of the first entry; the last one ends at 1
    std::vector<TableCurve> curves;
};

// A lookup of a fragment of the picked pixel. x and y are those of the curve.
struct TableMark
{
    pica::f32 x = 0, y = 0;
    std::string text;
};

class TablesModel
{
public:
    TablesModel(StreamModel& model, PixelModel& pixel) : model_(model), pixel_(pixel) {}

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    // Those that the draw reads come first. Values of lighting tables have the draw's scale.
    const std::vector<ShownTable>& tables();
    // Of the table, if the draw has drawn the picked pixel.
    std::vector<TableMark> marks(const std::string& table);

    // What `--log` writes.
    Json log(const std::string& table);

private:
    void find();

    StreamModel& model_;
    PixelModel& pixel_;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    std::vector<ShownTable> tables_;
};

} // namespace samples
