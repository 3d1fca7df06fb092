// SPDX-License-Identifier: MIT
// Any range of memory after the selected operation, as a picture or as numbers in any format. Knows nothing of the window.
// Tests: tests/cli/inspect_memory_models_test.cpp.
#pragma once

#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace samples
{

struct MemoryFormat
{
    enum class Kind : pica::u8
    {
        Color,    // in any layout
        Texture,  // in 8x8 tiles
        Depth,    // grey, from the lowest code to the highest
        Stencil,  // likewise
        Unsigned, // the rest: numbers
        Signed,
        Float,
    };
    const char* name;
    Kind kind;
    pica::u8 code; // of pica's enumeration
    pica::u8 bits; // of a pixel or number

    bool is_picture() const { return kind < Kind::Unsigned; }
};
std::span<const MemoryFormat> memory_formats();
// Its place in memory_formats(). The name must be there.
std::size_t memory_format(const std::string& name);

enum class MemoryLayout : pica::u8
{
    Tiles,  // 8x8, Morton order
    Blocks, // 32x32
    Rows,
};
constexpr const char* kMemoryLayouts[] = {"8x8 tiles", "32x32 blocks", "rows"};

enum class MemoryTurn : pica::u8
{
    TopFirst, // the first row in memory is at the top, as textures are shown
    BottomFirst,
    AsScreens, // rows become columns from left to right
};
constexpr const char* kMemoryTurns[] = {"first row on top", "first row at the bottom", "turned as screens"};

struct MemoryView
{
    pica::PhysAddr address = 0x18000000;
    std::size_t format = 0;
    MemoryLayout layout = MemoryLayout::Tiles;
    MemoryTurn turn = MemoryTurn::AsScreens;
    // Pixels of a row in memory, and rows; numbers of a line, and lines.
    pica::u32 width = 240, height = 400;

    bool operator==(const MemoryView&) const = default;
};

struct MemoryPlace
{
    std::string name;
    MemoryView view;
};

class MemoryModel
{
public:
    static constexpr pica::u32 kMostSide = 4096;      // of pictures
    static constexpr pica::u32 kMostLines = 1u << 16; // of numbers
    static constexpr pica::u32 kMostNumbers = 64;     // of a line

    explicit MemoryModel(StreamModel& model) : model_(model) {}

    const MemoryView& view() const { return view_; }
    void show(const MemoryView& view) { view_ = view; }
    // What the selected operation and the last draw use: targets, screens, textures, indices, vertex arrays.
    const std::vector<MemoryPlace>& places();

    // Why nothing is shown; empty: it is.
    const std::string& problem();
    // Empty for numbers. Bytes outside of memory are 0.
    const Picture& picture();
    // Changes whenever the picture may have.
    pica::u64 picture_revision();
    // "0x18000010: 64 128 255 32": a pixel of the picture.
    std::string pixel_text(pica::u32 x, pica::u32 y);
    // The numbers of a line, after its address.
    std::string line(pica::u32 number);
    // Of the range.
    pica::u64 bytes();
    pica::u64 bytes_in_memory();

    // What `--log` writes.
    Json log();

private:
    const MemoryFormat& format() const { return memory_formats()[view_.format]; }
    void find();
    void find_problem();
    void make_picture();
    pica::SurfacePixel in_memory(pica::u32 x, pica::u32 y) const;
    pica::u64 offset_of(const pica::SurfacePixel& pixel) const;
    // A colour as RGBA8, or a code of depth or stencil.
    pica::u32 word_at(const pica::SurfacePixel& pixel) const;
    void add_place(const std::string& name, MemoryView view);
    void add_draw_places(std::size_t number);

    StreamModel& model_;
    MemoryView view_;
    MemoryView found_for_;
    pica::u64 found_at_ = 0; // revision of the model
    pica::u64 picture_revision_ = 0;
    std::string problem_;
    std::vector<pica::u8> bytes_; // the range, with 0 for what is outside
    pica::u64 known_bytes_ = 0;
    Picture picture_;
    pica::u64 placed_at_ = 0; // revision
    std::vector<MemoryPlace> places_;
};

} // namespace samples
