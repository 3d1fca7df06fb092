// SPDX-License-Identifier: MIT
#include "tests/support/scenes/draw_scene.h"

#include "tests/support/programs/program_builder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tests
{

namespace
{

constexpr u8 kSceneAttributes = 6;

const ShaderUniforms& no_uniforms()
{
    static const ShaderUniforms uniforms{};
    return uniforms;
}

Program make_copy_program()
{
    ProgramBuilder b;
    for (u32 i = 0; i < kSceneAttributes; ++i)
        b.mov(o(i), v(i));
    b.end();
    return b.program();
}

} // namespace

const Program& copy_program()
{
    static const Program program = make_copy_program();
    return program;
}

DrawScene::DrawScene(u32 width, u32 height)
{
    state.target.color_address = kColor;
    state.target.depth_address = kDepth;
    state.target.width = static_cast<u16>(width);
    state.target.height = static_cast<u16>(height);
    state.target.flip = 1;
    state.target.depth_format = DepthFormat::D24S8;
    state.scissor = {0, 0, static_cast<s32>(width), static_cast<s32>(height)};
    state.geometry.half_width = static_cast<f32>(width) * 0.5f;
    state.geometry.half_height = static_cast<f32>(height) * 0.5f;
    state.constants.depth_scale = -1.0f;
    state.fragment.output = OutputClass::Opaque;
    state.output.blend.color_mask = 15;
    for (TexEnvStageKey& stage : state.fragment.texenv)
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
    state.fragment.texenv[0].color_source[0] = state.fragment.texenv[0].alpha_source[0] =
        CombinerSource::PrimaryColor;
    state.vertex.source.fill(VertexKey::kUnmapped);
    for (u8 i = 0; i < 4; ++i)
    {
        state.vertex.source[i] = i;
        state.vertex.source[0x08 + i] = static_cast<u8>(4 + i);
        state.vertex.source[0x0C + i] = static_cast<u8>(8 + i);
        state.vertex.source[0x04 + i] = static_cast<u8>(16 + i);
    }
    for (u8 i = 0; i < 3; ++i)
        state.vertex.source[0x12 + i] = static_cast<u8>(20 + i);
    state.vertex.source[0x10] = 23;
    state.vertex.source[0x16] = 12;
    state.vertex.source[0x17] = 13;
    state.vertex.program = copy_program().id();
    state.program = &copy_program();
    state.uniforms = &no_uniforms();
    state.uniforms_revision = 1;
    for (u8 i = 0; i < kSceneAttributes; ++i)
    {
        state.source.input[i].source = FetchInput::Source::Inline;
        state.source.input[i].attribute = i;
    }
    state.source.inline_attributes = kSceneAttributes;
    state.source.topology = Topology::TriangleList;
}

Vec4 DrawScene::at(f32 x, f32 y, f32 z, f32 w) const
{
    const f32 ndc_x = (x - static_cast<f32>(state.geometry.viewport_x)) / state.geometry.half_width - 1.0f;
    const f32 ndc_y = (y - static_cast<f32>(state.geometry.viewport_y)) / state.geometry.half_height - 1.0f;
    return {ndc_x * w, ndc_y * w, z * w, w};
}

const Draw& DrawScene::draw()
{
    inline_values_.clear();
    for (const SceneVertex& vertex : vertices)
        inline_values_.insert(inline_values_.end(), {vertex.position, vertex.color, vertex.texcoord01,
                                                     vertex.texcoord2, vertex.quaternion, vertex.view});
    state.source.inline_values = inline_values_;
    state.luts = &luts;
    state.source.count = static_cast<u32>(vertices.size());
    return state;
}

namespace
{

void random_texture(Draw& draw, u32 unit, Random& random)
{
    TextureUnitKey& key = draw.fragment.texture[unit];
    key = {};
    draw.texture[unit] = {};
    if (random.chance(1, 4))
        return;
    key.type = TextureType::Texture2D;
    if (random.chance(1, 16))
    {
        key.null_address = 1;
        return;
    }
    if (unit == 0 && random.chance(1, 2))
        key.type = static_cast<TextureType>(random.below(5));
    key.wrap_s = static_cast<TextureWrap>(random.below(6));
    key.wrap_t = random.chance(1, 2) ? key.wrap_s : static_cast<TextureWrap>(random.below(6));
    key.linear = static_cast<u8>(random.below(2));
    key.texcoord = static_cast<u8>(unit == 2 && random.chance(1, 2) ? 1 : unit);
    TextureBinding& binding = draw.texture[unit];
    binding.address = DrawScene::kTextures + unit * 0x100000;
    if (random.chance(1, 12))
        binding.address = DrawScene::kColor; // samples what it draws over
    binding.width = static_cast<u16>(8u << random.below(5));
    binding.height = static_cast<u16>(8u << random.below(5));
    binding.format = static_cast<TextureFormat>(random.below(kTextureFormatCount));
    draw.constants.border_color[unit] = random.next();
    draw.constants.texture_lod[unit] = {};
    if (key.is_cube())
        for (PhysAddr& face : draw.cube_faces)
            face = DrawScene::kTextures + random.below(32) * 0x800;
    if (key.is_shadow())
    {
        key.wrap_s = key.wrap_t = {};
        key.linear = 0;
        key.orthographic = key.type == TextureType::Shadow2D && random.chance(1, 2);
        draw.constants.shadow_bias = random.below(1u << random.below(25)) & ~1u;
        return;
    }
    const u32 last = static_cast<u32>(std::bit_width(std::min<u32>(binding.width, binding.height))) - 4;
    if (last == 0 || random.chance(1, 2))
        return;
    key.lod = static_cast<u8>(TextureUnitKey::kLodUsed | random.below(4) * TextureUnitKey::kLodMinLinear);
    TextureLod& lod = draw.constants.texture_lod[unit];
    const u32 high = 1 + random.below(last);
    lod.high = static_cast<u16>(256 * high);
    lod.low = static_cast<u16>(256 * (random.chance(1, 2) ? 0 : random.below(high)));
    lod.bias = static_cast<s16>(random.chance(1, 3) ? 0 : random.between(-1024, 1024));
    binding.levels = static_cast<u8>(high + 1);
}

void random_proctex(Draw& draw, Random& random)
{
    ProcTexKey& key = draw.fragment.proctex;
    ProcTexConstants& k = draw.constants.proctex;
    key = {};
    k = {};
    if (random.chance(2, 3))
        return;
    key.enabled = 1;
    key.texcoord = static_cast<u8>(random.below(3));
    key.clamp_u = static_cast<ProcTexClamp>(random.below(5));
    key.clamp_v = static_cast<ProcTexClamp>(random.below(5));
    key.shift_u = static_cast<ProcTexShift>(random.below(3));
    key.shift_v = static_cast<ProcTexShift>(random.below(3));
    key.noise = static_cast<u8>(random.below(2));
    key.color_func = static_cast<ProcTexFunction>(random.below(10));
    key.separate_alpha = static_cast<u8>(random.below(2));
    key.alpha_func = static_cast<ProcTexFunction>(key.separate_alpha != 0 ? random.below(10) : 0);
    key.linear = static_cast<u8>(random.below(2));
    key.mip = static_cast<ProcTexMip>(random.below(3));
    k.amplitude = {random.real(-1.0f, 1.0f), random.real(-1.0f, 1.0f)};
    k.phase = {random.real(-4.0f, 4.0f), random.real(-4.0f, 4.0f)};
    k.frequency = {random.real(0.0f, 20.0f), random.real(0.0f, 20.0f)};
    k.lod_scale = random.real(0.0f, 200.0f);
    k.offsets = random.next();
    k.width = static_cast<u8>(random.chance(1, 2) ? 128 : random.below(256));
    k.max_lod = static_cast<u8>(random.below(8));
    k.min_lod = static_cast<u8>(random.below(k.max_lod + 1u));
}

CombinerSource random_source(const FragmentKey& key, Random& random)
{
    const u32 pick = random.below(9);
    if (key.proctex.enabled && random.chance(1, 6))
        return CombinerSource::Texture3;
    if (pick < 3)
        return key.texture[pick].enabled() ? static_cast<CombinerSource>(3 + pick) : CombinerSource::Zero;
    return random.pick({CombinerSource::PrimaryColor, CombinerSource::Constant, CombinerSource::Previous,
                        CombinerSource::Previous, CombinerSource::PreviousBuffer});
}

void random_texenv(Draw& draw, Random& random)
{
    FragmentKey& key = draw.fragment;
    for (TexEnvStageKey& stage : key.texenv)
    {
        stage = {};
        if (random.chance(1, 4))
        {
            stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Previous;
            continue;
        }
        for (u32 slot = 0; slot < 3; ++slot)
        {
            stage.color_source[slot] = random_source(key, random);
            stage.alpha_source[slot] =
                random.chance(1, 2) ? stage.color_source[slot] : random_source(key, random);
            stage.color_operand[slot] =
                random.chance(1, 2)
                    ? ColorOperand::Rgb
                    : static_cast<ColorOperand>(random.pick({0, 1, 2, 3, 4, 5, 8, 9, 12, 13}));
            stage.alpha_operand[slot] =
                random.chance(1, 2) ? AlphaOperand::Alpha : static_cast<AlphaOperand>(random.below(8));
        }
        stage.color_op = static_cast<CombinerOp>(random.below(10));
        stage.alpha_op =
            random.chance(1, 2) && stage.color_op != CombinerOp::Dot3Rgb &&
                    stage.color_op != CombinerOp::Dot3Rgba
                ? stage.color_op
                : random.pick({CombinerOp::Replace, CombinerOp::Modulate, CombinerOp::Add,
                               CombinerOp::AddSigned, CombinerOp::Interpolate, CombinerOp::Subtract,
                               CombinerOp::MultiplyThenAdd, CombinerOp::AddThenMultiply});
        stage.color_shift = static_cast<u8>(random.chance(1, 2) ? 0 : random.below(3));
        stage.alpha_shift = static_cast<u8>(random.chance(1, 2) ? 0 : random.below(3));
    }
    key.buffer_color_update = static_cast<u8>(random.below(16));
    key.buffer_alpha_update = static_cast<u8>(random.below(16));
    for (u32& color : draw.constants.texenv_color)
        color = random.next();
    draw.constants.texenv_buffer_color = random.next();
}

void random_depth(Draw& draw, Random& random)
{
    RenderTarget& target = draw.target;
    OutputState& out = draw.output;
    target.depth_format =
        random.pick({DepthFormat::D24S8, DepthFormat::D24S8, DepthFormat::D24, DepthFormat::D16});
    out.depth_func = static_cast<CompareFunc>(random.below(8));
    out.depth_test = out.depth_func != CompareFunc::Always;
    out.depth_write = static_cast<u8>(random.below(2));
    const bool depth = out.depth_test || out.depth_write;
    draw.fragment.depth = !depth ? DepthMode::None : random.chance(1, 3) ? DepthMode::W : DepthMode::Z;
    draw.fragment.depth16 = depth && target.depth_format == DepthFormat::D16;
    draw.fragment.depth_zero = DepthZero::None;
    if (out.depth_func == CompareFunc::Equal || out.depth_func == CompareFunc::NotEqual)
        if (random.chance(1, 2))
            draw.fragment.depth_zero =
                out.depth_func == CompareFunc::Equal ? DepthZero::Zero : DepthZero::Nonzero;
    out.stencil_test = target.depth_format == DepthFormat::D24S8 && random.chance(1, 2);
    out.stencil_func = static_cast<CompareFunc>(random.below(8));
    out.stencil_fail = static_cast<StencilOp>(random.below(8));
    out.stencil_depth_fail = static_cast<StencilOp>(random.below(8));
    out.stencil_pass = static_cast<StencilOp>(random.below(8));
    target.has_depth = depth || out.stencil_test;
    draw.constants.stencil_reference = static_cast<u8>(random.next());
    draw.constants.stencil_compare_mask = static_cast<u8>(random.next());
    draw.constants.stencil_write_mask = static_cast<u8>(random.next());
    draw.constants.depth_scale = random.real(-1.5f, 0.5f);
    draw.constants.depth_offset = random.real(-0.25f, 0.25f);
}

// After depth and output.
void random_fog(Draw& draw, Random& random)
{
    FragmentKey& key = draw.fragment;
    key.fog = {};
    draw.constants.fog_color = 0;
    if (key.output == OutputClass::None || random.chance(1, 2))
        return;
    key.fog.mode = FogMode::Fog;
    key.fog.flip = static_cast<u8>(random.below(2));
    key.fog.depth = key.depth != DepthMode::None ? key.depth
                    : random.chance(1, 3)        ? DepthMode::W
                                                 : DepthMode::Z;
    draw.constants.fog_color = random.next() & 0xFFFFFF;
}

void random_output(Draw& draw, Random& random)
{
    BlendState& blend = draw.output.blend;
    blend = {};
    draw.target.color_format = static_cast<ColorFormat>(random.below(5));
    draw.fragment.color_format = draw.target.color_format;
    blend.color_mask = static_cast<u8>(random.chance(1, 2) ? 15 : random.below(16));
    if (draw.target.color_format == ColorFormat::RGB8 || draw.target.color_format == ColorFormat::RGB565)
        blend.color_mask &= 7;
    blend.source_color = blend.source_alpha = BlendFactor::One;
    draw.fragment.output = OutputClass::Opaque;
    if (random.chance(1, 16) || blend.color_mask == 0)
        draw.fragment.output = OutputClass::None;
    else if (random.chance(1, 6))
    {
        draw.fragment.output = OutputClass::LogicOp;
        blend.logic = 1;
        blend.logic_op = static_cast<LogicOp>(random.below(16));
    }
    else if (random.chance(2, 3))
    {
        draw.fragment.output = OutputClass::Fetch;
        blend.equation_color = static_cast<BlendEquation>(random.below(5));
        blend.equation_alpha =
            random.chance(1, 2) ? blend.equation_color : static_cast<BlendEquation>(random.below(5));
        blend.source_color = static_cast<BlendFactor>(random.below(15));
        blend.source_alpha = static_cast<BlendFactor>(random.below(15));
        blend.destination_color = static_cast<BlendFactor>(random.below(15));
        blend.destination_alpha = static_cast<BlendFactor>(random.below(15));
        blend.read_destination = random.chance(1, 12) ? 0 : 1;
    }
    draw.constants.blend_color = random.next();
    draw.fragment.alpha_func =
        random.chance(1, 2) ? CompareFunc::Always : static_cast<CompareFunc>(random.below(8));
    draw.constants.alpha_reference = static_cast<u8>(random.next());
}

// In place of the other fragment operations.
void random_shadow_map(Draw& draw, Random& random)
{
    FragmentKey& key = draw.fragment;
    key.shadow_map = DepthMode::None;
    if (!random.chance(1, 8))
        return;
    key.shadow_map = random.chance(1, 3) ? DepthMode::W : DepthMode::Z;
    key.output = OutputClass::Fetch;
    key.fog = {};
    key.alpha_func = CompareFunc::Always;
    key.depth = DepthMode::None;
    key.depth16 = 0;
    key.depth_zero = DepthZero::None;
    key.color_format = draw.target.color_format = ColorFormat::RGBA8;
    draw.target.has_depth = 0;
    draw.output = {};
    draw.output.blend.color_mask = 15;
    draw.constants.shadow_constant = random.chance(1, 8) ? 0.0f : random.real(-1.0f, 4.0f);
    draw.constants.shadow_linear = random.chance(1, 8) ? 0.0f : random.real(-4.0f, 1.0f);
}

} // namespace

void randomise_state(Draw& draw, Random& random)
{
    for (u32 unit = 0; unit < 3; ++unit)
        random_texture(draw, unit, random);
    random_proctex(draw, random);
    random_texenv(draw, random);
    random_depth(draw, random);
    random_output(draw, random);
    random_fog(draw, random);
    random_shadow_map(draw, random);
    draw.target.flip = static_cast<u8>(random.below(2));
    draw.target.block32 = draw.target.width % 32 == 0 && random.chance(1, 4);
    const s32 w = draw.target.width;
    const s32 h = draw.target.height;
    draw.scissor = {0, 0, w, h};
    draw.fragment.scissor_exclude = 0;
    if (random.chance(1, 4))
        draw.scissor = {random.between(0, w), random.between(0, h), random.between(0, w),
                        random.between(0, h)};
    else if (random.chance(1, 4))
    {
        draw.fragment.scissor_exclude = 1;
        draw.constants.scissor_x1 = static_cast<u16>(random.between(0, w / 2));
        draw.constants.scissor_y1 = static_cast<u16>(random.between(0, h / 2));
        draw.constants.scissor_x2 = static_cast<u16>(random.between(draw.constants.scissor_x1, w - 1));
        draw.constants.scissor_y2 = static_cast<u16>(random.between(draw.constants.scissor_y1, h - 1));
    }
    draw.geometry.cull = static_cast<CullMode>(random.chance(1, 2) ? 0 : random.below(3));
    draw.geometry.flat_color = random.chance(1, 8);
}

void randomise_luts(Luts& luts, Random& random)
{
    const auto fill = [&](auto& words)
    {
        for (u32& word : words)
            word = random.next();
    };
    for (auto& table : luts.lighting)
        fill(table);
    fill(luts.fog);
    fill(luts.proctex_noise);
    fill(luts.proctex_rgb_map);
    fill(luts.proctex_alpha_map);
    fill(luts.proctex_color);
    fill(luts.proctex_color_diff);
    fill(luts.gas);
    luts.revisions.fill(random.next64() | 1);
}

void random_triangles(DrawScene& scene, Random& random, u32 count)
{
    const f32 width = scene.state.target.width;
    const f32 height = scene.state.target.height;
    const auto snap = [&](f32 x)
    {
        const u32 kind = random.below(3);
        return kind == 0 ? x : kind == 1 ? std::floor(x) + 0.5f : std::floor(x * 16.0f) / 16.0f;
    };
    const auto color = [&] { return random.real(-1.25f, 1.25f); };
    const auto texcoord = [&] { return random.real(-3.0f, 3.0f); };
    const bool perspective = random.chance(1, 2);
    for (u32 t = 0; t < count; ++t)
    {
        const f32 size = random.pick({3.0f, 10.0f, 40.0f, 200.0f});
        const f32 x = random.real(-0.1f * width, 1.1f * width);
        const f32 y = random.real(-0.1f * height, 1.1f * height);
        const bool shares_edge = scene.vertices.size() >= 3 && random.chance(1, 3);
        for (u32 i = 0; i < 3; ++i)
        {
            if (shares_edge && i < 2)
            {
                scene.vertices.push_back(scene.vertices[scene.vertices.size() - 2]);
                continue;
            }
            SceneVertex v;
            const f32 w = perspective ? random.real(0.5f, 8.0f) : 1.0f;
            v.position = scene.at(snap(x + random.real(-size, size)), snap(y + random.real(-size, size)),
                                  random.real(-1.05f, 0.05f), w);
            v.color = {color(), color(), color(), color()};
            v.texcoord01 = {texcoord(), texcoord(), texcoord(), texcoord()};
            v.texcoord2 = {texcoord(), texcoord(), 0.0f, 0.0f};
            v.view[3] = random.chance(1, 2) ? texcoord() : 1.0f;
            scene.vertices.push_back(v);
        }
    }
}

void fill_memory(GuestMemory& memory, Random& random)
{
    for (const PhysAddr address : {DrawScene::kColor, DrawScene::kDepth, DrawScene::kTextures,
                                   DrawScene::kTextures + 0x100000, DrawScene::kTextures + 0x200000})
    {
        const std::span<u8> bytes = memory.span(address, 0x20000);
        for (u8& byte : bytes)
            byte = static_cast<u8>(random.next());
        memory.did_write(address, 0x20000);
    }
}

} // namespace tests
