// SPDX-License-Identifier: MIT
// What `picavk inspect` shows, without its window: the selection and the picked pixel agree with the command line.
#include "pica/inspect/pixel_history.h"
#include "pica/soft/software_core.h"
#include "samples/inspect/pixel_model.h"
#include "samples/inspect/state_model.h"
#include "samples/inspect/stream_model.h"
#include "samples/inspect/textures_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace tests;
using pica::u32;
using samples::Json;
using samples::PixelModel;
using samples::ShownPicture;
using samples::StateModel;

TEST_CASE("inspect: the history of a picked pixel is what the command line prints, at every draw of a frame")
{
    const std::string stream = stream_path("s_stencil_outline").string();
    const auto model = read_stream(stream);
    PixelModel pixel(*model);
    for (const auto kind :
         {ShownPicture::Kind::Color, ShownPicture::Kind::Depth, ShownPicture::Kind::Stencil})
        for (int draw = 0; draw < 3; ++draw)
        {
            const auto& operation = model->operations()[model->selected()];
            REQUIRE(operation.is_draw());
            const ShownPicture& shown = picture_of(*model, kind);
            const pica::u32 x = shown.picture.width / 2, y = shown.picture.height / 2;
            REQUIRE(pixel.pick(shown, x, y));
            CHECK(pixel.is_at(shown));
            const auto place = shown.target_pixel(x, y);
            REQUIRE(place);
            const bool color = kind == ShownPicture::Kind::Color;
            const ProgramResult result =
                run_picavk({"pixel", stream, "--frame", std::to_string(operation.frame), "--draw",
                            std::to_string(operation.draw), "--target",
                            samples::hex(color ? shown.target.color_address : shown.target.depth_address),
                            "--x", std::to_string(place->x), "--y", std::to_string(place->row), "--json"});
            REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
            const Json printed = Json::parse(result.output);
            CHECK(printed["address"] == pixel.json()["address"]);
            CHECK(printed["value"] == pixel.json()["value"]);
            CHECK(printed["events"] == pixel.json()["events"]);
            CHECK(pixel.log()["events"].size() == printed["events"].size());
            model->select_draw_after();
        }
}

TEST_CASE("inspect: a picked place stays, its history ends at the selected operation, and pictures are not "
          "disturbed")
{
    const auto model = read_stream(stream_path("s_2d_sprites").string());
    PixelModel pixel(*model);
    model->select(model->operations().size() - 1);
    const ShownPicture screen = picture_of(*model, ShownPicture::Kind::Screen);
    CHECK_FALSE(pixel.pick(screen, screen.picture.width, 0));
    CHECK_FALSE(pixel.picked());
    REQUIRE(pixel.pick(screen, 200, 120));
    const std::size_t events = pixel.history().events.size();
    REQUIRE(events >= 3);
    const auto last = model->pictures();
    // Tracing moves the replay; pictures are of the selected operation all the same.
    model->select(0);
    CHECK(pixel.history().events.size() < events);
    model->select(model->operations().size() - 1);
    CHECK(pixel.history().events.size() == events);
    const auto& again = model->pictures();
    REQUIRE(again.size() == last.size());
    for (std::size_t i = 0; i < last.size(); ++i)
        CHECK(again[i].picture.rgba == last[i].picture.rgba);
    CHECK_FALSE(pixel.pick(screen, screen.picture.width, 0));
    CHECK(pixel.picked()->x == 200);
}

TEST_CASE("inspect: at N times the resolution, pictures are N times as large, and a sample has its history")
{
    const std::string stream = stream_path("s_shadow").string();
    const auto model = read_stream(stream, 2);
    const auto plain = read_stream(stream);
    CHECK(model->scale() == 2);
    PixelModel pixel(*model);
    samples::TexturesModel textures(*model), plain_textures(*plain);
    u32 scaled_textures = 0;
    for (const std::size_t number : {model->operations().size() - 1, model->operations().size() / 2})
    {
        model->select(number);
        plain->select(number);
        REQUIRE(model->pictures().size() == plain->pictures().size());
        for (std::size_t i = 0; i < model->pictures().size(); ++i)
        {
            CHECK(model->pictures()[i].picture.width == 2 * plain->pictures()[i].picture.width);
            CHECK(model->pictures()[i].picture.height == 2 * plain->pictures()[i].picture.height);
        }
        REQUIRE(textures.textures().size() == plain_textures.textures().size());
        for (std::size_t i = 0; i < textures.textures().size(); ++i)
            scaled_textures +=
                textures.textures()[i].picture.width == 2 * plain_textures.textures()[i].picture.width;
    }
    CHECK(scaled_textures > 0);
    model->select(model->last_draw().value());
    const auto& operation = model->operations()[model->selected()];
    const ShownPicture shown = picture_of(*model, ShownPicture::Kind::Color);
    for (const u32 odd : {0u, 1u})
    {
        const u32 x = shown.picture.width / 2 + odd, y = shown.picture.height / 2;
        REQUIRE(pixel.pick(shown, x, y));
        CHECK(pixel.is_at(shown));
        const auto place = shown.target_pixel(x, y);
        REQUIRE(place);
        const ProgramResult result = run_picavk(
            {"pixel", stream, "--frame", std::to_string(operation.frame), "--draw",
             std::to_string(operation.draw), "--target", samples::hex(shown.target.color_address), "--x",
             std::to_string(place->x), "--y", std::to_string(place->row), "--scale", "2", "--json"});
        REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
        const Json printed = Json::parse(result.output);
        CHECK(printed["value"] == pixel.json()["value"]);
        CHECK(printed["sample"] == pixel.json()["sample"]);
        CHECK(printed["events"] == pixel.json()["events"]);
        CHECK(pixel.log()["scale"] == 2);
        // What the picture has there is what the history ends with.
        const pica::PixelPlace at = pixel.picked()->place;
        CHECK(samples::hex(pica::read_place(model->here().memory(), model->here().core().planes(), at)) ==
              pixel.log()["value"]);
    }
}

