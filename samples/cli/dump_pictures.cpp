// SPDX-License-Identifier: MIT
#include "samples/cli/dump_pictures.h"

#include "pica/inspect/pixel_source.h"
#include "pica/memory/guest_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"
#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"

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

// The bytes of a plane, or of guest memory where there are none. room: kept as long as the result.
std::span<const u8> plane_bytes(const GuestMemory& memory, const PlaneMemory* planes, u32 plane,
                                PhysAddr address, u32 size, std::vector<u8>& room)
{
    const std::span<const u8> bytes = memory.span(address, size);
    if (planes == nullptr || bytes.empty())
        return bytes;
    room.resize(size);
    planes->load(plane, address, room);
    return room;
}

// Pictures of one target.
class TargetReader
{
public:
    TargetReader(const RenderTarget& target, const GuestMemory& memory, const PlaneMemory* planes)
        : target_(target), memory_(memory), planes_(planes), scale_(scale_of(planes))
    {
    }

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
    // A word for each pixel, N x N for one of the guest; empty if the buffer is not in memory.
    template <typename Unpack>
    std::vector<u32> read(bool depth, const Unpack& unpack) const
    {
        std::vector<u32> words;
        for (u32 plane = 0; plane < scale_ * scale_; ++plane)
            read_plane(depth, plane, words, unpack);
        return words;
    }

    template <typename Unpack>
    void read_plane(bool depth, u32 plane, std::vector<u32>& words, const Unpack& unpack) const
    {
        const PhysAddr address = depth ? target_.depth_address : target_.color_address;
        std::vector<u8> room;
        const std::span<const u8> bytes = plane_bytes(
            memory_, planes_, plane, address, depth ? target_.depth_bytes() : target_.color_bytes(), room);
        if (bytes.empty())
            return;
        const std::size_t width = std::size_t{target_.width} * scale_;
        words.resize(width * target_.height * scale_);
        // Planes count rows as they lie in memory.
        const u32 j = plane / scale_, up = target_.flip != 0 ? scale_ - 1 - j : j;
        for (u32 y = 0; y < target_.height; ++y)
            for (u32 x = 0; x < target_.width; ++x)
            {
                const PixelPlace place = target_place(target_, x, y, depth);
                const u64 offset = place.address - address;
                const u32 row = (target_.height - y) * scale_ - 1 - up;
                if (offset + place.bytes <= bytes.size())
                    words[row * width + x * scale_ + plane % scale_] = unpack(&bytes[offset]);
            }
    }

    template <typename Color>
    void add(const std::string& name, const std::vector<u32>& words, const Color& color)
    {
        std::vector<u32> rgba(words.size());
        std::transform(words.begin(), words.end(), rgba.begin(), color);
        result_.pictures.push_back({name, to_picture(target_.width * scale_, target_.height * scale_, rgba)});
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
    const PlaneMemory* planes_;
    u32 scale_;
    TargetPictures result_;
};

// planes: null for a texture that is sampled as at 1x.
void add_levels(const std::string& name, PhysAddr address, const TextureBinding& binding,
                const GuestMemory& memory, const PlaneMemory* planes, std::vector<NamedPicture>& pictures)
{
    const u32 n = scale_of(planes);
    for (u32 level = 0; level < binding.levels; ++level)
    {
        const u32 width = level_dimension(binding.width, level);
        const u32 height = level_dimension(binding.height, level);
        const u64 begin = address + level_offset(binding.format, binding.width, binding.height, level);
        const u64 size = level_size(binding.format, width, height);
        if (begin + size > u64{1} << 32)
            continue;
        const u32 known = memory.clamp_size(static_cast<PhysAddr>(begin), static_cast<u32>(size));
        std::vector<u32> texels(std::size_t{width} * height), rows(texels.size() * n * n);
        std::vector<u8> room;
        for (u32 plane = 0; plane < n * n; ++plane)
        {
            decode_texture(plane_bytes(memory, planes, plane, static_cast<PhysAddr>(begin), known, room),
                           binding.format, width, height, texels.data());
            // Row 0 of the picture is that with the highest t, as in memory.
            u32* const corner = &rows[std::size_t{plane / n} * width * n + plane % n];
            for (u32 row = 0; row < height; ++row)
                for (u32 x = 0; x < width; ++x)
                    corner[std::size_t{row} * n * width * n + x * n] =
                        texels[std::size_t{height - 1 - row} * width + x];
        }
        pictures.push_back({name + "_level" + std::to_string(level), to_picture(width * n, height * n, rows),
                            static_cast<PhysAddr>(begin)});
    }
}

} // namespace

u32 scale_of(const PlaneMemory* planes)
{
    return planes != nullptr ? planes->scale() : 1;
}

TargetPictures target_pictures(const RenderTarget& target, const std::string& when, const GuestMemory& memory,
                               const PlaneMemory* planes)
{
    TargetReader reader(target, memory, planes);
    reader.add_color("color_" + when);
    if (target.has_depth != 0)
        reader.add_depth(when);
    return reader.take();
}

std::vector<NamedPicture> texture_pictures(const Draw& draw, const GuestMemory& memory,
                                           const PlaneMemory* planes)
{
    static constexpr std::array kFaces = {"plus_x", "minus_x", "plus_y", "minus_y", "plus_z", "minus_z"};
    std::vector<NamedPicture> pictures;
    const std::array<bool, 3> scaled = planes != nullptr
                                           ? scaled_units(planes->tracker(), memory, draw, planes->scale())
                                           : std::array<bool, 3>{};
    for (u32 unit = 0; unit < draw.texture.size(); ++unit)
    {
        const TextureUnitKey& key = draw.fragment.texture[unit];
        const std::string name = "texture" + std::to_string(unit);
        if (!key.samples())
            continue;
        const PlaneMemory* const of_unit = scaled[unit] ? planes : nullptr;
        if (!key.is_cube())
            add_levels(name, draw.texture[unit].address, draw.texture[unit], memory, of_unit, pictures);
        else
            for (std::size_t face = 0; face < kFaces.size(); ++face)
                add_levels(name + "_" + kFaces[face], draw.cube_faces[face], draw.texture[unit], memory,
                           of_unit, pictures);
    }
    return pictures;
}

} // namespace samples
