// SPDX-License-Identifier: MIT
#include "renderer/backend/rehearsal_scene.h"

#include "pica/command/backend.h"
#include "pica/shader/isa.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

#include <cstring>

namespace renderer
{

using namespace pica;

namespace
{

constexpr u32 kSize = 64; // width and height of targets, pixels
constexpr PhysAddr kColor = RehearsalScene::kBase;
constexpr PhysAddr kDepth = kColor + 0x8000;
constexpr PhysAddr kTexture = kColor + 0x10000;
constexpr PhysAddr kCopies = kColor + 0x18000;
constexpr PhysAddr kVertices = kColor + 0x20000;

constexpr u32 kInputs = 3;                                  // position, colour, texture coordinate
constexpr u32 kFloats = 4 * kInputs;                        // of a vertex
constexpr u32 kTriangles = 16;                              // of a draw
constexpr u32 kVerticesOfDraw = 3 * kTriangles;             // no vertex is shared
constexpr u32 kBytesOfDraw = kVerticesOfDraw * kFloats * 4; // consecutive draws use consecutive vertices
constexpr u32 kVertexSets = 0x20000 / kBytesOfDraw;         // then they repeat

// A linear congruential generator: the scene is the same everywhere.
class Numbers
{
public:
    u32 next()
    {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }
    f32 between(f32 low, f32 high)
    {
        return low + (high - low) * static_cast<f32>(next() & 0xFFFF) / 65536.0f;
    }

private:
    u32 state_ = 1;
};

// mov o0, v0; mov o1, v1; mov o2, v2; end.
ShaderCode copy_code()
{
    constexpr u32 kIdentity = 0x1B; // the swizzle xyzw
    ShaderCode code(ShaderStage::Vertex);
    code.write_descriptor(0, 0xF | kIdentity << 5 | kIdentity << 14 | kIdentity << 23);
    for (u32 i = 0; i < kInputs; ++i)
        code.write_word(i, static_cast<u32>(Opcode::Mov) << 26 | i << 21 | i << 12);
    code.write_word(kInputs, static_cast<u32>(Opcode::End) << 26);
    return code;
}

void put(std::span<u8> bytes, u32& offset, f32 value)
{
    std::memcpy(bytes.data() + offset, &value, 4);
    offset += 4;
}

void fill_vertices(std::span<u8> bytes, Numbers& numbers)
{
    u32 offset = 0;
    for (u32 triangle = 0; triangle < kVertexSets * kTriangles; ++triangle)
    {
        // Small and large triangles, some with perspective, some partly outside of the clipping volume.
        const f32 size = triangle % 3 == 0 ? 1.5f : 0.4f;
        const f32 x = numbers.between(-0.8f, 0.8f), y = numbers.between(-0.8f, 0.8f);
        for (u32 corner = 0; corner < 3; ++corner)
        {
            const f32 w = triangle % 2 == 0 ? 1.0f : numbers.between(0.5f, 4.0f);
            put(bytes, offset, (x + numbers.between(-size, size)) * w);
            put(bytes, offset, (y + numbers.between(-size, size)) * w);
            put(bytes, offset, numbers.between(-1.0f, 0.0f) * w);
            put(bytes, offset, w);
            for (u32 i = 0; i < 4; ++i)
                put(bytes, offset, numbers.between(-0.25f, 1.25f));
            for (u32 i = 0; i < 4; ++i)
                put(bytes, offset, numbers.between(-2.0f, 2.0f));
        }
    }
}

} // namespace

RehearsalScene::RehearsalScene() : program_(copy_code(), 0, ShaderStage::Vertex)
{
    Numbers numbers;
    for (u32& word : luts_.fog)
        word = numbers.next();
    luts_.changed(LutTable::Fog);
}

void RehearsalScene::fill(GuestMemory& memory)
{
    Numbers numbers;
    const std::span<u8> bytes = memory.span(kBase, kBytes);
    for (u8& byte : bytes)
        byte = static_cast<u8>(numbers.next());
    fill_vertices(bytes.subspan(kVertices - kBase), numbers);
    memory.did_write(kBase, kBytes);
}

void RehearsalScene::play(RehearsalClass which, Backend& backend)
{
    begin(backend);
    switch (which)
    {
    case RehearsalClass::Plain:
        plain(backend);
        plain_textures(backend);
        return engines(backend);
    case RehearsalClass::Repeated:
        return repeated(backend);
    case RehearsalClass::Stencil:
        return stencil(backend);
    case RehearsalClass::LogicOp:
        return logic(backend);
    case RehearsalClass::FixedBlend:
        return fixed_blend(backend);
    case RehearsalClass::Fetch:
        return fetch(backend);
    }
}

// Clears the depth buffer, and goes back to opaque vertex colours on an RGBA8 target.
void RehearsalScene::begin(Backend& backend)
{
    backend.memory_fill({.start = kDepth,
                         .end = kDepth + kSize * kSize * 4,
                         .value = 0x40C00000,
                         .width = FillWidth::Bits32});
    draw_ = {};
    draw_.target = {
        .color_address = kColor, .depth_address = kDepth, .width = kSize, .height = kSize, .flip = 1};
    draw_.target.depth_format = DepthFormat::D24S8;
    draw_.scissor = {0, 0, kSize, kSize};
    draw_.geometry.half_width = draw_.geometry.half_height = kSize / 2;
    draw_.constants.depth_scale = -1.0f;
    draw_.fragment.output = OutputClass::Opaque;
    draw_.output.blend.color_mask = 15;
    draw_.output.blend.source_color = draw_.output.blend.source_alpha = BlendFactor::One;
    for (TexEnvStageKey& stage : draw_.fragment.texenv)
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
    TexEnvStageKey& first = draw_.fragment.texenv[0];
    first.color_source[0] = first.alpha_source[0] = CombinerSource::PrimaryColor;
    draw_.vertex.source.fill(VertexKey::kUnmapped);
    for (u8 i = 0; i < 4; ++i)
    {
        draw_.vertex.source[i] = i;
        draw_.vertex.source[0x08 + i] = static_cast<u8>(4 + i);
        draw_.vertex.source[0x0C + i] = static_cast<u8>(8 + i);
    }
    draw_.vertex.program = program_.id();
    draw_.program = &program_;
    draw_.uniforms = &uniforms_;
    draw_.uniforms_revision = 1;
    draw_.luts = &luts_;
    draw_.source.count = kVerticesOfDraw;
    draw_.source.topology = Topology::TriangleList;
}

// Draws the next triangles.
void RehearsalScene::draw(Backend& backend)
{
    for (u8 i = 0; i < kInputs; ++i)
    {
        FetchInput& input = draw_.source.input[i];
        input.source = FetchInput::Source::Memory;
        input.type = AttributeType::F32;
        input.components = 4;
        input.stride = kFloats * 4;
        input.address = kVertices + draws_ % kVertexSets * kBytesOfDraw + i * 16;
    }
    draw_.serial = ++draws_;
    backend.draw(draw_);
}

void RehearsalScene::plain(Backend& backend)
{
    draw(backend);
    draw_.target.has_depth = 1;
    draw_.fragment.depth = DepthMode::Z;
    draw_.output.depth_test = draw_.output.depth_write = 1;
    draw_.output.depth_func = CompareFunc::Less;
    draw(backend);
    draw_.fragment.fog.mode = FogMode::Fog;
    draw_.fragment.fog.depth = DepthMode::Z;
    draw_.constants.fog_color = 0x4080C0;
    draw_.output.depth_func = CompareFunc::GreaterOrEqual;
    draw(backend);
    draw_.fragment.fog = {};
    draw_.constants.fog_color = 0;
    draw_.fragment.alpha_func = CompareFunc::Greater;
    draw_.constants.alpha_reference = 128;
    draw_.output.depth_test = 0;
    draw_.output.depth_func = CompareFunc::Always;
    draw_.target.color_format = draw_.fragment.color_format = ColorFormat::RGB5A1;
    draw(backend);
}

void RehearsalScene::plain_textures(Backend& backend)
{
    begin(backend);
    TextureUnitKey& unit = draw_.fragment.texture[0];
    unit.type = TextureType::Texture2D;
    unit.wrap_s = unit.wrap_t = TextureWrap::Repeat;
    draw_.texture[0] = {.address = kTexture, .width = 32, .height = 32, .format = TextureFormat::RGBA8};
    TexEnvStageKey& first = draw_.fragment.texenv[0];
    first.color_op = first.alpha_op = CombinerOp::Modulate;
    first.color_source[1] = first.alpha_source[1] = CombinerSource::Texture0;
    draw(backend);
    unit.linear = 1;
    unit.wrap_s = TextureWrap::MirroredRepeat;
    draw_.texture[0].format = TextureFormat::ETC1A4;
    draw(backend);
    draw_.texture[0].format = TextureFormat::I4;
    unit.wrap_t = TextureWrap::ClampToBorder;
    draw_.constants.border_color[0] = 0x80402010;
    TexEnvStageKey& second = draw_.fragment.texenv[1];
    second.color_op = second.alpha_op = CombinerOp::Interpolate;
    second.color_source[1] = second.alpha_source[1] = CombinerSource::Texture0;
    second.color_source[2] = second.alpha_source[2] = CombinerSource::Constant;
    draw_.constants.texenv_color[1] = 0x60708090;
    draw(backend);
    // A texture that the draws before have drawn.
    draw_.texture[0].address = kColor;
    draw_.texture[0].format = TextureFormat::RGBA8;
    draw_.target.color_address = kCopies;
    draw(backend);
}

void RehearsalScene::engines(Backend& backend)
{
    DisplayTransfer transfer;
    transfer.input = kColor;
    transfer.output = kCopies;
    transfer.output_width = transfer.input_width = kSize;
    transfer.output_height = transfer.input_height = kSize;
    transfer.flip_vertically = true;
    transfer.output_format = PixelFormat::RGB8;
    backend.display_transfer(transfer);
    TextureCopy copy;
    copy.input = kColor;
    copy.output = kTexture;
    copy.size = kSize * kSize * 4 / 2;
    copy.input_width = copy.output_width = 0x100;
    copy.input_gap = 0x100;
    backend.texture_copy(copy);
    backend.memory_fill(
        {.start = kColor + 0x400, .end = kColor + 0x800, .value = 0x12345678, .width = FillWidth::Bits32});
}

void RehearsalScene::repeated(Backend& backend)
{
    for (u32 i = 0; i < 4; ++i)
        draw(backend);
}

void RehearsalScene::stencil(Backend& backend)
{
    draw_.target.has_depth = 1;
    OutputState& output = draw_.output;
    output.stencil_test = 1;
    output.stencil_func = CompareFunc::Always;
    output.stencil_pass = StencilOp::Replace;
    draw_.constants.stencil_reference = 0x5A;
    draw_.constants.stencil_compare_mask = draw_.constants.stencil_write_mask = 0xFF;
    draw(backend);
    output.stencil_func = CompareFunc::Equal;
    output.stencil_pass = StencilOp::IncrementWrap;
    output.stencil_fail = StencilOp::Invert;
    draw_.constants.stencil_write_mask = 0x3C;
    draw(backend);
    draw_.fragment.depth = DepthMode::Z;
    output.depth_test = output.depth_write = 1;
    output.depth_func = CompareFunc::Less;
    output.stencil_func = CompareFunc::NotEqual;
    output.stencil_depth_fail = StencilOp::DecrementSaturate;
    output.stencil_fail = StencilOp::Zero;
    draw_.constants.stencil_compare_mask = 0x1F;
    draw_.constants.stencil_write_mask = 0xFF;
    draw(backend);
}

void RehearsalScene::logic(Backend& backend)
{
    draw_.fragment.output = OutputClass::LogicOp;
    draw_.output.blend = {.logic = 1, .color_mask = 15};
    draw_.output.blend.source_color = draw_.output.blend.source_alpha = BlendFactor::One;
    for (const LogicOp op : {LogicOp::Xor, LogicOp::AndInverted, LogicOp::OrReverse})
    {
        draw_.output.blend.logic_op = op;
        draw(backend);
    }
}

// Sets a blending. equations: of colour and alpha; factors: of source and destination.
void RehearsalScene::blend(OutputClass output, const std::array<BlendEquation, 2>& equations,
                           const std::array<BlendFactor, 2>& factors)
{
    draw_.fragment.output = output;
    BlendState& state = draw_.output.blend;
    state.equation_color = equations[0];
    state.equation_alpha = equations[1];
    state.source_color = state.source_alpha = factors[0];
    state.destination_color = state.destination_alpha = factors[1];
    draw_.fragment.fetch = output == OutputClass::Fetch ? state : BlendState{};
}

void RehearsalScene::fixed_blend(Backend& backend)
{
    constexpr std::array kOnes{BlendFactor::One, BlendFactor::One};
    blend(OutputClass::FixedBlend, {BlendEquation::Add, BlendEquation::Subtract}, kOnes);
    draw(backend);
    blend(OutputClass::FixedBlend, {BlendEquation::ReverseSubtract, BlendEquation::Add}, kOnes);
    draw(backend);
    blend(OutputClass::FixedBlend, {BlendEquation::Max, BlendEquation::Min}, kOnes);
    draw(backend);
}

void RehearsalScene::fetch(Backend& backend)
{
    constexpr std::array kAdd{BlendEquation::Add, BlendEquation::Add};
    blend(OutputClass::Fetch, kAdd, {BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha});
    draw(backend);
    draw(backend);
    blend(OutputClass::Fetch, {BlendEquation::ReverseSubtract, BlendEquation::Add},
          {BlendFactor::DestColor, BlendFactor::SourceAlphaSaturate});
    draw(backend);
    draw_.target.color_format = draw_.fragment.color_format = ColorFormat::RGBA4;
    blend(OutputClass::Fetch, kAdd, {BlendFactor::SourceAlpha, BlendFactor::One});
    draw(backend);
}

} // namespace renderer
