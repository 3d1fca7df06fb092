// SPDX-License-Identifier: MIT
// A guest that draws a picture, edits it with the CPU and uploads it again, frame by frame, at three times the
// resolution: what the CPU wrote is 1x, all the rest is as sharp as it was (pica/design.md, "N times the resolution").
#include "pica/base/float24.h"
#include "pica/memory/guest_arena.h"
#include "pica/regs/external.h"
#include "pica/texture/morton.h"
#include "renderer/embed/context.h"
#include "tests/support/kept_report.h"
#include "tests/support/message_of.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/plain_state.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

using namespace tests;
using namespace pica;
using renderer::ContextBackend;

namespace
{

constexpr u32 kN = 3;
constexpr u32 kWidth = 240, kHeight = 400; // as pictures lie in memory
constexpr u32 kTileBytes = 256;            // 8x8 pixels of RGBA8
constexpr PhysAddr kPicture = kVramBase;
constexpr PhysAddr kCopy = kVramBase + 0x80000; // 64x64 pixels, as a texture
constexpr PhysAddr kShown = kVramBase + 0x100000;
constexpr PhysAddr kVertices = kFcramBase;
constexpr PhysAddr kList = kFcramBase + 0x10000;
// Tiles that the CPU edits in place: the first ones of row 20, which an edge of the triangle crosses.
constexpr u32 kEditedRow = 20, kEditedTiles = 30;
constexpr u32 kQuadX = 160, kQuadY = 300; // where the copy is drawn

struct Vertex
{
    std::array<f32, 4> position, color, texcoord;
};

Vertex vertex(f32 x, f32 y, f32 u = 0, f32 v = 0)
{
    return {{x / (kWidth / 2) - 1, y / (kHeight / 2) - 1, -0.5f, 1}, {1, 0.5f, 0.25f, 1}, {u, v, 0, 0}};
}

// How the host tells of the CPU's writes.
enum class Announces
{
    Exactly,
    WholePages, // as hosts with page faults do: whole pages, in part of which nothing was written
};

class EditingGuest
{
public:
    EditingGuest(ContextBackend backend, Announces announces) : announces_(announces)
    {
        renderer::ContextOptions options;
        options.backend = backend;
        options.scale = kN;
        options.regions = {{kVramBase, vram_}, {kFcramBase, fcram_}};
        auto made = renderer::Context::create(std::move(options), report_);
        REQUIRE_MESSAGE(made, message_of(made));
        context = std::move(*made);
        context->write_register(ext::PDC_ADDRESS_A::ids[0], kShown);
        context->write_register(ext::PDC_FORMAT::ids[0], 1); // RGB8
        context->write_register(ext::PDC_STRIDE::ids[0], kWidth * 3);
    }

