// SPDX-License-Identifier: MIT
// Breakpoints of `picavk inspect`, without its window: forwards and back they stop at just the operations at which a search
// through all of them finds what they name.
#include "pica/inspect/draw_state.h"
#include "pica/memory/guest_memory.h"
#include "samples/inspect/breakpoints_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace tests;
using pica::u32;
using samples::Breakpoint;
using samples::BreakpointsModel;
using samples::Json;
using samples::StreamModel;
using Kind = Breakpoint::Kind;

namespace
{

// Where the search stops, one after the other.
std::vector<std::size_t> stops(StreamModel& model, BreakpointsModel& breakpoints, bool forwards)
{
    std::vector<std::size_t> found;
    for (;;)
    {
        breakpoints.start(forwards);
        CHECK(breakpoints.is_searching());
        while (breakpoints.search(std::chrono::milliseconds(50)))
            continue;
        if (breakpoints.result().rfind("No ", 0) == 0)
            return found;
        CHECK(breakpoints.result().rfind("Stopped by ", 0) == 0);
        found.push_back(model.selected());
    }
}

// The operations for which `picavk info` prints what `is_so` looks for.
template <typename IsSo>
std::vector<std::size_t> expected(const std::string& stream, const StreamModel& model, const IsSo& is_so)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < model.operations().size(); ++i)
    {
        const auto& operation = model.operations()[i];
        if (!operation.is_draw())
            continue;
        const ProgramResult result = run_picavk({"info", stream, "--frame", std::to_string(operation.frame),
                                                 "--draw", std::to_string(operation.draw), "--json"});
        REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
        if (is_so(Json::parse(result.output)))
            found.push_back(i);
    }
    return found;
}

// Of the colour buffer.
pica::PhysAddr middle_of(StreamModel& model)
{
    const samples::ShownPicture& shown = picture_of(model, samples::ShownPicture::Kind::Color);
    const auto place = shown.place(shown.picture.width / 2, shown.picture.height / 2);
    REQUIRE(place);
    return place->address;
}

void check_stops(StreamModel& model, Kind kind, const std::string& text, std::vector<std::size_t> wanted)
{
    CAPTURE(text);
    BreakpointsModel breakpoints(model);
    REQUIRE(breakpoints.add(kind, text));
    model.select(0);
    const bool at_first = !wanted.empty() && wanted.front() == 0;
    if (at_first)
        wanted.erase(wanted.begin()); // where it starts
    CHECK(!wanted.empty());
    CHECK(stops(model, breakpoints, true) == wanted);
    model.select(model.operations().size() - 1);
    if (!wanted.empty() && wanted.back() == model.selected())
        wanted.pop_back();
    if (at_first)
        wanted.insert(wanted.begin(), 0);
    std::reverse(wanted.begin(), wanted.end());
    CHECK(stops(model, breakpoints, false) == wanted);
    breakpoints.enable(0, false);
    CHECK(stops(model, breakpoints, true).empty());
}

} // namespace

TEST_CASE("inspect: breakpoints on a register and on the state of a draw stop where `picavk info` says so")
{
    const std::string stream = stream_path("s_stencil_outline").string();
    const auto model = read_stream(stream);
    const auto changed = [](const Json& draw)
    {
        return draw.contains("changed") && draw["changed"].contains("registers") &&
               draw["changed"]["registers"].contains("STENCIL_OP");
    };
    check_stops(*model, Kind::Register, "stencil_op", expected(stream, *model, changed));
    std::string word;
    const auto first_word = [&](const Json& draw)
    {
        const std::string now = draw["registers"]["STENCIL_OP"]["word"];
        if (word.empty())
            word = now;
        return now == word;
    };
    const std::vector<std::size_t> same = expected(stream, *model, first_word);
    check_stops(*model, Kind::Register, "STENCIL_OP = " + word, same);
    const auto state = [](const Json& draw)
    { return samples::json_text(draw["state"]).find("stencil_test=1") != std::string::npos; };
    check_stops(*model, Kind::State, "Stencil_Test=1", expected(stream, *model, state));
}

