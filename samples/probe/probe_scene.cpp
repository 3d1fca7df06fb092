// SPDX-License-Identifier: MIT
#include "samples/probe/probe_scene.h"

#include "pica/base/float24.h"
#include "pica/texture/morton.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace samples
{

using namespace pica;
using namespace probe_format;

namespace
{

constexpr u32 kConsecutive = 1u << 31;
constexpr std::size_t kMaxValues = 128;
constexpr u32 kVertexBytes = sizeof(ProbeVertex);
constexpr u32 kVertexRole = 0xA0000000; // of a shader unit: vertices, not the geometry stage

// 2 / size as the viewport's inverse registers have it: 1.7.23 above bit 0.
u32 inverse(u32 size)
{
    const u32 bits = std::bit_cast<u32>(2.0f / static_cast<f32>(size));
    return (bits - (64u << 23)) << 1;
}

u32 gpu(u32 offset)
{
    return kVramGpu + offset;
}

// Four numbers of 24 bits, as 0x233-0x235 take them.
std::array<u32, 3> fixed_words(const std::array<f32, 4>& value)
{
    std::array<u32, 4> f{};
    for (u32 i = 0; i < 4; ++i)
        f[i] = f32_to_float24(value[i]);
    return {f[3] << 8 | f[2] >> 16, f[2] << 16 | f[1] >> 8, f[1] << 24 | f[0]};
}

// Position, colour and texture coordinates as they are; quaternion and view from c1 and c2.
ShaderText pass_on()
{
    ShaderText text;
    for (u32 i = 0; i < 3; ++i)
        text.one(Opcode::Mov, output(i), input(i));
    text.one(Opcode::Mov, output(3), constant(1)).one(Opcode::Mov, output(4), constant(2)).end();
    return text;
}

} // namespace

ProbeScene::ProbeScene(u32 width, u32 height) : width_(width), height_(height)
{
    geometry_state();
    fragment_state();
    program(pass_on());
    uniform(1, {0, 0, 0, 1});
    uniform(2, {0, 0, 1, 1});
}

void ProbeScene::command(u32 id, std::span<const u32> values, bool consecutive)
{
    words_.push_back(values.front());
    words_.push_back(id | 0xFu << 16 | static_cast<u32>(values.size() - 1) << 20 |
                     (consecutive ? kConsecutive : 0));
    words_.insert(words_.end(), values.begin() + 1, values.end());
    if (words_.size() % 2 != 0)
        words_.push_back(0);
}

ProbeScene& ProbeScene::write(u32 id, u32 value)
{
    registers_.write(id, value);
    command(id, std::span(&value, 1), false);
    return *this;
}

ProbeScene& ProbeScene::write_masked(u32 id, u32 value, u32 byte_mask)
{
    words_.insert(words_.end(), {value, id | byte_mask << 16});
    return *this;
}

ProbeScene& ProbeScene::write_consecutive(u32 id, std::span<const u32> values)
{
    command(id, values, true);
    return *this;
}

ProbeScene& ProbeScene::write_port(u32 id, std::span<const u32> values)
{
    for (; !values.empty(); values = values.subspan(std::min(values.size(), kMaxValues)))
        command(id, values.first(std::min(values.size(), kMaxValues)), false);
    return *this;
}

// bank: offset of the unit's registers from those of the vertex shader.
ProbeScene& ProbeScene::upload_uniform(u32 bank, u32 index, const std::array<f32, 4>& value)
{
    std::array<u32, 5> words{kConsecutive | index};
    for (u32 i = 0; i < 4; ++i)
        words[1 + i] = std::bit_cast<u32>(value[3 - i]);
    command(reg::VSH_FLOATUNIFORM_INDEX::id + bank, words, true);
    return *this;
}

ProbeScene& ProbeScene::uniform(u32 index, const std::array<f32, 4>& value)
{
    return upload_uniform(0, index, value);
}

ProbeScene& ProbeScene::geometry_uniform(u32 index, const std::array<f32, 4>& value)
{
    return upload_uniform(kGeometryBank - kVertexBank, index, value);
}

ProbeScene& ProbeScene::fixed_attribute(u32 index, const std::array<f32, 4>& value)
{
    const std::array<u32, 3> words = fixed_words(value);
    return write_consecutive(reg::FIXEDATTRIB_INDEX::id, std::array{index, words[0], words[1], words[2]});
}

ProbeScene& ProbeScene::immediate_attribute(const std::array<f32, 4>& value)
{
    return write_consecutive(reg::FIXEDATTRIB_DATA::ids[0], fixed_words(value));
}

ProbeScene& ProbeScene::upload_program(u32 bank, const ShaderText& text)
{
    write(reg::VSH_CODETRANSFER_INDEX::id + bank, 0);
    write_port(reg::VSH_CODETRANSFER_DATA::id + bank, text.words());
    write(reg::VSH_CODETRANSFER_END::id + bank, 1);
    write(reg::VSH_OPDESCS_INDEX::id + bank, 0);
    return write_port(reg::VSH_OPDESCS_DATA::id + bank, text.descriptors());
}

ProbeScene& ProbeScene::program(const ShaderText& text)
{
    return upload_program(0, text).entry_point(0);
}

ProbeScene& ProbeScene::entry_point(u32 address)
{
    write(reg::VSH_ENTRYPOINT::id, 0x7FFF0000 | address);
    return write(reg::GSH_ENTRYPOINT::id, 0x7FFF0000 | address);
}

ProbeScene& ProbeScene::attribute_registers(u32 low)
{
    write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, low);
    return write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, low);
}

