// SPDX-License-Identifier: MIT
// The engines (pica/hardware/engines.md): one rendered picture goes through display transfers and texture
// copies and comes back as a texture; fills of all widths. Every cell names what was done to it.
#include "pica/texture/pixel.h"
#include "tests/streams/pictures.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

constexpr u32 kSize = 64;
constexpr u32 kSizes = kSize << 16 | kSize;
constexpr u32 kFlip = 1, kToTiled = 2, kCrop = 4, kRaw = 0x20, kHalveX = 1 << 24, kHalveXY = 2 << 24;
constexpr std::array<const char*, 5> kFormats = {"RGBA8", "RGB8", "RGB565", "RGB5A1", "RGBA4"};

constexpr u32 formats(u32 input, u32 output)
{
    return input << 8 | output << 12;
}
// Engine numbering to texture numbering: 2 and 3 are exchanged.
TextureFormat texture_format(u32 pixel_format)
{
    constexpr std::array<u32, 5> kOrder = {0, 1, 3, 2, 4};
    return static_cast<TextureFormat>(kOrder[pixel_format]);
}

struct Cell
{
    std::string name;
    SceneTexture texture;
};

class Transfers
{
public:
    explicit Transfers(StreamScene& scene_) : scene(scene_)
    {
        linear_ = scene.allocate_vram(256 * 256 * 4);
        picture_ = scene.make_target(kSize, kSize, ColorFormat::RGBA8, DepthFormat::D24S8);
        for (PhysAddr& address : tiled_)
            address = scene.allocate_vram(kSize * kSize * 4);
        const TextureImage image = landscape(kSize);
        for (u32 y = 0; y < kSize; ++y)
            for (u32 x = 0; x < kSize; ++x)
            {
                const u32 rgba = image.at(x, y);
                rows_.insert(rows_.end(), {255, u8(blue(rgba)), u8(green(rgba)), u8(red(rgba))});
            }
        upload_ = scene.load(rows_);
        land_ = scene.texture(TextureFormat::RGB565, image);
    }

    void write_frame(u32 frame)
    {
        cells_.clear();
        draw_picture(f32(frame) * 0.05f);
        for (u32 format = 0; format < 5; ++format)
            through(kFormats[format], formats(0, format), kSizes, format, kSize, kSize);
        through("FLIP", kFlip | formats(0, 1), kSizes, 1, kSize, kSize);
        through("HALVE X", kHalveX | formats(0, 2), kSizes, 2, kSize / 2, kSize);
        through("HALVE XY", kHalveXY | formats(0, 0), kSizes, 0, kSize / 2, kSize / 2);
        through("CROP", kCrop | formats(0, 0), kSize << 16 | 32, 0, 32, kSize);
        raw("TILED COPY");
        upload("LINEAR IN");
        copy("COPY", 0, 0, frame);
        copy("GAPS", 1, 1, frame);
        fill("FILL 16", ColorFormat::RGBA4, make_rgba(255, 128, 64 + 60 * frame, 255));
        fill("FILL 24/32", frame % 2 == 0 ? ColorFormat::RGB8 : ColorFormat::RGBA8,
             make_rgba(40, 160, 90 + 50 * frame, 255));
        show(frame);
    }

private:
    PhysAddr next() { return tiled_[cells_.size()]; }