    u8* at(PhysAddr address)
    {
        return address >= kFcramBase ? &fcram_[address - kFcramBase] : &vram_[address - kVramBase];
    }
    void write(PhysAddr address, const void* bytes, std::size_t size)
    {
        context->will_write(address, static_cast<u32>(size));
        std::memcpy(at(address), bytes, size);
        if (announces_ == Announces::Exactly)
            context->did_write(address, static_cast<u32>(size));
        else
            context->mark_written(address, static_cast<u32>(size));
    }
    // textured: with the copy, nearest.
    void draw(const std::vector<Vertex>& vertices, bool textured)
    {
        CommandListBuilder list;
        ProgramBuilder program;
        for (u32 i = 0; i < 3; ++i)
            program.mov(o(i), v(i));
        program.end();
        list.upload_vertex_program(program.words(), program.descriptors(), 0);
        list.set(reg::SH_OUTMAP_TOTAL::count, 3);
        list.write_consecutive(reg::SH_OUTMAP_O::id, std::array{0x03020100u, 0x0B0A0908u, 0x1F1F0D0Cu});
        list.set(reg::VSH_OUTMAP_MASK::mask, 7);
        list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 2);
        list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 2);
        list.set(reg::ATTRIBBUFFERS_LOC::base, kVertices >> 4);
        list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xFFF);
        list.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, 2);
        list.write(reg::ATTRIBBUFFER_CONFIG1::id, 0x210);
        list.set(reg::ATTRIBBUFFER_CONFIG2::stride, static_cast<u32>(sizeof(Vertex)));
        list.set(reg::ATTRIBBUFFER_CONFIG2::count, 3);
        list.set(reg::VSH_NUM_ATTR::count_minus_1, 2);
        list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 2);
        list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
        list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x210);
        write_plain_state(list);
        list.set(reg::TEXENV_SOURCE::color_1,
                 textured ? CombinerSource::Texture0 : CombinerSource::PrimaryColor, 0);
        list.set(reg::TEXUNIT_ADDR::address, kCopy >> 3, 0);
        list.set(reg::TEXUNIT_DIM::width, 64, 0);
        list.set(reg::TEXUNIT_DIM::height, 64, 0);
        list.set(reg::TEXUNIT_TYPE::format, TextureFormat::RGBA8, 0);
        list.set(reg::TEXUNIT_CONFIG::enable0, textured);
        list.set(reg::COLORBUFFER_LOC::address, kPicture >> 3);
        list.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
        list.set(reg::FRAMEBUFFER_DIM::width, kWidth);
        list.set(reg::FRAMEBUFFER_DIM::height_minus_1, kHeight - 1);
        list.set(reg::FRAMEBUFFER_DIM::flip, false); // row 0 of memory is y 0
        list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(kWidth / 2.0f));
        list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(kHeight / 2.0f));
        list.draw_arrays(Topology::TriangleList, 0, static_cast<u32>(vertices.size()));
        const std::vector<u32> words = list.finish();
        write(kVertices, vertices.data(), vertices.size() * sizeof(Vertex));
        write(kList, words.data(), words.size() * 4);
        context->submit_command_list(kList, static_cast<u32>(words.size()) * 4);
    }
    // The picture as it is shown: a row of N x pixels of the result is one of memory.
    std::vector<u32> show()
    {
        const u32 size = kWidth | kHeight << 16;
        context->display_transfer(kPicture, kShown, size, size, 1u << 12); // to RGB8
        std::vector<u32> rgba(context->screen_size(Screen::Top).pixels());
        REQUIRE(context->read_screen(Screen::Top, rgba));
        constexpr u32 kColumns = kWidth * kN, kRows = kHeight * kN;
        std::vector<u32> shown(rgba.size());
        for (u32 row = 0; row < kRows; ++row)
            for (u32 x = 0; x < kColumns; ++x)
                shown[std::size_t{row} * kColumns + x] = rgba[std::size_t{kColumns - 1 - x} * kRows + row];
        return shown;
    }

private:
    Announces announces_;
    KeptReport report_;
    std::vector<u8> vram_ = std::vector<u8>(2u << 20), fcram_ = std::vector<u8>(1u << 20);

public:
    std::unique_ptr<renderer::Context> context;
};

// Are the N x N samples of a pixel the same?
bool is_1x(const std::vector<u32>& shown, u32 x, u32 y)
{
    const auto at = [&](u32 i, u32 j) { return shown[std::size_t{y * kN + j} * kWidth * kN + x * kN + i]; };
    bool same = true;
    for (u32 k = 1; k < kN * kN; ++k)
        same = same && at(k % kN, k / kN) == at(0, 0);
    return same;
}

u32 sharp_pixels(const std::vector<u32>& shown, u32 x1, u32 y1, u32 x2, u32 y2)
{
    u32 sharp = 0;
    for (u32 y = y1; y < y2; ++y)
        for (u32 x = x1; x < x2; ++x)
            sharp += !is_1x(shown, x, y);
    return sharp;
}

// RGB of a pixel of memory.
u32 color_in(const u8* pixel)
{
    return u32{pixel[3]} | u32{pixel[2]} << 8 | u32{pixel[1]} << 16;
}