ProbeScene& ProbeScene::geometry_program(const ShaderText& text)
{
    upload_program(kGeometryBank - kVertexBank, text);
    return write(reg::GSH_ENTRYPOINT::id, 0x7FFF0000);
}

void ProbeScene::geometry_state()
{
    write(reg::START_DRAW_FUNC0::id, 1);
    write(reg::VSH_COM_MODE::id, 0);
    write(reg::GEOSTAGE_CONFIG::id, 0);
    write(reg::GEOSTAGE_CONFIG2::id, 0);
    write(reg::GSH_MISC0::id, 0);
    write(reg::GSH_MISC1::id, 0);
    write(reg::GSH_INPUTBUFFER_CONFIG::id, kVertexRole);
    write(reg::FACECULLING_CONFIG::id, 0);
    write(reg::VIEWPORT_WIDTH::id, f32_to_float24(static_cast<f32>(width_) / 2));
    write(reg::VIEWPORT_INVW::id, inverse(width_));
    write(reg::VIEWPORT_HEIGHT::id, f32_to_float24(static_cast<f32>(height_) / 2));
    write(reg::VIEWPORT_INVH::id, inverse(height_));
    write(reg::VIEWPORT_XY::id, 0);
    write(reg::FRAGOP_CLIP::id, 0);
    write(reg::DEPTHMAP_ENABLE::id, 1);
    write(reg::DEPTHMAP_SCALE::id, f32_to_float24(-1.0f));
    write(reg::DEPTHMAP_OFFSET::id, 0);
    write(reg::SCISSORTEST_MODE::id, 0);
    write(reg::EARLYDEPTH_TEST1::id, 0);
    write(reg::EARLYDEPTH_TEST2::id, 0);
    write(reg::UNKNOWN_058::id, 0);
    write(reg::SH_OUTMAP_TOTAL::id, 5);
    const std::array<u32, 7> map = {0x03020100, 0x0B0A0908, 0x0F0E0D0C, 0x07060504,
                                    0x10141312, 0x1F1F1F1F, 0x1F1F1F1F};
    for (u32 i = 0; i < map.size(); ++i)
        write(reg::SH_OUTMAP_O::ids[i], map[i]);
    write(reg::SH_OUTATTR_MODE::id, 1);
    write(reg::SH_OUTATTR_CLOCK::id, 0x01010703);
    write(reg::VSH_OUTMAP_MASK::id, 31);
    write(reg::VSH_OUTMAP_TOTAL1::id, 4);
    write(reg::VSH_OUTMAP_TOTAL2::id, 4);
    write(reg::VSH_BOOLUNIFORM::id, 0x7FFF0000);
    write(reg::PRIMITIVE_CONFIG::id, 4); // triangle lists
    // Three attributes of four floats each, in one buffer.
    write(reg::ATTRIBBUFFERS_LOC::id, gpu(ProbeLayout::kVertices) >> 3);
    write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xFFF);
    write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 2u << 28);
    for (u32 i = 0; i < 12; ++i)
    {
        write(reg::ATTRIBBUFFER_OFFSET::ids[i], 0);
        write(reg::ATTRIBBUFFER_CONFIG1::ids[i], i == 0 ? 0x210 : 0);
        write(reg::ATTRIBBUFFER_CONFIG2::ids[i], i == 0 ? 3u << 28 | kVertexBytes << 16 : 0);
    }
    write(reg::VSH_NUM_ATTR::id, 2);
    write(reg::VSH_INPUTBUFFER_CONFIG::id, kVertexRole | 2);
    attribute_registers(0x210);
    write(reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0);
    write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0);
}

