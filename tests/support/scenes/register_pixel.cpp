// SPDX-License-Identifier: MIT
#include "tests/support/scenes/register_pixel.h"

#include "pica/base/float24.h"
#include "pica/regs/external.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/plain_state.h"

namespace tests
{

namespace
{

constexpr PhysAddr kList = kFcramBase, kVertices = kFcramBase + 0x8000;

SoftwareOptions one_thread()
{
    SoftwareOptions options;
    options.threads = 1;
    return options;
}

u32 to_word(const Rgba& color)
{
    return make_rgba(color[0], color[1], color[2], color[3]);
}

} // namespace

RegisterPixel::RegisterPixel() : core_(arena_.memory(), *this, one_thread()), gpu_(core_, *this)
{
    ProgramBuilder
        program; // position from v0, depth from c0, colour from the fixed attribute, frame from c1, c2
    program.mov(o(0)["xy"], v(0));
    program.mov(o(0)["zw"], c(0));
    program.mov(o(1), v(1));
    program.mov(o(2), v(0));
    program.mov(o(3), c(1));
    program.mov(o(4), c(2));
    program.end();
    list.upload_vertex_program(program.words(), program.descriptors(), 0);
    list.set(reg::SH_OUTMAP_TOTAL::count, 5);
    list.write_consecutive(reg::SH_OUTMAP_O::id,
                           std::array{0x03020100u, 0x0B0A0908u, 0x1F1F0D0Cu, 0x07060504u, 0x1F141312u});
    list.set(reg::VSH_OUTMAP_MASK::mask, 31);
    frame({0, 0, 0, 1}, {0, 0, 1});
    list.set(reg::ATTRIBBUFFERS_LOC::base, kVertices >> 4);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0x7); // two floats
    list.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 1u << 28 | 2u << 16);
    list.write(reg::ATTRIBBUFFER_CONFIG1::ids[0], 0);
    list.write(reg::ATTRIBBUFFER_CONFIG2::ids[0], 1u << 28 | 8u << 16);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x10);
    write_plain_state(list);
    list.set(reg::FRAMEBUFFER_DIM::width, kSize);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, kSize - 1);
    list.set(reg::FRAMEBUFFER_DIM::flip, true);
    list.set(reg::COLORBUFFER_LOC::address, kColor >> 3);
    list.set(reg::DEPTHBUFFER_LOC::address, kDepth >> 3);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(kSize / 2.0f));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(kSize / 2.0f));
    color_format(ColorFormat::RGBA8);
    depth_format(DepthFormat::D24S8);
    constexpr std::array<f32, 8> kCorners = {-1, -1, 1, -1, -1, 1, 1, 1};
    gpu_.memory_write(kVertices, {reinterpret_cast<const u8*>(kCorners.data()), sizeof kCorners});
}

void RegisterPixel::color_format(ColorFormat format)
{
    list.set(reg::COLORBUFFER_FORMAT::format, format);
}

void RegisterPixel::depth_format(DepthFormat format)
{
    list.set(reg::DEPTHBUFFER_FORMAT::format, format);
}

void RegisterPixel::fill_color(const Rgba& color)
{
    const ColorFormat format = list.registers().get(reg::COLORBUFFER_FORMAT::format);
    const u32 bytes = bytes_per_pixel(format);
    std::vector<u8> pixels(kSize * kSize * bytes);
    for (u32 i = 0; i < kSize * kSize; ++i)
        pack_pixel(format, &pixels[i * bytes], to_word(color));
    gpu_.memory_write(kColor, pixels);
}

void RegisterPixel::fill_depth(u32 word)
{
    const DepthFormat format = list.registers().get(reg::DEPTHBUFFER_FORMAT::format);
    const u32 bytes = bytes_per_pixel(format);
    std::vector<u8> pixels(kSize * kSize * bytes);
    for (u32 i = 0; i < kSize * kSize; ++i)
        pack_depth(format, &pixels[i * bytes], word);
    gpu_.memory_write(kDepth, pixels);
}

void RegisterPixel::frame(const std::array<f32, 4>& quaternion, const std::array<f32, 3>& view)
{
    list.float_uniform(1, quaternion);
    list.float_uniform(2, {view[0], view[1], view[2], 0});
}

void RegisterPixel::texture(u32 unit, const Rgba& color)
{
    std::vector<u8> texels(64 * 4);
    for (u32 i = 0; i < 64; ++i)
        pack_pixel(PixelFormat::RGBA8, &texels[i * 4], to_word(color));
    const PhysAddr address = kTextures + unit * 0x1000;
    gpu_.memory_write(address, texels);
    list.set(reg::TEXUNIT_ADDR::address, address >> 3, unit);
    list.set(reg::TEXUNIT_DIM::width, 8, unit);
    list.set(reg::TEXUNIT_DIM::height, 8, unit);
    list.set(reg::TEXUNIT_TYPE::format, TextureFormat::RGBA8, unit);
    const u32 config = list.registers()[reg::TEXUNIT_CONFIG::id];
    list.write(reg::TEXUNIT_CONFIG::id, config | 1u << unit);
}

Rgba RegisterPixel::draw(const Rgba& color, f32 depth)
{
    list.float_uniform(0, {-depth, 1, -depth, 1});
    list.fixed_attribute(
        1, {f32(color[0]) / 255, f32(color[1]) / 255, f32(color[2]) / 255, f32(color[3]) / 255});
    list.draw_arrays(Topology::TriangleStrip, 0, 4);
    const std::vector<u32> words = list.finish();
    gpu_.memory_write(kList, {reinterpret_cast<const u8*>(words.data()), words.size() * 4});
    gpu_.write_register(ext::P3D_CMDBUF_SIZE::id, u32(words.size() * 4) >> 3);
    gpu_.write_register(ext::P3D_CMDBUF_ADDR::id, kList >> 3);
    gpu_.write_register(ext::P3D_CMDBUF_JUMP::id, 1);
    gpu_.run(RunUntil::End);
    core_.will_read(kColor, 0x20000);
    return pixel();
}

u32 RegisterPixel::offset(u32 x, u32 y, u32 bytes) const
{
    return u32(tiled_offset(x, kSize - 1 - y, kSize, bytes));
}

Rgba RegisterPixel::pixel(u32 x, u32 y)
{
    const ColorFormat format = list.registers().get(reg::COLORBUFFER_FORMAT::format);
    const u32 rgba =
        unpack_pixel(format, &arena_.vram()[kColor - kVramBase + offset(x, y, bytes_per_pixel(format))]);
    return {red(rgba), green(rgba), blue(rgba), alpha(rgba)};
}

u32 RegisterPixel::color_bytes(u32 x, u32 y)
{
    const u32 bytes = bytes_per_pixel(list.registers().get(reg::COLORBUFFER_FORMAT::format));
    u32 word = 0;
    for (u32 i = 0; i < bytes; ++i)
        word |= u32{arena_.vram()[kColor - kVramBase + offset(x, y, bytes) + i]} << (8 * i);
    return word;
}

u32 RegisterPixel::depth_word(u32 x, u32 y)
{
    const DepthFormat format = list.registers().get(reg::DEPTHBUFFER_FORMAT::format);
    return unpack_depth(format, &arena_.vram()[kDepth - kVramBase + offset(x, y, bytes_per_pixel(format))]);
}

} // namespace tests