// Plays three frames and looks at each. Returns all that was shown.
std::vector<u32> play(ContextBackend backend, Announces announces)
{
    EditingGuest guest(backend, announces);
    std::vector<u32> all;
    for (u32 frame = 0; frame < 3; ++frame)
    {
        CAPTURE(frame);
        guest.context->memory_fill(kPicture, kPicture + kWidth * kHeight * 4, 0x203040FF, FillWidth::Bits32);
        const f32 move = static_cast<f32>(frame) * 5;
        guest.draw({vertex(3 + move, 2), vertex(230, 150 + move), vertex(20, 390)}, false);
        const std::vector<u32> drawn = guest.show();
        constexpr u32 kTop = kEditedRow * 8;
        CHECK(sharp_pixels(drawn, 0, kTop, kWidth, kTop + 8) != 0);
        CHECK(sharp_pixels(drawn, 0, 0, kWidth, kTop) > 100);

        // The CPU reads 64 tiles, inverts them, and uploads them as a texture; and it edits a row of tiles in place.
        std::vector<u8> tiles(64 * kTileBytes);
        guest.context->will_read(kPicture, static_cast<u32>(tiles.size()));
        std::memcpy(tiles.data(), guest.at(kPicture), tiles.size());
        for (u8& byte : tiles)
            byte = static_cast<u8>(~byte);
        guest.write(kCopy, tiles.data(), tiles.size());
        constexpr PhysAddr kEdited = kPicture + kEditedRow * (kWidth / 8) * kTileBytes;
        constexpr u32 kEditedBytes = kEditedTiles * kTileBytes;
        guest.context->will_write(kEdited, kEditedBytes);
        std::vector<u8> edited(guest.at(kEdited), guest.at(kEdited) + kEditedBytes);
        for (u8& byte : edited)
            byte = static_cast<u8>(byte ^ 0x55);
        guest.write(kEdited, edited.data(), edited.size());

        const f32 x = kQuadX, y = kQuadY;
        const Vertex corners[4] = {vertex(x, y, 0, 0), vertex(x + 64, y, 1, 0), vertex(x + 64, y + 64, 1, 1),
                                   vertex(x, y + 64, 0, 1)};
        guest.draw({corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]}, true);
        const std::vector<u32> shown = guest.show();
        u32 wrong = 0;
        for (u32 j = 0; j < 64; ++j) // t counts upwards, rows of the texture's memory downwards
            for (u32 i = 0; i < 64; ++i)
                wrong += !is_1x(shown, kQuadX + i, kQuadY + j) ||
                         (shown[std::size_t{(kQuadY + j) * kN} * kWidth * kN + (kQuadX + i) * kN] &
                          0xFFFFFF) != color_in(&tiles[tiled_offset(i, 63 - j, 64, 4)]);
        CHECK(wrong == 0);
        for (u32 j = 0; j < 8; ++j)
            for (u32 i = 0; i < kWidth; ++i)
                wrong += !is_1x(shown, i, kTop + j) ||
                         (shown[std::size_t{(kTop + j) * kN} * kWidth * kN + i * kN] & 0xFFFFFF) !=
                             color_in(&edited[tiled_offset(i, j, kWidth, 4)]);
        CHECK(wrong == 0);
        // All the rest is as it was.
        for (u32 j = 0; j < kHeight * kN; ++j)
            for (u32 i = 0; i < kWidth * kN; ++i)
            {
                const bool in_quad =
                    i / kN >= kQuadX && i / kN < kQuadX + 64 && j / kN >= kQuadY && j / kN < kQuadY + 64;
                const bool in_row = j / kN >= kTop && j / kN < kTop + 8;
                const std::size_t at = std::size_t{j} * kWidth * kN + i;
                wrong += !in_quad && !in_row && shown[at] != drawn[at];
            }
        CHECK(wrong == 0);
        all.insert(all.end(), shown.begin(), shown.end());
        guest.context->end_frame();
    }
    return all;
}

} // namespace

TEST_CASE("edited picture: what the CPU wrote is 1x, and the rest is as it was drawn")
{
    const std::vector<u32> first = play(ContextBackend::Software, Announces::Exactly);
    // Every backend that draws at N gives the same, and to every host.
    for (const ContextBackend backend :
         {ContextBackend::Software, ContextBackend::Vulkan, ContextBackend::Validate})
        for (const Announces announces : {Announces::Exactly, Announces::WholePages})
        {
            CAPTURE(static_cast<int>(backend));
            CAPTURE(static_cast<int>(announces));
            CHECK(play(backend, announces) == first);
        }
}