void ProbeScene::fragment_state()
{
    write(reg::FRAMEBUFFER_INVALIDATE::id, 1);
    write(reg::DEPTHBUFFER_LOC::id, gpu(ProbeLayout::kDepth) >> 3);
    write(reg::COLORBUFFER_LOC::id, gpu(ProbeLayout::kColor) >> 3);
    const u32 size = width_ | (height_ - 1) << 12 | 1u << 24;
    write(reg::FRAMEBUFFER_DIM::id, size);
    write(reg::RENDERBUF_DIM::id, size);
    write(reg::COLORBUFFER_FORMAT::id, 2); // RGBA8
    write(reg::DEPTHBUFFER_FORMAT::id, 3); // D24S8
    write(reg::FRAMEBUFFER_BLOCK32::id, 0);
    write(reg::COLORBUFFER_READ::id, 0xF);
    write(reg::COLORBUFFER_WRITE::id, 0xF);
    write(reg::DEPTHBUFFER_READ::id, 3);
    write(reg::DEPTHBUFFER_WRITE::id, 3);
    write(reg::COLOR_OPERATION::id, 0x00E40100);
    write(reg::BLEND_FUNC::id, 0x01010000); // source * 1 + stored * 0
    write(reg::BLEND_COLOR::id, 0);
    write(reg::FRAGOP_ALPHA_TEST::id, 0);
    write(reg::STENCIL_TEST::id, 0);
    write(reg::STENCIL_OP::id, 0);
    write(reg::DEPTH_COLOR_MASK::id, 0x0F00);
    write(reg::TEXUNIT_CONFIG::id, 0x11000);
    write(reg::TEXENV_UPDATE_BUFFER::id, 0);
    write(reg::TEXENV_BUFFER_COLOR::id, 0);
    write(reg::LIGHTING_ENABLE0::id, 0);
    write(reg::LIGHTING_ENABLE1::id, 1);
    for (u32 stage = 0; stage < 6; ++stage)
    {
        write(reg::TEXENV_SOURCE::ids[stage], stage == 0 ? 0 : 0x000F000F); // primary colour, then previous
        write(reg::TEXENV_OPERAND::ids[stage], 0);
        write(reg::TEXENV_COMBINER::ids[stage], 0);
        write(reg::TEXENV_COLOR::ids[stage], 0);
        write(reg::TEXENV_SCALE::ids[stage], 0);
    }
}

ProbeScene& ProbeScene::texture(u32 unit, TextureFormat format, u32 width, u32 height)
{
    const u32 address = gpu(ProbeLayout::kTextures + unit * ProbeLayout::kTextureBytes);
    write(reg::TEXUNIT_BORDER_COLOR::ids[unit], 0);
    write(reg::TEXUNIT_DIM::ids[unit], height | width << 16);
    write(reg::TEXUNIT_PARAM::ids[unit], 0);
    write(reg::TEXUNIT_LOD::ids[unit], 0);
    if (unit == 0)
        write(reg::TEXUNIT0_SHADOW::id, 0);
    write(reg::TEXUNIT_ADDR::ids[unit], address >> 3);
    write(reg::TEXUNIT_TYPE::ids[unit], static_cast<u32>(format));
    return write(reg::TEXUNIT_CONFIG::id, registers_[reg::TEXUNIT_CONFIG::id] | 1u << unit);
}

ProbeScene& ProbeScene::color_mask(u32 mask)
{
    return write(reg::DEPTH_COLOR_MASK::id, (registers_[reg::DEPTH_COLOR_MASK::id] & ~0xF00u) | mask << 8);
}

