// SPDX-License-Identifier: MIT
// Command lists of probes. Each begins with all state that its draws depend on, so that the order of probes, and what
// other programs left, has no influence.
#pragma once

#include "pica/regs/registers.h"
#include "samples/probe/probe.h"
#include "samples/probe/shader_text.h"

#include <array>
#include <type_traits>
#include <vector>

namespace samples
{

// Where probes have their memory: offsets in VRAM.
struct ProbeLayout
{
    static constexpr pica::u32 kColor = 0, kDepth = 0x100000, kVertices = 0x200000, kTextures = 0x280000,
                               kTextureBytes = 0x40000;
};

struct ProbeVertex
{
    std::array<pica::f32, 4> position{0, 0, 0, 1}, color{1, 1, 1, 1}, texcoords{};
};

class ProbeScene
{
public:
    // The plain state for a target of this size: RGBA8 and D24S8 in 8x8 tiles, opaque primary colour, no tests, no
    // depth write, z-buffer with d = -z / w.
    ProbeScene(pica::u32 width, pica::u32 height);

    pica::u32 width() const { return width_; }
    pica::u32 height() const { return height_; }

    template <typename T>
    ProbeScene& set(const pica::Field<T>& field, std::type_identity_t<T> value, pica::u32 index = 0)
    {
        const pica::u32 id = field.ids[index];
        return write(id, field.insert(registers_[id], value));
    }
    ProbeScene& write(pica::u32 id, pica::u32 value);
    // What was written last.
    pica::u32 value(pica::u32 id) const { return registers_[id]; }
    // With only these bytes of the word enabled: bit 0 is the lowest.
    ProbeScene& write_masked(pica::u32 id, pica::u32 value, pica::u32 byte_mask);
    // To the register and those behind it, by one command.
    ProbeScene& write_consecutive(pica::u32 id, std::span<const pica::u32> values);
    // All values to one register.
    ProbeScene& write_port(pica::u32 id, std::span<const pica::u32> values);
    ProbeScene& uniform(pica::u32 index, const std::array<pica::f32, 4>& value);
    ProbeScene& fixed_attribute(pica::u32 index, const std::array<pica::f32, 4>& value);
    // The next attribute of a vertex in immediate mode.
    ProbeScene& immediate_attribute(const std::array<pica::f32, 4>& value);
    ProbeScene& program(const ShaderText& text);
    // Where the vertex program begins, and the input registers of attributes 0 to 7. While the geometry unit is off it runs
    // vertices too and has its own copies of both.
    ProbeScene& entry_point(pica::u32 address);
    ProbeScene& attribute_registers(pica::u32 low);
    // Of the geometry unit, while the units do not share their banks.
    ProbeScene& geometry_program(const ShaderText& text);
    ProbeScene& geometry_uniform(pica::u32 index, const std::array<pica::f32, 4>& value);
    // Unit 0..2: nearest, clamped to the edge, one level; replaced as source by stages().
    ProbeScene& texture(pica::u32 unit, pica::TextureFormat format, pica::u32 width, pica::u32 height);
    // Which channels draws write: bit 0 is R.
    ProbeScene& color_mask(pica::u32 mask);

    // Draws `count` vertices of the buffer at kVertices.
    ProbeScene& draw(pica::u32 first, pica::u32 count);
    // The same without a restart: goes on with the primitives of the draw before.
    ProbeScene& draw_on(pica::u32 first, pica::u32 count);
    // The vertices of a rectangle in pixels (y up), added to `vertices`. Texture coordinates go from 0 to 1.
    void rectangle(pica::f32 x1, pica::f32 y1, pica::f32 x2, pica::f32 y2, const ProbeVertex& like = {});
    void vertex(pica::f32 x, pica::f32 y, const ProbeVertex& like);

    // The list so far, ended. The scene goes on with the state that it has.
    std::vector<pica::u32> finish();
    // Uploads the vertices, clears colour and depth with these words, runs the list, reads the colour buffer.
    void run(Probe& probe, pica::u32 color = 0, pica::u32 depth = 0);
    void upload_vertices(Probe& probe) const;
    void clear(Probe& probe, pica::u32 color, pica::u32 depth) const;

    std::vector<ProbeVertex> vertices;

private:
    ProbeScene& upload_program(pica::u32 bank, const ShaderText& text);
    ProbeScene& upload_uniform(pica::u32 bank, pica::u32 index, const std::array<pica::f32, 4>& value);
    void command(pica::u32 id, std::span<const pica::u32> values, bool consecutive);
    void fragment_state();
    void geometry_state();

    pica::u32 width_, height_;
    pica::RegisterFile registers_;
    std::vector<pica::u32> words_;
};

// No rule rounds these channels. Their products and sums with constants of probes are 0, 255 or the constant, except where
// a rounded one is the question.
inline constexpr std::array<pica::f32, 4> kExactColor = {1, 0, 0, 1};
// A channel whose code is the same whether it is truncated or rounded, and a part of 255 or of 256. code: at most 200.
constexpr pica::f32 channel(pica::u32 code)
{
    return (static_cast<pica::f32>(code) + 0.2f) / 255;
}
// A target of kSquare x kSquare pixels, which a rectangle of this colour covers.
inline constexpr pica::u32 kSquare = 8;
ProbeScene square_scene();

// A program that passes on positions and texture coordinates; the colour is a constant.
ShaderText constant_color(pica::u32 constant);
// The same, whose colour is what `results` leaves in r3.
ShaderText result_color(void (*results)(ShaderText& text));

// Texels of a picture in rows from the bottom, in the order of memory (8x8 tiles). bytes: of a texel.
std::vector<pica::u8> tiled_texels(pica::u32 width, pica::u32 height, pica::u32 bytes,
                                   pica::u32 (*texel)(pica::u32 x, pica::u32 y));

} // namespace samples