    void draw_picture(f32 turn)
    {
        scene.use_target(picture_);
        scene.clear(picture_, make_rgba(255, 255, 255, 255), 0xFFFFFF);
        scene.plain_state();
        scene.standard_program();
        scene.matrix_2d();
        scene.bind_texture(0, land_);
        scene.sprite(0, 0, kSize, kSize);
        scene.list.set(reg::TEXUNIT_CONFIG::enable0, false);
        scene.combine(0, CombinerOp::Replace, CombinerSource::PrimaryColor);
        const f32 x = 30 + 20 * cosine(turn), y = 40 + 12 * sine(turn);
        const std::array<StreamVertex, 3> triangle = {{{x - 14, y + 12, 0, 255, 40, 40, 255, 0, 0},
                                                       {x + 14, y + 12, 0, 255, 255, 40, 255, 0, 0},
                                                       {x, y - 14, 0, 60, 40, 255, 255, 0, 0}}};
        scene.draw(triangle);
        scene.submit();
    }
    void add(const std::string& name, u32 width, u32 height, TextureFormat format)
    {
        cells_.push_back({name, {next(), width, height, format, 1}});
    }
    // Tiled picture to a linear buffer, then back to tiles in the same format.
    void through(const std::string& name, u32 flags, u32 output_size, u32 format, u32 width, u32 height)
    {
        scene.trace.display_transfer(picture_.color, linear_, kSizes, output_size, flags);
        const u32 size = height << 16 | width;
        scene.trace.display_transfer(linear_, next(), size, size, kToTiled | formats(format, format));
        add(name, width, height, texture_format(format));
    }
    void raw(const std::string& name)
    {
        scene.trace.display_transfer(picture_.color, next(), kSizes, kSizes, kRaw | formats(0, 4));
        add(name, kSize, kSize, TextureFormat::RGBA4);
    }
    void upload(const std::string& name)
    {
        scene.trace.display_transfer(upload_, next(), kSizes, kSizes, kToTiled | formats(0, 2));
        add(name, kSize, kSize, TextureFormat::RGB565);
    }
    // Tile rows of 64 pixels are 2048 bytes: with gaps every second one moves, and they close up.
    void copy(const std::string& name, u32 input_gap, u32 output_gap, u32 frame)
    {
        scene.trace.memory_fill(next(), next() + kSize * kSize * 4, 0x406080FF, 0x200);
        const u32 row = kSize * 8 * 4 / 16; // in units of 16 bytes
        const u32 in = input_gap != 0 ? row << 16 | row : 0;
        const u32 out = output_gap != 0 ? (frame % 2 == 0 ? row / 2 << 16 | row / 2 : row << 16 | row) : 0;
        scene.trace.texture_copy(picture_.color, next(), kSize * kSize * 4 / (input_gap != 0 ? 2 : 1), in,
                                 out);
        add(name, kSize, kSize, TextureFormat::RGBA8);
    }
    void fill(const std::string& name, ColorFormat format, u32 rgba)
    {
        const FillValue value = fill_value(format, rgba);
        const u32 bytes = value.width == FillWidth::Bits16 ? 2 : value.width == FillWidth::Bits24 ? 3 : 4;
        // The last eighth keeps what is below it.
        scene.trace.memory_fill(next(), next() + kSize * kSize * 4, 0, 0x200);
        scene.trace.memory_fill(next(), next() + kSize * kSize * bytes / 8 * 7, value.value,
                                u32(value.width) << 8);
        add(name, kSize, kSize, static_cast<TextureFormat>(format));
    }
    void show(u32 frame)
    {
        scene.begin_screen(Screen::Top, 0x18202C + 0x080800 * frame);
        for (u32 i = 0; i < cells_.size(); ++i)
        {
            const f32 x = 8 + f32(i % 5) * 80, y = 4 + f32(i / 5) * 80;
            scene.bind_texture(0, cells_[i].texture);
            scene.sprite(x, y, f32(cells_[i].texture.width), f32(cells_[i].texture.height));
            scene.label(x + 32 - f32(cells_[i].name.size()) * 3, y + 67, cells_[i].name);
        }
        scene.end_screen();
        scene.end_frame();
    }

    StreamScene& scene;
    SceneTarget picture_;
    SceneTexture land_;
    PhysAddr linear_ = 0, upload_ = 0;
    std::array<PhysAddr, 15> tiled_{};
    std::vector<u8> rows_;
    std::vector<Cell> cells_;
};

const GeneratedStream kTransfers("t_transfers",
                                 [](StreamScene& scene)
                                 {
                                     Transfers transfers(scene);
                                     for (u32 frame = 0; frame < 3; ++frame)
                                         transfers.write_frame(frame);
                                 });

} // namespace

} // namespace tests