TEST_CASE("inspect: a breakpoint on an address stops at each operation that changes the word there")
{
    for (const char* name : {"s_stencil_outline", "t_transfers", "s_2d_sprites"})
    {
        CAPTURE(name);
        const auto model = read_stream(stream_path(name).string());
        model->select(model->operations().size() - 1);
        const pica::PhysAddr address = middle_of(*model);
        std::vector<std::size_t> wanted;
        u32 last = 0;
        for (std::size_t i = 0; i < model->operations().size(); ++i)
        {
            model->select(i);
            // What shares a step with the next operation is executed with it.
            const bool is_last_of_step = i + 1 == model->operations().size() ||
                                         model->operations()[i + 1].step != model->operations()[i].step;
            const u32 now = model->here().memory().read32(address);
            if (now != last && is_last_of_step)
                wanted.push_back(i);
            last = is_last_of_step ? now : last;
        }
        check_stops(*model, Kind::Written, samples::hex(address), wanted);
    }
}

TEST_CASE(
    "inspect: a breakpoint on an address that is read stops at the draws with its texture, and at transfers")
{
    const std::string stream = stream_path("t_texture_formats").string();
    const auto model = read_stream(stream);
    const auto uses = [](const Json& draw)
    {
        const Json& state = draw["state"];
        return state.contains("textures") && state["textures"][0].contains("address") &&
               state["textures"][0]["address"] == "0x20804800";
    };
    const auto draws = expected(stream, *model, uses);
    REQUIRE(!draws.empty());
    BreakpointsModel breakpoints(*model);
    REQUIRE(breakpoints.add(Kind::Read, "0x20804804"));
    model->select(0);
    std::vector<std::size_t> found = stops(*model, breakpoints, true);
    std::erase_if(found, [&](std::size_t i) { return !model->operations()[i].is_draw(); });
    CHECK(found == draws);
    breakpoints.remove(0);
    REQUIRE(breakpoints.add(Kind::Read, "0x18000040"));
    model->select(0);
    found = stops(*model, breakpoints, true);
    std::vector<std::size_t> transfers;
    for (std::size_t i = 0; i < model->operations().size(); ++i)
        if (std::holds_alternative<pica::DisplayTransfer>(model->operations()[i].what))
            transfers.push_back(i);
    CHECK(!transfers.empty());
    CHECK(found == transfers);
}

TEST_CASE(
    "inspect: what is no register, value or address is said, and the first of several breakpoints stops")
{
    const auto model = read_stream(stream_path("s_triangle").string());
    BreakpointsModel breakpoints(*model);
    const auto problem = [&](Kind kind, const char* text)
    {
        const pica::Status added = breakpoints.add(kind, text);
        return added ? std::string() : added.error().message;
    };
    CHECK(problem(Kind::Register, "NO_SUCH") == "There is no register \"NO_SUCH\".");
    CHECK(problem(Kind::Register, "0x400") == "There is no register \"0x400\".");
    CHECK(problem(Kind::Register, "0x0C0=five") == "The value is no number.");
    CHECK(problem(Kind::Written, "here") == "The address is no number.");
    CHECK(problem(Kind::State, "  ") == "There is no text.");
    CHECK(breakpoints.breakpoints().empty());
    CHECK(problem(Kind::State, "TriangleStrip and no such thing").empty());
    CHECK(problem(Kind::State, "TriangleList").empty());
    model->select(0);
    CHECK(stops(*model, breakpoints, true).size() ==
          std::size_t(std::count_if(model->operations().begin(), model->operations().end(),
                                    [](const pica::ReplayOperation& o) { return o.is_draw(); })));
    CHECK(breakpoints.log()["result"] == "No breakpoint further on.");
    breakpoints.start(false);
    while (breakpoints.search(std::chrono::milliseconds(50)))
        continue;
    CHECK(breakpoints.log()["result"] == "Stopped by draw state: TriangleList");
}
