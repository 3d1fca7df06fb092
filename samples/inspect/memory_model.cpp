// SPDX-License-Identifier: MIT
#include "samples/inspect/memory_model.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/enum_names.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace samples
{

using namespace pica;

namespace
{

using Kind = MemoryFormat::Kind;

template <typename Format>
constexpr MemoryFormat make(const char* name, Kind kind, Format format, u8 bits)
{
    return {name, kind, static_cast<u8>(format), bits};
}

constexpr MemoryFormat kFormats[] = {
    make("RGBA8", Kind::Color, ColorFormat::RGBA8, 32),
    make("RGB8", Kind::Color, ColorFormat::RGB8, 24),
    make("RGB5A1", Kind::Color, ColorFormat::RGB5A1, 16),
    make("RGB565", Kind::Color, ColorFormat::RGB565, 16),
    make("RGBA4", Kind::Color, ColorFormat::RGBA4, 16),
    make("IA8", Kind::Texture, TextureFormat::IA8, 16),
    make("HILO8", Kind::Texture, TextureFormat::HILO8, 16),
    make("I8", Kind::Texture, TextureFormat::I8, 8),
    make("A8", Kind::Texture, TextureFormat::A8, 8),
    make("IA4", Kind::Texture, TextureFormat::IA4, 8),
    make("I4", Kind::Texture, TextureFormat::I4, 4),
    make("A4", Kind::Texture, TextureFormat::A4, 4),
    make("ETC1", Kind::Texture, TextureFormat::ETC1, 4),
    make("ETC1A4", Kind::Texture, TextureFormat::ETC1A4, 8),
    make("D16", Kind::Depth, DepthFormat::D16, 16),
    make("D24", Kind::Depth, DepthFormat::D24, 24),
    make("D24S8 depth", Kind::Depth, DepthFormat::D24S8, 32),
    make("D24S8 stencil", Kind::Stencil, DepthFormat::D24S8, 32),
    make("u8", Kind::Unsigned, 0, 8),
    make("u16", Kind::Unsigned, 0, 16),
    make("u32", Kind::Unsigned, 0, 32),
    make("s8", Kind::Signed, 0, 8),
    make("s16", Kind::Signed, 0, 16),
    make("s32", Kind::Signed, 0, 32),
    make("float", Kind::Float, 0, 32),
};

constexpr u32 kUnitOf[] = {8, 32, 1}; // side of a tile or block, by layout

// By PixelFormat, whose codes above 4 are as RGBA4.
const char* screen_format_name(PixelFormat format)
{
    static constexpr const char* kNames[] = {"RGBA8", "RGB8", "RGB565", "RGB5A1", "RGBA4"};
    return kNames[std::min(static_cast<std::size_t>(format), std::size(kNames) - 1)];
}

bool is_grey(Kind kind)
{
    return kind == Kind::Depth || kind == Kind::Stencil;
}

} // namespace

std::span<const MemoryFormat> memory_formats()
{
    return kFormats;
}

std::size_t memory_format(const std::string& name)
{
    const auto found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                    [&](const MemoryFormat& format) { return name == format.name; });
    return static_cast<std::size_t>(found - std::begin(kFormats));
}

void MemoryModel::add_place(const std::string& name, MemoryView view)
{
    if (view.address != 0 && view.format < std::size(kFormats))
        places_.push_back({name, view});
}

void MemoryModel::add_draw_places(std::size_t number)
{
    visit_draw(
        model_.replay(), number,
        [&](const Draw& draw)
        {
            for (u32 unit = 0; unit < draw.texture.size(); ++unit)
                if (draw.fragment.texture[unit].samples())
                {
                    const TextureBinding& binding = draw.texture[unit];
                    const bool cube = draw.fragment.texture[unit].is_cube();
                    add_place("texture " + std::to_string(unit),
                              {cube ? draw.cube_faces[0] : binding.address,
                               memory_format(std::string(format_name(binding.format))), MemoryLayout::Tiles,
                               MemoryTurn::TopFirst, binding.width, binding.height});
                }
            const VertexSource& source = draw.source;
            if (source.indexed != 0)
                add_place("indices", {source.index_address, memory_format(source.index16 != 0 ? "u16" : "u8"),
                                      MemoryLayout::Rows, MemoryTurn::TopFirst, 3, (source.count + 2) / 3});
            for (u32 reg = 0; reg < source.input.size(); ++reg)
            {
                static constexpr const char* kTypes[] = {"s8", "u8", "s16", "float"};
                const FetchInput& input = source.input[reg];
                const auto type = static_cast<u32>(input.type);
                if (input.source != FetchInput::Source::Memory || type >= std::size(kTypes))
                    continue;
                const std::size_t format = memory_format(kTypes[type]);
                const u32 line = std::max(u32{input.stride} * 8 / kFormats[format].bits, 1u);
                const u32 lines = std::clamp(source.count, 1u, kMostLines);
                add_place("array of v" + std::to_string(reg),
                          {input.address, format, MemoryLayout::Rows, MemoryTurn::TopFirst, line, lines});
            }
        });
}

