// SPDX-License-Identifier: MIT
// Textures and memory of `picavk inspect`, without its window: they are what the command line writes, and what the
// pictures show.
#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"
#include "samples/inspect/memory_model.h"
#include "samples/inspect/textures_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace tests;
using pica::u32;
using pica::u8;
using samples::AlphaView;
using samples::Json;
using samples::MemoryLayout;
using samples::MemoryModel;
using samples::MemoryPlace;
using samples::MemoryTurn;
using samples::MemoryView;
using samples::Picture;
using samples::ShownPicture;
using samples::TexturesModel;

namespace
{

Picture opaque(Picture picture)
{
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4)
        picture.rgba[i] = 255;
    return picture;
}

const MemoryPlace& place_named(MemoryModel& memory, const std::string& name)
{
    const auto& places = memory.places();
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&](const MemoryPlace& place) { return place.name == name; });
    REQUIRE_MESSAGE(found != places.end(), name);
    return *found;
}

} // namespace

TEST_CASE("inspect: textures are the files that `picavk dump` writes, with all levels and faces")
{
    for (const char* name : {"t_texture_types", "t_mipmaps", "t_texture_formats"})
    {
        CAPTURE(name);
        const std::string stream = stream_path(name).string();
        const auto model = read_stream(stream);
        TexturesModel textures(*model);
        std::set<std::string> seen;
        for (int draw = 0; draw < 4; ++draw, model->select_draw_after())
        {
            const auto& operation = model->operations()[model->selected()];
            const TemporaryFolder folder;
            const ProgramResult result =
                run_picavk({"dump", stream, "--frame", std::to_string(operation.frame), "--draw",
                            std::to_string(operation.draw), "--out", folder.path().string()});
            REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
            CHECK(textures.draw() == model->selected());
            std::size_t files = 0;
            for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
                files += entry.path().filename().string().rfind("texture", 0) == 0;
            CHECK(textures.textures().size() == files);
            for (const samples::ShownTexture& shown : textures.textures())
            {
                const auto dumped = samples::read_png(folder.file(shown.name + ".png"));
                REQUIRE(dumped);
                CHECK(*dumped == shown.picture);
                seen.insert(shown.name);
                textures.choose(shown.name);
                CHECK(textures.chosen() == &shown);
            }
            textures.choose("no such texture");
            CHECK(textures.chosen() == (files == 0 ? nullptr : &textures.textures().front()));
        }
        if (std::string(name) == "t_texture_types")
            CHECK(seen.count("texture0_minus_z_level2") == 1);
        if (std::string(name) == "t_mipmaps")
            CHECK(seen.count("texture0_level3") == 1);
        model->select(0);
        CHECK_FALSE(textures.draw());
        CHECK(textures.chosen() == nullptr);
    }
}

TEST_CASE("inspect: memory shows each place as the pictures show it, in every format of a texture or target")
{
    std::set<std::string> formats;
    for (const char* name : {"t_texture_formats", "t_texture_types", "t_targets", "t_block32", "t_stereo"})
    {
        CAPTURE(name);
        const auto model = read_stream(stream_path(name).string());
        MemoryModel memory(*model);
        TexturesModel textures(*model);
        const std::size_t draws = model->operations().size();
        for (std::size_t number = 0; number < draws; ++number)
        {
            model->select(number);
            if (number + 1 != draws && !model->operations()[number].is_draw())
                continue;
            for (const ShownPicture& shown : model->pictures())
            {
                const bool screen = shown.kind == ShownPicture::Kind::Screen;
                if (screen && shown.config.address == 0)
                    continue;
                CAPTURE(shown.name);
                memory.show(place_named(memory, screen ? shown.name + " screen" : shown.name).view);
                REQUIRE_MESSAGE(memory.problem().empty(), memory.problem());
                CHECK(opaque(memory.picture()) == shown.picture);
                CHECK(memory.bytes_in_memory() == memory.bytes());
                formats.insert(samples::memory_formats()[memory.view().format].name);
            }
            if (!model->operations()[number].is_draw() || textures.textures().empty())
                continue;
            const samples::ShownTexture& texture = textures.textures().front();
            memory.show(place_named(memory, "texture " + std::to_string(texture.unit)).view);
            CHECK(memory.view().address == texture.address);
            CHECK(memory.picture() == texture.picture);
            formats.insert(samples::memory_formats()[memory.view().format].name);
        }
    }
    for (const samples::MemoryFormat& format : samples::memory_formats())
        if (format.is_picture())
            CHECK_MESSAGE(formats.count(format.name) == 1, format.name);
}