TEST_CASE("inspect: registers and what changed since the draw before are what the command line prints")
{
    const std::string stream = stream_path("s_stencil_outline").string();
    const auto model = read_stream(stream);
    StateModel state(*model);
    std::size_t changes = 0;
    for (int draw = 0; draw < 4; ++draw)
    {
        const auto& operation = model->operations()[model->selected()];
        const ProgramResult result = run_picavk({"info", stream, "--frame", std::to_string(operation.frame),
                                                 "--draw", std::to_string(operation.draw), "--json"});
        REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
        const Json printed = Json::parse(result.output);
        CHECK(state.draw() == model->selected());
        REQUIRE(state.rows().size() == printed["registers"].size());
        std::size_t row = 0;
        for (const auto& item : printed["registers"].items())
        {
            const std::string& name = item.key();
            const Json& value = item.value();
            CAPTURE(name);
            const samples::StateRow& shown = state.rows()[row++];
            CHECK(shown.name == name);
            CHECK(shown.text.rfind(value["word"].get<std::string>(), 0) == 0);
            const bool changed = printed.contains("changed") && printed["changed"].contains("registers") &&
                                 printed["changed"]["registers"].contains(name);
            CHECK(Json(shown.before) ==
                  (changed ? printed["changed"]["registers"][name]["before"] : Json("")));
            changes += changed;
        }
        Json other = printed.contains("changed") ? printed["changed"] : Json::object();
        other.erase("registers");
        CHECK(state.other_changes() == other);
        state.filter("", true);
        const auto changed = state.shown();
        CHECK(state.log()["changed"].size() == changed.size());
        state.filter("stencil_", false);
        const auto named = state.shown();
        REQUIRE(named.size() == 2);
        CHECK(state.rows()[named[0]].name == "STENCIL_TEST");
        CHECK(state.rows()[named[1]].name == "STENCIL_OP");
        state.filter("", false);
        CHECK(state.shown().size() == state.rows().size());
        model->select_draw_after();
    }
    CHECK(changes > 0);
    model->select(0);
    CHECK_FALSE(state.draw());
    CHECK(state.rows().empty());
}

TEST_CASE(
    "inspect: draws, command lists, frames and operations are gone to, and what there is none of is said")
{
    const auto model = read_stream(stream_path("t_targets").string()); // 32 lists a frame, 62 draws
    const auto& operations = model->operations();
    const auto here = [&]() -> const pica::ReplayOperation& { return operations[model->selected()]; };
    REQUIRE(model->go_to("1 0"));
    CHECK(here().is_draw());
    CHECK(here().frame == 1);
    CHECK(here().draw == 0);
    // On, from list to list of the frame and into the next one; and back.
    std::vector<std::size_t> firsts;
    while (here().frame == 1)
    {
        CHECK((firsts.empty() || here().list > operations[firsts.back()].list));
        firsts.push_back(model->selected());
        const std::size_t before = model->selected();
        model->select_list_after();
        REQUIRE(model->selected() > before);
        CHECK(here().is_draw());
    }
    CHECK(firsts.size() > 10);
    CHECK(here().draw == 0);
    for (std::size_t i = firsts.size(); i-- > 0;)
    {
        model->select_list_before();
        CHECK(model->selected() == firsts[i]);
    }
    // From inside of a list, its own first draw comes first.
    for (const std::size_t first : firsts)
        if (operations[first + 1].is_draw() && operations[first + 1].list == operations[first].list)
        {
            model->select(first + 1);
            model->select_list_before();
            CHECK(model->selected() == first);
        }
    model->select(operations.size() - 1);
    model->select_list_after();
    CHECK(model->selected() == operations.size() - 1);

    REQUIRE(model->go_to(" 2 61 "));
    CHECK((here().frame == 2 && here().draw == 61));
    REQUIRE(model->go_to("0"));
    CHECK((here().frame == 0 && operations[model->selected() + 1].frame == 1));
    REQUIRE(model->go_to("#5"));
    CHECK(model->selected() == 5);
    for (const auto& one : {std::pair{"3", "the last frame is 2"},
                            {"1 62", "frame 1 has 62 draws, from 0"},
                            {"#99999", "the last operation is #"},
                            {"", "a frame, a frame and a draw"},
                            {"-1", "a frame, a frame and a draw"},
                            {"1 2 3", "a frame, a frame and a draw"},
                            {"1 x", "a frame, a frame and a draw"},
                            {"99999999999999999999", "a frame, a frame and a draw"}})
    {
        const auto& text = one.first;
        const auto& error = one.second;
        CAPTURE(text);
        const pica::Status status = model->go_to(text);
        REQUIRE_FALSE(status);
        CHECK_MESSAGE(status.error().message.starts_with(error), status.error().message);
        CHECK(model->selected() == 5);
    }
}