ProbeScene& ProbeScene::draw(u32 first, u32 count)
{
    write(reg::RESTART_PRIMITIVE::id, 1);
    return draw_on(first, count);
}

ProbeScene& ProbeScene::draw_on(u32 first, u32 count)
{
    write(reg::INDEXBUFFER_CONFIG::id, 0x80000000);
    write(reg::NUMVERTICES::id, count);
    write(reg::VERTEX_OFFSET::id, first);
    write(reg::GEOSTAGE_CONFIG2::id, 1);
    write(reg::START_DRAW_FUNC0::id, 0);
    write(reg::DRAWARRAYS::id, 1);
    write(reg::START_DRAW_FUNC0::id, 1);
    write(reg::GEOSTAGE_CONFIG2::id, 0);
    return write(reg::VTX_FUNC::id, 1);
}

void ProbeScene::vertex(f32 x, f32 y, const ProbeVertex& like)
{
    ProbeVertex next = like;
    const f32 w = like.position[3];
    next.position[0] = (x * 2 / static_cast<f32>(width_) - 1) * w;
    next.position[1] = (y * 2 / static_cast<f32>(height_) - 1) * w;
    vertices.push_back(next);
}

void ProbeScene::rectangle(f32 x1, f32 y1, f32 x2, f32 y2, const ProbeVertex& like)
{
    for (const u32 corner : {0, 1, 3, 0, 3, 2})
    {
        const bool right = corner % 2 != 0, upper = corner / 2 != 0;
        ProbeVertex next = like;
        next.texcoords = {right ? 1.0f : 0.0f, upper ? 1.0f : 0.0f, right ? 1.0f : 0.0f, upper ? 1.0f : 0.0f};
        vertex(right ? x2 : x1, upper ? y2 : y1, next);
    }
}

std::vector<u32> ProbeScene::finish()
{
    write(reg::FRAMEBUFFER_FLUSH::id, 1);
    write(reg::FRAMEBUFFER_INVALIDATE::id, 1);
    // FINALIZE is the last command of a multiple of 16 bytes.
    if (words_.size() % 4 == 0)
        words_.insert(words_.end(), {0, reg::IRQ_ACK::id}); // no byte enabled: does nothing
    words_.insert(words_.end(), {0x12345678, reg::FINALIZE::id | 0xFu << 16});
    return std::exchange(words_, {});
}

void ProbeScene::upload_vertices(Probe& probe) const
{
    if (!vertices.empty())
        probe.upload(ProbeLayout::kVertices,
                     {reinterpret_cast<const u8*>(vertices.data()), vertices.size() * kVertexBytes});
}

void ProbeScene::clear(Probe& probe, u32 color, u32 depth) const
{
    probe.fill(ProbeLayout::kColor, width_ * height_ * 4, color);
    probe.fill(ProbeLayout::kDepth, width_ * height_ * 4, depth);
}

void ProbeScene::run(Probe& probe, u32 color, u32 depth)
{
    upload_vertices(probe);
    clear(probe, color, depth);
    probe.list(finish());
    probe.read(ProbeLayout::kColor, width_ * height_ * 4);
}

ShaderText constant_color(u32 number)
{
    ShaderText text;
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), constant(number));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    return text.one(Opcode::Mov, output(4), constant(2)).end();
}

ShaderText result_color(void (*results)(ShaderText& text))
{
    ShaderText text;
    results(text);
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), temporary(3));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    return text.one(Opcode::Mov, output(4), constant(2)).end();
}

ProbeScene square_scene()
{
    ProbeScene scene(kSquare, kSquare);
    ProbeVertex vertex;
    vertex.color = kExactColor;
    scene.rectangle(0, 0, kSquare, kSquare, vertex);
    return scene;
}

std::vector<u8> tiled_texels(u32 width, u32 height, u32 bytes, u32 (*texel)(u32 x, u32 y))
{
    std::vector<u8> memory(std::size_t{width} * height * bytes);
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
            for (u32 i = 0; i < bytes; ++i)
                memory[tiled_offset(x, height - 1 - y, width, bytes) + i] =
                    static_cast<u8>(texel(x, y) >> (8 * i));
    return memory;
}

} // namespace samples
