// SPDX-License-Identifier: MIT
// The tables of the last draw as plots, with what the picked pixel's fragments read.
#pragma once

#include <string>

namespace samples
{

class Places;
class TablesModel;
struct ShownTable;

class TablesPanel
{
public:
    TablesPanel(TablesModel& tables, Places& places) : tables_(tables), places_(places) {}

    // Fills the current ImGui window.
    void draw();
    const std::string& chosen() const { return chosen_; }

private:
    void draw_list();
    void draw_plot(const ShownTable& table, float height);
    void draw_marks(const ShownTable& table);

    TablesModel& tables_;
    Places& places_;
    std::string chosen_; // name of the table
};

} // namespace samples
