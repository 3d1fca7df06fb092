// SPDX-License-Identifier: MIT
#include "renderer/backend/rehearsal_scene.h"

#include "pica/command/backend.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "renderer/backend/rehearsal_data.h"

namespace renderer
{

using namespace pica;
using namespace rehearsal;

namespace
{

constexpr u32 kSize = 64; // width and height of targets, pixels
constexpr PhysAddr kColor = RehearsalScene::kBase;
constexpr PhysAddr kDepth = kColor + 0x8000;
constexpr PhysAddr kTexture = kColor + 0x10000;
constexpr PhysAddr kCopies = kColor + 0x18000;
constexpr PhysAddr kVertices = kColor + 0x20000;

constexpr PhysAddr kFaces = kTexture; // of a cube map
constexpr u32 kFaceBytes = 0x1000;

} // namespace

RehearsalScene::RehearsalScene()
    : program_(copy_code(), 0, ShaderStage::Vertex), point_program_(point_code(), 0, ShaderStage::Geometry),
      fixed_program_(fixed_code(), 0, ShaderStage::Geometry), geometry_uniforms_(geometry_uniforms())
{
    fill_tables(luts_);
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
    case RehearsalClass::Lighting:
        return lighting(backend);
    case RehearsalClass::Procedural:
        return procedural(backend);
    case RehearsalClass::Levels:
        return levels(backend);
    case RehearsalClass::Cubes:
        return cubes(backend);
    case RehearsalClass::Shadows:
        return shadows(backend);
    case RehearsalClass::Gas:
        return gas(backend);
    case RehearsalClass::Geometry:
        return geometry(backend);
    }
}

// Clears the depth buffer, and goes back to opaque vertex colours on an RGBA8 target.
void RehearsalScene::begin(Backend& backend)
{
    fill(backend, kDepth, 0x40C00000);
    reset();
}

void RehearsalScene::reset()
{
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
    for (u32 stage = 1; stage < 6; ++stage)
        set_stage(draw_, stage, CombinerOp::Replace, {CombinerSource::Previous});
    set_stage(draw_, 0, CombinerOp::Replace, {CombinerSource::PrimaryColor});
    set_output_map(draw_.vertex);
    draw_.vertex.program = program_.id();
    draw_.program = &program_;
    draw_.uniforms = &uniforms_;
    draw_.uniforms_revision = 1;
    draw_.luts = &luts_;
    draw_.source.count = kVerticesOfDraw;
    draw_.source.topology = Topology::TriangleList;
}

// Writes a word to every pixel of a target.
void RehearsalScene::fill(Backend& backend, PhysAddr target, u32 value)
{
    backend.memory_fill(
        {.start = target, .end = target + kSize * kSize * 4, .value = value, .width = FillWidth::Bits32});
}

// Lets unit 0 read a picture.
void RehearsalScene::bind(PhysAddr address, u16 size, u8 texture_levels)
{
    draw_.texture[0] = {.address = address,
                        .width = size,
                        .height = size,
                        .format = TextureFormat::RGBA8,
                        .levels = texture_levels};
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
    // With the draws above, samplers that repeat along each axis, along both and along none.
    unit.wrap_s = TextureWrap::Repeat;
    unit.wrap_t = TextureWrap::ClampToEdge;
    draw(backend);
    unit.wrap_t = TextureWrap::Repeat;
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
    // The shader multiplies the source (premultiplied_blend.h). With depth, so that a forced interlock does not take the draw.
    draw_.target.has_depth = 1;
    draw_.fragment.depth = DepthMode::Z;
    draw_.output.depth_test = draw_.output.depth_write = 1;
    draw_.output.depth_func = CompareFunc::Always;
    blend(OutputClass::Fetch, {BlendEquation::Add, BlendEquation::ReverseSubtract},
          {BlendFactor::SourceAlpha, BlendFactor::One});
    draw(backend);
    blend(OutputClass::Fetch, {BlendEquation::Add, BlendEquation::Add},
          {BlendFactor::SourceAlpha, BlendFactor::Zero});
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

void RehearsalScene::lighting(Backend& backend)
{
    for (u32 n = 0; n < kLightingDraws; ++n)
    {
        reset();
        set_lighting(draw_, n);
        if (n != 0)
            bind(kTexture, 32);
        draw(backend);
    }
}

void RehearsalScene::procedural(Backend& backend)
{
    for (u32 n = 0; n < kProceduralDraws; ++n)
    {
        reset();
        set_procedural(draw_, n);
        draw(backend);
    }
}

void RehearsalScene::levels(Backend& backend)
{
    for (u32 n = 0; n < kLevelDraws; ++n)
    {
        reset();
        set_levels(draw_, n);
        bind(kTexture, 32, 3);
        draw(backend);
    }
}

void RehearsalScene::bind_cube(u8 texture_levels)
{
    bind(kFaces, 16, texture_levels);
    for (u32 face = 0; face < 6; ++face)
        draw_.cube_faces[face] = kFaces + face * kFaceBytes;
}

void RehearsalScene::cubes(Backend& backend)
{
    for (u32 n = 0; n < kCubeDraws; ++n)
    {
        reset();
        set_cubes(draw_, n);
        if (draw_.fragment.texture[0].is_cube())
            bind_cube(2);
        else
            bind(kTexture, 32);
        draw(backend);
    }
}

// Draws a shadow map, and looks it up. The faces of the cube hold what they hold.
void RehearsalScene::shadows(Backend& backend)
{
    fill(backend, kCopies, 0xFFFFFFFF);
    for (u32 n = 0; n < kShadowMapDraws; ++n)
    {
        reset();
        draw_.target.color_address = kCopies;
        draw_.target.depth_address = 0;
        draw_.target.depth_format = {};
        set_shadow_map(draw_, n);
        draw(backend);
    }
    for (u32 n = 0; n < kShadowLookups; ++n)
    {
        reset();
        set_shadow_lookup(draw_, n);
        if (draw_.fragment.texture[0].is_cube())
            bind_cube(1);
        else
            bind(kCopies, kSize);
        draw(backend);
    }
}

// Sums densities, and shades the sums.
void RehearsalScene::gas(Backend& backend)
{
    fill(backend, kCopies, 0x00100020);
    for (u32 n = 0; n < kGasSums; ++n)
    {
        reset();
        draw_.target.color_address = kCopies;
        set_gas_sum(draw_, n);
        draw(backend);
    }
    reset();
    set_gas_shading(draw_);
    bind(kCopies, kSize);
    draw(backend);
}

void RehearsalScene::geometry(Backend& backend)
{
    draw_.geometry_unit.uniforms = &geometry_uniforms_;
    draw_.geometry_unit.feed = point_feed();
    draw_.geometry_unit.program = &point_program_;
    draw(backend);
    draw_.geometry_unit.feed = fixed_feed();
    draw_.geometry_unit.program = &fixed_program_;
    draw(backend);
}

} // namespace renderer