const std::vector<MemoryPlace>& MemoryModel::places()
{
    if (placed_at_ == model_.revision())
        return places_;
    placed_at_ = model_.revision();
    places_.clear();
    for (const ShownPicture& shown : model_.pictures())
    {
        const RenderTarget& target = shown.target;
        const MemoryLayout layout = target.block32 != 0 ? MemoryLayout::Blocks : MemoryLayout::Tiles;
        MemoryView view = {0, 0, layout, MemoryTurn::AsScreens, target.width, target.height};
        const std::string depth_name(name_or_number(kDepthFormatNames, u32(target.depth_format)));
        switch (shown.kind)
        {
        case ShownPicture::Kind::Screen:
        {
            if (shown.config.stride <= 0)
                continue; // no rows one after the other
            const u32 pixel = bytes_per_pixel(shown.config.format);
            view = {shown.config.address,
                    memory_format(screen_format_name(shown.config.format)),
                    MemoryLayout::Rows,
                    MemoryTurn::AsScreens,
                    static_cast<u32>(shown.config.stride) / pixel,
                    shown.config.width};
            break;
        }
        case ShownPicture::Kind::Color:
            view.address = target.color_address;
            view.format = memory_format(name_or_number(kColorFormatNames, u32(target.color_format)));
            break;
        case ShownPicture::Kind::Depth:
            view.address = target.depth_address;
            view.format = memory_format(depth_name == "D24S8" ? "D24S8 depth" : depth_name);
            break;
        case ShownPicture::Kind::Stencil:
            view.address = target.depth_address;
            view.format = memory_format("D24S8 stencil");
            break;
        }
        add_place(shown.kind == ShownPicture::Kind::Screen ? shown.name + " screen" : shown.name, view);
    }
    if (const std::optional<std::size_t> draw = model_.last_draw())
        add_draw_places(*draw);
    return places_;
}

const std::string& MemoryModel::problem()
{
    find();
    return problem_;
}

const Picture& MemoryModel::picture()
{
    find();
    return picture_;
}

u64 MemoryModel::picture_revision()
{
    find();
    return picture_revision_;
}

u64 MemoryModel::bytes()
{
    find();
    return bytes_.size();
}

u64 MemoryModel::bytes_in_memory()
{
    find();
    return known_bytes_;
}

void MemoryModel::find()
{
    if (found_at_ == model_.revision() && found_for_ == view_)
        return;
    found_at_ = model_.revision();
    found_for_ = view_;
    ++picture_revision_;
    picture_ = {};
    bytes_.clear();
    known_bytes_ = 0;
    find_problem();
    if (!problem_.empty())
        return;
    const u64 size = (u64{view_.width} * view_.height * format().bits + 7) / 8;
    bytes_.assign(static_cast<std::size_t>(size), 0);
    const GuestMemory& memory = model_.here().memory();
    memory.for_each_part(view_.address, size,
                         [&](PhysAddr begin, std::span<u8> part)
                         {
                             std::memcpy(&bytes_[begin - view_.address], part.data(), part.size());
                             known_bytes_ += part.size();
                         });
    if (known_bytes_ == 0)
        problem_ = "There is no memory at this address.";
    else if (format().is_picture())
        make_picture();
}

void MemoryModel::find_problem()
{
    problem_.clear();
    const bool picture = format().is_picture();
    const u32 unit = kUnitOf[static_cast<u32>(view_.layout)];
    if (view_.width == 0 || view_.height == 0)
        problem_ = "The width and the height must be above 0.";
    else if (picture && (view_.width > kMostSide || view_.height > kMostSide))
        problem_ = "The width and the height may be " + std::to_string(kMostSide) + " at most.";
    else if (!picture && (view_.width > kMostNumbers || view_.height > kMostLines))
        problem_ = "A line may have " + std::to_string(kMostNumbers) + " numbers, and there may be " +
                   std::to_string(kMostLines) + " lines.";
    else if (format().kind == Kind::Texture && view_.layout != MemoryLayout::Tiles)
        problem_ = std::string("The format ") + format().name + " exists in 8x8 tiles only.";
    else if (picture && (view_.width % unit != 0 || view_.height % unit != 0))
        problem_ = "The width and the height must be multiples of " + std::to_string(unit) + ".";
}

