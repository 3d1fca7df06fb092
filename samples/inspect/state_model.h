// SPDX-License-Identifier: MIT
// The registers that the last draw up to the selected operation found, and what changed since the draw before it. Knows
// nothing of the window. Tests: tests/cli/inspect_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace samples
{

struct StateRow
{
    std::string name;   // of the register
    std::string text;   // its word and fields
    std::string before; // the word that the draw before found; empty: the same one, or there is no such draw
};

class StateModel
{
public:
    explicit StateModel(StreamModel& model) : model_(model) {}

    // Nothing: no draw up to the selected operation.
    std::optional<std::size_t> draw();
    const std::vector<StateRow>& rows();
    // text: a part of names, in small or large letters.
    void filter(const std::string& text, bool only_changed);
    // Rows that the filter lets through.
    std::vector<std::size_t> shown();
    // Uniforms, fixed attributes and tables that changed: changes_json() without registers.
    const Json& other_changes();
    // What `--log` writes.
    Json log();

private:
    void find();

    StreamModel& model_;
    pica::u64 found_at_ = 0; // revision
    std::optional<std::size_t> draw_;
    std::vector<StateRow> rows_;
    std::string wanted_;
    bool only_changed_ = false;
    Json other_ = Json::object();
};

} // namespace samples
