// SPDX-License-Identifier: MIT
#include "samples/inspect/program_panel.h"

#include "pica/inspect/program_trace.h"
#include "samples/inspect/places.h"
#include "samples/inspect/program_model.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace samples
{

using namespace pica;

namespace
{

using Unit = ProgramModel::Unit;

std::string values_text(const Vec4& values)
{
    return json_line(vector_json(values));
}

} // namespace

void ProgramPanel::draw_choice()
{
    Unit unit = program_.unit();
    u32 number = program_.number();
    if (program_.has_geometry_program())
    {
        if (ImGui::RadioButton("vertex program", unit == Unit::Vertex))
            program_.choose(Unit::Vertex, 0);
        places_.item("unit vertex");
        ImGui::SameLine();
        if (ImGui::RadioButton("geometry program", unit == Unit::Geometry))
            program_.choose(Unit::Geometry, 0);
        places_.item("unit geometry");
        unit = program_.unit();
        number = program_.number();
    }
    ImGui::SetNextItemWidth(130.0f);
    int typed = static_cast<int>(std::min(number, 0x7FFFFFFFu));
    const bool changed = ImGui::InputInt(unit == Unit::Vertex ? "element" : "invocation", &typed);
    places_.item("program number");
    if (changed && typed >= 0 && static_cast<u32>(typed) != number)
        program_.choose(unit, static_cast<u32>(typed));
}

void ProgramPanel::draw_steps()
{
    const std::size_t steps = program_.steps();
    const std::size_t at = program_.position();
    const auto button = [&](const char* label, const char* name, std::size_t target, bool same_line = true)
    {
        if (same_line)
            ImGui::SameLine();
        if (ImGui::Button(label))
            program_.go(target);
        places_.item(name);
    };
    button("|<", "step first", 0, false);
    button("<", "step back", at == 0 ? 0 : at - 1);
    button(">", "step on", at + 1);
    button(">|", "step last", steps);
    ImGui::SameLine();
    ImGui::Text("%zu of %zu executed", at, steps);
    if (program_.executed() > steps)
        ImGui::Text("%llu more are not kept", static_cast<unsigned long long>(program_.executed() - steps));
    int position = static_cast<int>(at);
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::SliderInt("##position", &position, 0, static_cast<int>(steps), ""))
        program_.go(static_cast<std::size_t>(std::max(position, 0)));
    places_.item("step slider");
    if (!program_.agrees())
        ImGui::TextColored({1.0f, 0.45f, 0.4f, 1.0f}, "This does not lead to the software core's values.");
}

void ProgramPanel::draw_listing(float height)
{
    ImGui::TextWrapped("Click: run on to the instruction. Right click: run back.");
    ImGui::BeginChild("listing", {0, height}, true, ImGuiWindowFlags_HorizontalScrollbar);
    const auto next = program_.next_address();
    const bool scrolls = scrolled_to_ != program_.position();
    scrolled_to_ = program_.position();
    for (const ProgramLine& line : program_.lines())
    {
        if (line.after_gap)
            ImGui::TextDisabled("     ...");
        char address[8];
        std::snprintf(address, sizeof address, "%03X", u32{line.address});
        const bool current = next == line.address;
        if (ImGui::Selectable((std::string(address) + "  " + line.text).c_str(), current))
            program_.run_to(line.address);
        if (ImGui::IsItemClicked(1))
            program_.run_back_to(line.address);
        places_.item(std::string("instruction ") + address);
        if (current && scrolls)
            ImGui::SetScrollHereY();
    }
    ImGui::EndChild();
}

void ProgramPanel::draw_last()
{
    const ProgramStep* step = program_.last_step();
    if (step == nullptr)
        return ImGui::TextDisabled("at the start");
    ImGui::TextWrapped("executed %03X  %s", u32{step->pc}, step->text.c_str());
    ImGui::Indent();
    for (u32 n = 0; n < step->source_count; ++n)
        ImGui::TextWrapped("operand %u  %s", n, values_text(step->source[n]).c_str());
    if (step->writes)
        ImGui::TextWrapped("result     %s", values_text(step->result).c_str());
    if (step->is_flow)
        ImGui::TextUnformatted(step->condition ? "the condition holds" : "the condition does not hold");
    if (step->emits)
        ImGui::TextUnformatted("a primitive is complete");
    ImGui::Unindent();
}

void ProgramPanel::draw_bank(char kind, const std::array<Vec4, 16>& bank)
{
    const ProgramStep* step = program_.last_step();
    std::string written;
    if (step != nullptr && step->writes)
        for (const ProgramLine& line : program_.lines())
            if (line.address == step->pc)
                written = line.destination;
    for (u32 n = 0; n < bank.size(); ++n)
    {
        if ((program_.used(kind) >> n & 1) == 0)
            continue;
        const std::string name = kind + std::to_string(n);
        const ImVec4 color =
            name == written ? ImVec4(1.0f, 0.8f, 0.3f, 1.0f) : ImVec4(0.6f, 0.8f, 1.0f, 1.0f);
        ImGui::TextColored(color, "%-4s", name.c_str());
        ImGui::SameLine();
        ImGui::TextUnformatted(values_text(bank[n]).c_str());
    }
}

void ProgramPanel::draw_registers()
{
    const ShaderRegisters& registers = program_.registers();
    const ProgramStep* step = program_.last_step();
    ImGui::Text("a0 %d %d   aL %d   cmp x %d y %d   loops %u, rounds left %u", registers.a0[0],
                registers.a0[1], step != nullptr ? step->al : 0, registers.cmp_x ? 1 : 0,
                registers.cmp_y ? 1 : 0, step != nullptr ? step->loops : 0,
                step != nullptr ? step->loop_remaining : 0);
    ImGui::BeginChild("registers", {0, 0}, true, ImGuiWindowFlags_HorizontalScrollbar);
    draw_bank('v', registers.v);
    draw_bank('r', registers.r);
    draw_bank('o', registers.o);
    ImGui::EndChild();
}

void ProgramPanel::draw()
{
    if (!program_.draw())
    {
        ImGui::TextWrapped("No draw up to the selected operation.");
        return;
    }
    draw_choice();
    if (!program_.problem().empty())
    {
        ImGui::TextWrapped("%s", program_.problem().c_str());
        return;
    }
    draw_steps();
    draw_listing(ImGui::GetContentRegionAvail().y * 0.4f);
    draw_last();
    draw_registers();
}

} // namespace samples
