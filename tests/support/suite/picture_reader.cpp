// SPDX-License-Identifier: MIT
#include "tests/support/suite/picture_reader.h"

#include "pica/texture/pixel.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tests
{

namespace
{

bool is_same_picture(const RenderTarget& a, const RenderTarget& b)
{
    return a.color_address == b.color_address && a.width == b.width && a.height == b.height &&
           a.color_format == b.color_format && a.flip == b.flip && a.block32 == b.block32;
}

} // namespace

void PictureReader::before(const Draw& draw)
{
    if (draw.fragment.output == OutputClass::None)
        return;
    if (has_picture_ && !is_same_picture(picture_, draw.target))
    {
        transfer();
        output_classes_ = 0;
    }
    picture_ = draw.target;
    has_picture_ = true;
    output_classes_ |= 1u << u32(draw.fragment.output);
}

void PictureReader::finish()
{
    if (!has_picture_)
        return;
    transfer();
    sample();
    has_picture_ = false;
    output_classes_ = 0;
}

void PictureReader::see(std::string_view kind)
{
    for (u32 output = 0; output < kOutputClasses; ++output)
        if ((output_classes_ >> output & 1) != 0)
            coverage_.note(kind, u32(picture_.color_format) * kOutputClasses + output, true);
}

// Tiles of 8x8 in memory, none of them in the ring.
bool PictureReader::is_readable() const
{
    const u64 end = u64{picture_.color_address} + picture_.color_bytes();
    return picture_.block32 == 0 && picture_.width != 0 && picture_.height != 0 &&
           ((picture_.width | picture_.height) & 7) == 0 &&
           (end <= ring_ || picture_.color_address >= ring_ + ring_bytes_) &&
           !lockstep_.memory().span(picture_.color_address, picture_.color_bytes()).empty();
}

// As many as the ring takes.
u32 PictureReader::rows() const
{
    return std::min<u32>(picture_.height, ring_bytes_ / (u32{picture_.width} * 4) & ~7u);
}

PhysAddr PictureReader::take(u32 bytes)
{
    if (used_ + bytes > ring_bytes_)
    {
        lockstep_.compare_range(ring_, used_);
        used_ = 0;
    }
    const PhysAddr address = ring_ + used_;
    used_ += bytes;
    return address;
}

void PictureReader::transfer()
{
    if (!is_readable() || rows() == 0)
        return;
    DisplayTransfer transfer;
    transfer.input = picture_.color_address;
    transfer.input_width = transfer.output_width = picture_.width;
    transfer.input_height = transfer.output_height = u16(rows());
    transfer.input_format = to_pixel_format(picture_.color_format);
    transfer.output_format = PixelFormat::RGBA8;
    transfer.output = take(u32{picture_.width} * rows() * 4);
    lockstep_.display_transfer(transfer);
    ++transferred_;
    see("transferred picture");
}

void PictureReader::sample()
{
    const u32 width = picture_.width, height = rows();
    if (!is_readable() || height == 0 || !std::has_single_bit(width) || width > 1024 ||
        !std::has_single_bit(u32{picture_.height}) || picture_.height > 1024)
        return;
    DrawScene scene(width, height);
    scene.state.uniforms_revision = ~u64{0}; // none of the guest's
    scene.state.target.color_address = take(width * height * 4);
    scene.state.fragment.texenv[0].color_source[0] = scene.state.fragment.texenv[0].alpha_source[0] =
        CombinerSource::Texture0;
    scene.state.fragment.texture[0].type = TextureType::Texture2D;
    scene.state.texture[0] = {picture_.color_address, picture_.width, picture_.height,
                              static_cast<TextureFormat>(picture_.color_format)};
    const auto corner = [&](f32 x, f32 y)
    {
        SceneVertex vertex;
        vertex.position = scene.at(x, y);
        vertex.texcoord01 = {x / f32(width), y / f32(picture_.height), 0, 0};
        scene.add(vertex);
    };
    const f32 right = f32(width), top = f32(height);
    for (const auto& [x, y] :
         {std::pair{0.0f, 0.0f}, {right, 0.0f}, {0.0f, top}, {0.0f, top}, {right, 0.0f}, {right, top}})
        corner(x, y);
    lockstep_.draw(scene.draw());
    ++sampled_;
    see("sampled picture");
}

} // namespace tests
