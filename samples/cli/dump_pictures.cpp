// SPDX-License-Identifier: MIT
#include "samples/cli/dump_pictures.h"

#include "pica/inspect/pixel_source.h"
#include "pica/memory/guest_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <array>
#include <span>

namespace samples
{

namespace
{

using namespace pica;

constexpr u32 kOpaque = 0xFF000000;

u32 grey(u32 value)
{
    return make_rgba(value, value, value, 255);
}

// Pictures of one target.
class TargetReader
{
public:
    TargetReader(const RenderTarget& target, const GuestMemory& memory) : target_(target), memory_(memory) {}

    TargetPictures take() { return std::move(result_); }

    void add_color(const std::string& name)
    {
        const std::vector<u32> words =
            read(false, [&](const u8* pixel) { return unpack_pixel(target_.color_format, pixel); });
        if (words.empty())
            return;
        add(name, words, [](u32 word) { return word | kOpaque; });
        if (has_alpha(target_.color_format))
            add(name + "_alpha", words, [](u32 word) { return grey(alpha(word)); });
    }

    void add_depth(const std::string& when)
    {
        const std::vector<u32> words =
            read(true, [&](const u8* pixel) { return unpack_depth(target_.depth_format, pixel); });
        if (words.empty())
            return;
        add_codes("depth_" + when, words, [](u32 word) { return word & 0xFFFFFF; });
        if (target_.depth_format == DepthFormat::D24S8)
            add_codes("stencil_" + when, words, [](u32 word) { return word >> 24; });
    }

private:
    // A word for each pixel; empty if the buffer is not in memory.
    template <typename Unpack>
    std::vector<u32> read(bool depth, const Unpack& unpack) const
    {
        const PhysAddr address = depth ? target_.depth_address : target_.color_address;
        const std::span<const u8> bytes =
            memory_.span(address, depth ? target_.depth_bytes() : target_.color_bytes());
        std::vector<u32> words(bytes.empty() ? 0 : std::size_t{target_.width} * target_.height);
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            const u32 y = target_.height - 1u - static_cast<u32>(i / target_.width);
            const PixelPlace place = target_place(target_, static_cast<u32>(i % target_.width), y, depth);
            const u64 offset = place.address - address;
            if (offset + place.bytes <= bytes.size())
                words[i] = unpack(&bytes[offset]);
        }
        return words;
    }

    template <typename Color>
    void add(const std::string& name, const std::vector<u32>& words, const Color& color)
    {
        std::vector<u32> rgba(words.size());
        std::transform(words.begin(), words.end(), rgba.begin(), color);
        result_.pictures.push_back({name, to_picture(target_.width, target_.height, rgba)});
    }

    template <typename Code>
    void add_codes(const std::string& name, const std::vector<u32>& words, const Code& code)
    {
        GreyRange range{name, ~0u, 0};
        for (const u32 word : words)
        {
            range.darkest = std::min(range.darkest, code(word));
            range.lightest = std::max(range.lightest, code(word));
        }
        const u32 span = std::max(range.lightest - range.darkest, 1u);
        add(name, words,
            [&](u32 word) { return grey(static_cast<u32>(u64{code(word) - range.darkest} * 255 / span)); });
        add(name + "_code", words,
            [&](u32 word)
            {
                const u32 value = code(word);
                return make_rgba(value >> 16, value >> 8 & 255, value & 255, 255);
            });
        result_.ranges.push_back(range);
    }

    const RenderTarget& target_;
    const GuestMemory& memory_;
    TargetPictures result_;
};

void add_levels(const std::string& name, PhysAddr address, const TextureBinding& binding,
                const GuestMemory& memory, std::vector<NamedPicture>& pictures)
{
    for (u32 level = 0; level < binding.levels; ++level)
    {
        const u32 width = level_dimension(binding.width, level);
        const u32 height = level_dimension(binding.height, level);
        const u64 begin = address + level_offset(binding.format, binding.width, binding.height, level);
        const u64 size = level_size(binding.format, width, height);
        if (begin + size > u64{1} << 32)
            continue;
        const u32 known = memory.clamp_size(static_cast<PhysAddr>(begin), static_cast<u32>(size));
        std::vector<u32> texels(std::size_t{width} * height);
        decode_texture(memory.span(static_cast<PhysAddr>(begin), known), binding.format, width, height,
                       texels.data());
        std::vector<u32> rows;
        for (u32 row = height; row-- > 0;)
            rows.insert(rows.end(), texels.begin() + std::ptrdiff_t{row} * width,
                        texels.begin() + std::ptrdiff_t{row + 1} * width);
        pictures.push_back({name + "_level" + std::to_string(level), to_picture(width, height, rows),
                            static_cast<PhysAddr>(begin)});
    }
}

} // namespace

TargetPictures target_pictures(const RenderTarget& target, const std::string& when, const GuestMemory& memory)
{
    TargetReader reader(target, memory);
    reader.add_color("color_" + when);
    if (target.has_depth != 0)
        reader.add_depth(when);
    return reader.take();
}

std::vector<NamedPicture> texture_pictures(const Draw& draw, const GuestMemory& memory)
{
    static constexpr std::array kFaces = {"plus_x", "minus_x", "plus_y", "minus_y", "plus_z", "minus_z"};
    std::vector<NamedPicture> pictures;
    for (u32 unit = 0; unit < draw.texture.size(); ++unit)
    {
        const TextureUnitKey& key = draw.fragment.texture[unit];
        const std::string name = "texture" + std::to_string(unit);
        if (!key.samples())
            continue;
        if (!key.is_cube())
            add_levels(name, draw.texture[unit].address, draw.texture[unit], memory, pictures);
        else
            for (std::size_t face = 0; face < kFaces.size(); ++face)
                add_levels(name + "_" + kFaces[face], draw.cube_faces[face], draw.texture[unit], memory,
                           pictures);
    }
    return pictures;
}

} // namespace samples