SurfacePixel MemoryModel::in_memory(u32 x, u32 y) const
{
    switch (view_.turn)
    {
    case MemoryTurn::TopFirst:
        return {x, y};
    case MemoryTurn::BottomFirst:
        return {x, view_.height - 1 - y};
    default:
        return {view_.width - 1 - y, x};
    }
}

u64 MemoryModel::offset_of(const SurfacePixel& pixel) const
{
    const u64 number = view_.layout == MemoryLayout::Tiles    ? tiled_index(pixel.x, pixel.row, view_.width)
                       : view_.layout == MemoryLayout::Blocks ? block32_index(pixel.x, pixel.row, view_.width)
                                                              : u64{pixel.row} * view_.width + pixel.x;
    return number * format().bits / 8;
}

u32 MemoryModel::word_at(const SurfacePixel& pixel) const
{
    const MemoryFormat& format = this->format();
    if (format.kind == Kind::Texture)
        return decode_texel(bytes_, static_cast<TextureFormat>(format.code), view_.width, pixel.x, pixel.row);
    const u8* bytes = &bytes_[static_cast<std::size_t>(offset_of(pixel))];
    if (format.kind == Kind::Color)
        return unpack_pixel(static_cast<ColorFormat>(format.code), bytes);
    const u32 word = unpack_depth(static_cast<DepthFormat>(format.code), bytes);
    return format.kind == Kind::Stencil ? word >> 24 : word & 0xFFFFFF;
}

void MemoryModel::make_picture()
{
    const bool turned = view_.turn == MemoryTurn::AsScreens;
    const u32 width = turned ? view_.height : view_.width, height = turned ? view_.width : view_.height;
    std::vector<u32> words(std::size_t{width} * height);
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
            words[std::size_t{y} * width + x] = word_at(in_memory(x, y));
    if (is_grey(format().kind))
    {
        const auto [least, most] = std::minmax_element(words.begin(), words.end());
        const u32 darkest = *least, span = std::max(*most - *least, 1u);
        for (u32& word : words)
        {
            const u32 grey = static_cast<u32>(u64{word - darkest} * 255 / span);
            word = make_rgba(grey, grey, grey, 255);
        }
    }
    picture_ = to_picture(width, height, words);
}

std::string MemoryModel::pixel_text(u32 x, u32 y)
{
    find();
    const SurfacePixel pixel = in_memory(x, y);
    const u32 word = word_at(pixel);
    // Of ETC1 the pixel itself has no address. What is shown is that of the tile.
    const bool compressed = std::string(format().name).rfind("ETC1", 0) == 0;
    const SurfacePixel place = compressed ? SurfacePixel{pixel.x & ~7u, pixel.row & ~7u} : pixel;
    std::string text = hex(view_.address + static_cast<u32>(offset_of(place))) + ": ";
    if (is_grey(format().kind))
        return text + hex(word);
    return text + json_line(color_json(word));
}

std::string MemoryModel::line(u32 number)
{
    find();
    const MemoryFormat& format = this->format();
    const u32 count = format.bits / 8u;
    const std::size_t begin = std::size_t{number} * view_.width * count;
    std::string text = hex(view_.address + static_cast<u32>(begin)) + " ";
    for (u32 i = 0; i < view_.width; ++i)
    {
        u32 code = 0;
        for (u32 byte = 0; byte < count; ++byte)
            code |= u32{bytes_[begin + i * count + byte]} << (8 * byte);
        char word[32];
        if (format.kind == Kind::Float)
            std::snprintf(word, sizeof word, " %s", json_line(float_json(std::bit_cast<f32>(code))).c_str());
        else if (format.kind == Kind::Signed)
            std::snprintf(word, sizeof word, " %d",
                          static_cast<s32>(code << (32 - format.bits)) >> (32 - format.bits));
        else
            std::snprintf(word, sizeof word, " %0*X", static_cast<int>(count * 2), code);
        text += word;
    }
    return text;
}

Json MemoryModel::log()
{
    find();
    Json json = {{"operation", model_.selected()},
                 {"address", hex(view_.address)},
                 {"format", format().name},
                 {"layout", kMemoryLayouts[static_cast<u32>(view_.layout)]},
                 {"size", {view_.width, view_.height}},
                 {"bytes", bytes_.size()},
                 {"in_memory", known_bytes_}};
    if (!problem_.empty())
        json["problem"] = problem_;
    return json;
}

} // namespace samples