TEST_CASE("inspect: memory as numbers, and turned")
{
    const auto model = read_stream(stream_path("s_triangle").string());
    MemoryModel memory(*model);
    const pica::PhysAddr address = place_named(memory, "array of v0").view.address;
    const auto& guest = model->here().memory();
    const auto show = [&](const char* format, u32 width, u32 height)
    {
        memory.show({address, samples::memory_format(format), MemoryLayout::Rows, MemoryTurn::TopFirst, width,
                     height});
    };
    show("u8", 4, 3);
    char text[64];
    std::snprintf(text, sizeof text, "0x%08X  %02X %02X %02X %02X", address + 4,
                  u32{guest.read8(address + 4)}, u32{guest.read8(address + 5)}, u32{guest.read8(address + 6)},
                  u32{guest.read8(address + 7)});
    CHECK(memory.line(1) == text);
    show("u16", 2, 1);
    std::snprintf(text, sizeof text, "0x%08X  %04X %04X", address, u32{guest.read16(address)},
                  u32{guest.read16(address + 2)});
    CHECK(memory.line(0) == text);
    show("s16", 1, 1);
    CHECK(memory.line(0) ==
          samples::hex(address) + "  " + std::to_string(static_cast<std::int16_t>(guest.read16(address))));
    show("s8", 1, 1);
    CHECK(memory.line(0) ==
          samples::hex(address) + "  " + std::to_string(static_cast<std::int8_t>(guest.read8(address))));
    show("float", 1, 2);
    const float value = std::bit_cast<float>(guest.read32(address + 4));
    CHECK(memory.line(1) == samples::hex(address + 4) + "  " + samples::float_json(value).dump());
    show("u32", 2, 1);
    std::snprintf(text, sizeof text, "0x%08X  %08X %08X", address, guest.read32(address),
                  guest.read32(address + 4));
    CHECK(memory.line(0) == text);

    MemoryView view = place_named(memory, "color").view;
    view.turn = MemoryTurn::TopFirst;
    memory.show(view);
    const Picture top = memory.picture();
    view.turn = MemoryTurn::BottomFirst;
    memory.show(view);
    const Picture bottom = memory.picture();
    REQUIRE(top.width == view.width);
    const std::size_t row = std::size_t{top.width} * 4;
    CHECK(top != bottom);
    for (u32 y = 0; y < top.height; ++y)
        CHECK(std::equal(&top.rgba[y * row], &top.rgba[y * row] + row,
                         &bottom.rgba[(top.height - 1 - y) * row]));
    // The pixel's text names the address where it is.
    view.turn = MemoryTurn::TopFirst;
    view.layout = MemoryLayout::Rows;
    memory.show(view);
    const std::string pixel = memory.pixel_text(3, 2);
    CHECK(pixel.substr(0, 10) == samples::hex(view.address + (2 * view.width + 3) * 4));
    const u8* rgba = &memory.picture().rgba[(2 * std::size_t{view.width} + 3) * 4];
    CHECK(pixel.substr(12) == samples::json_line(Json{rgba[0], rgba[1], rgba[2], rgba[3]}));
}

TEST_CASE("inspect: what cannot be shown of memory is said")
{
    const auto model = read_stream(stream_path("s_triangle").string());
    MemoryModel memory(*model);
    const auto problem = [&](const MemoryView& view)
    {
        memory.show(view);
        CHECK((memory.problem().empty() || memory.picture().rgba.empty()));
        return memory.problem();
    };
    const std::size_t rgba8 = samples::memory_format("RGBA8");
    const auto tiles = MemoryLayout::Tiles;
    const auto top = MemoryTurn::TopFirst;
    CHECK(problem({0x18000000, rgba8, tiles, top, 8, 8}).empty());
    CHECK(problem({0x10000000, rgba8, tiles, top, 8, 8}) == "There is no memory at this address.");
    CHECK(problem({0x18000000, rgba8, tiles, top, 12, 8}) ==
          "The width and the height must be multiples of 8.");
    CHECK(problem({0x18000000, rgba8, MemoryLayout::Blocks, top, 32, 40}) ==
          "The width and the height must be multiples of 32.");
    CHECK(problem({0x18000000, rgba8, tiles, top, 0, 8}) == "The width and the height must be above 0.");
    CHECK_FALSE(problem({0x18000000, rgba8, tiles, top, 8192, 8}).empty());
    CHECK_FALSE(problem({0x18000000, samples::memory_format("ETC1"), MemoryLayout::Rows, top, 8, 8}).empty());
    CHECK_FALSE(problem({0x18000000, samples::memory_format("u8"), tiles, top, 65, 8}).empty());
    // The end of memory, and the end of addresses: what is beyond is 0.
    CHECK(problem({0x18000000 + pica::kVramSize - 256, rgba8, tiles, top, 8, 16}).empty());
    CHECK(memory.bytes() == 512);
    CHECK(memory.bytes_in_memory() == 256);
    CHECK_FALSE(problem({0xFFFFFFF0, rgba8, tiles, top, 8, 16}).empty());
}

TEST_CASE("inspect: alpha is hidden, over squares, or shown alone")
{
    Picture picture{16, 1, std::vector<u8>(64, 200)};
    picture.rgba[3] = 0;
    picture.rgba[7] = 255;
    const auto first = [&](AlphaView view) { return samples::with_alpha(picture, view).rgba; };
    CHECK(first(AlphaView::Hidden)[0] == 200);
    CHECK(first(AlphaView::Hidden)[3] == 255);
    CHECK(first(AlphaView::Alone)[0] == 0);
    CHECK(first(AlphaView::Alone)[4] == 255);
    CHECK(first(AlphaView::Checkered)[0] == 102);
    CHECK(first(AlphaView::Checkered)[4] == 200);
    // The next square is lighter.
    CHECK(first(AlphaView::Checkered)[9 * 4] > first(AlphaView::Checkered)[2 * 4]);
}
