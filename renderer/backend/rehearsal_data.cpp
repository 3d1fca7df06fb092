// SPDX-License-Identifier: MIT
#include "renderer/backend/rehearsal_data.h"

#include "pica/shader/isa.h"

#include <cstring>

namespace renderer::rehearsal
{

using namespace pica;

namespace
{

using Source = CombinerSource;

void put(std::span<u8> bytes, u32& offset, f32 value)
{
    std::memcpy(bytes.data() + offset, &value, 4);
    offset += 4;
}

// Assembles programs whose operands have all components in order.
class Writer
{
public:
    explicit Writer(ShaderStage stage) : code_(stage)
    {
        constexpr u32 kIdentity = 0x1B; // the swizzle xyzw
        code_.write_descriptor(0, 0xF | kIdentity << 5 | kIdentity << 14 | kIdentity << 23);
    }
    void mov(u32 output, u32 source) { word(Opcode::Mov, output << 21 | source << 12); }
    void add(u32 output, u32 first, u32 second)
    {
        word(Opcode::Add, output << 21 | first << 12 | second << 7);
    }
    // Says which vertex of a triangle the outputs are; the third one completes it.
    void set_emit(u32 vertex) { word(Opcode::Setemit, vertex << 24 | (vertex == 2 ? 1u << 23 : 0u)); }
    void emit() { word(Opcode::Emit, 0); }
    ShaderCode end()
    {
        word(Opcode::End, 0);
        return code_;
    }

private:
    void word(Opcode op, u32 operands) { code_.write_word(at_++, static_cast<u32>(op) << 26 | operands); }

    ShaderCode code_;
    u32 at_ = 0;
};

constexpr u8 kAttributes = 3;   // of a vertex, for geometry programs
constexpr u8 kFirstUniform = 8; // that takes attributes
constexpr u16 kOutputs = 7;     // o0, o1, o2

u32 constant(u32 n)
{
    return kFirstConstant + n;
}

GeometryFeed feed(GeometryMode mode)
{
    GeometryFeed feed;
    feed.enabled = 1;
    feed.mode = mode;
    feed.attributes = kAttributes;
    feed.output_mask = kOutputs;
    feed.source.fill(GeometryFeed::kNoOutput);
    for (u8 i = 0; i < kAttributes; ++i)
        feed.source[i] = i;
    return feed;
}

TextureUnitKey& unit0(Draw& draw, TextureType type, TextureWrap wrap, u8 linear, u8 lod = 0)
{
    TextureUnitKey& unit = draw.fragment.texture[0];
    unit.type = type;
    unit.wrap_s = unit.wrap_t = wrap;
    unit.linear = linear;
    unit.lod = lod;
    return unit;
}

void modulate_texture(Draw& draw)
{
    set_stage(draw, 0, CombinerOp::Modulate, {Source::PrimaryColor, Source::Texture0});
}

// Constants of two lights with everything.
void set_lights(LightingConstants& lighting)
{
    for (u32 slot = 0; slot < 2; ++slot)
    {
        LightConstants& light = lighting.light[slot];
        const f32 step = static_cast<f32>(slot) * 0.25f;
        light.specular0 = {0.75f - step, 0.5f, 0.25f + step};
        light.specular1 = {0.25f, 0.75f - step, 0.5f};
        light.diffuse = {0.875f - step, 0.625f, 0.375f + step};
        light.ambient = {0.0625f, 0.125f, 0.03125f};
        light.position = {0.5f - 4 * step, 0.75f, 1.0f + step};
        light.spot = {-0.25f, 0.5f - step, 0.75f};
        light.attenuation_scale = 0.125f;
        light.attenuation_bias = 0.0625f;
    }
    lighting.ambient = {0.125f, 0.0625f, 0.1875f};
}

// One light of no special kind.
void set_plain_light(Draw& draw)
{
    draw.fragment.lighting.lights = draw.fragment.lighting.primary = 1;
    draw.lighting.light[0].diffuse = {0.75f, 0.625f, 0.5f};
    draw.lighting.light[0].ambient = {0.125f, 0.0625f, 0.25f};
    draw.lighting.light[0].position = {0.25f, -0.5f, 1.5f};
    set_stage(draw, 0, CombinerOp::Replace, {Source::FragmentPrimary});
}

// Two lights, unsigned and signed tables, and a normal map.
void set_highlights(Draw& draw)
{
    unit0(draw, TextureType::Texture2D, TextureWrap::Repeat, 0);
    set_stage(draw, 0, CombinerOp::Add, {Source::FragmentPrimary, Source::FragmentSecondary});
    set_lights(draw.lighting);
    LightingKey& key = draw.fragment.lighting;
    key.lights = 2;
    key.primary = key.secondary = key.clamp_highlights = key.fresnel_primary = 1;
    key.bump = BumpMode::NormalMap;
    key.light[0].flags = LightKey::Directional | LightKey::TwoSided | LightKey::GeometricFactor0;
    key.light[1].flags = LightKey::GeometricFactor1 | LightKey::Spot | LightKey::Distance;
    key.light[1].light = 5;
    key.table[LightTable::D0] = {1, 0, LightingInput::NH, LightingScale::Two};
    key.table[LightTable::D1] = {1, 1, LightingInput::VH, LightingScale::Half};
    key.table[LightTable::RR] = {1, 0, LightingInput::NV, LightingScale::One};
    key.table[LightTable::RG] = {1, 1, LightingInput::LN, LightingScale::Eight};
    key.table[LightTable::FR] = {1, 0, LightingInput::LN, LightingScale::One};
    key.table[LightTable::SP] = {1, 0, LightingInput::SP, LightingScale::Quarter};
}

// A tangent map, the angle to it, and a shadow.
void set_tangents(Draw& draw)
{
    unit0(draw, TextureType::Texture2D, TextureWrap::MirroredRepeat, 0);
    set_stage(draw, 0, CombinerOp::Add, {Source::FragmentPrimary, Source::FragmentSecondary});
    set_lights(draw.lighting);
    draw.lighting.light[1] = {};
    LightingKey& key = draw.fragment.lighting;
    key.lights = key.primary = key.secondary = 1;
    key.bump = BumpMode::TangentMap;
    key.shadow = key.shadow_invert = 1;
    key.light[0].flags = LightKey::ShadowPrimary | LightKey::ShadowSecondary;
    key.table[LightTable::D0] = {1, 1, LightingInput::CP, LightingScale::One};
}

} // namespace

void fill_vertices(std::span<u8> bytes, Numbers& numbers)
{
    u32 offset = 0;
    for (u32 triangle = 0; triangle < kVertexSets * kTriangles; ++triangle)
    {
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

void fill_tables(Luts& luts)
{
    Numbers numbers;
    const auto fill = [&](auto& table)
    {
        for (u32& word : table)
            word = numbers.next();
    };
    fill(luts.fog);
    for (auto& table : luts.lighting)
        fill(table);
    fill(luts.proctex_noise);
    fill(luts.proctex_rgb_map);
    fill(luts.proctex_alpha_map);
    fill(luts.proctex_color);
    fill(luts.proctex_color_diff);
    fill(luts.gas);
    for (u32 table = 0; table < Luts::kTables; ++table)
        luts.changed(static_cast<LutTable>(table));
}

ShaderCode copy_code()
{
    Writer writer(ShaderStage::Vertex);
    for (u32 i = 0; i < kInputs; ++i)
        writer.mov(i, i);
    return writer.end();
}

ShaderCode point_code()
{
    Writer writer(ShaderStage::Geometry);
    for (u32 corner = 0; corner < 3; ++corner)
    {
        writer.set_emit(corner);
        writer.add(0, constant(corner), 0);
        writer.add(1, constant(corner), 1);
        writer.mov(2, 2);
        writer.emit();
    }
    return writer.end();
}

ShaderCode fixed_code()
{
    Writer writer(ShaderStage::Geometry);
    for (u32 corner = 0; corner < 3; ++corner)
    {
        const u32 first = constant(kFirstUniform + kAttributes * corner);
        writer.set_emit(corner);
        writer.mov(0, first);
        writer.mov(1, first + 2);
        writer.mov(2, first + 1);
        writer.emit();
    }
    return writer.end();
}

ShaderUniforms geometry_uniforms()
{
    ShaderUniforms uniforms;
    uniforms.f[0] = {-0.25f, -0.125f, 0.0f, 0.0f};
    uniforms.f[1] = {0.25f, -0.25f, 0.0f, 0.0f};
    uniforms.f[2] = {0.0f, 0.375f, 0.0f, 0.0f};
    return uniforms;
}

GeometryFeed point_feed()
{
    GeometryFeed point = feed(GeometryMode::Point);
    point.inputs = kAttributes;
    for (u8 i = 0; i < kAttributes; ++i)
        point.target[i] = i;
    return point;
}

GeometryFeed fixed_feed()
{
    GeometryFeed fixed = feed(GeometryMode::Fixed);
    fixed.vertices = 3;
    fixed.first_uniform = kFirstUniform;
    return fixed;
}

void set_stage(Draw& draw, u32 stage, CombinerOp op, const std::array<CombinerSource, 3>& sources)
{
    TexEnvStageKey& key = draw.fragment.texenv[stage];
    key = {};
    key.color_op = key.alpha_op = op;
    for (u32 i = 0; i < 3; ++i)
        key.color_source[i] = key.alpha_source[i] = sources[i];
}

void set_output_map(VertexKey& key)
{
    key.source.fill(VertexKey::kUnmapped);
    for (u8 i = 0; i < 4; ++i)
    {
        key.source[i] = i;
        key.source[0x04 + i] = key.source[0x08 + i] = static_cast<u8>(4 + i);
        key.source[0x0C + i] = static_cast<u8>(8 + i);
    }
    key.source[0x10] = 10;
    for (u8 i = 0; i < 3; ++i)
        key.source[0x12 + i] = static_cast<u8>(8 + i);
}

void set_lighting(Draw& draw, u32 n)
{
    constexpr void (*kStates[kLightingDraws])(Draw&) = {set_plain_light, set_highlights, set_tangents};
    kStates[n](draw);
}

void set_procedural(Draw& draw, u32 n)
{
    ProcTexConstants& constants = draw.constants.proctex;
    set_stage(draw, 0, CombinerOp::Modulate, {Source::Texture3, Source::PrimaryColor});
    constants.width = 64;
    if (n == 0)
    {
        draw.fragment.proctex = {.enabled = 1,
                                 .clamp_u = ProcTexClamp::SymmetricalRepeat,
                                 .clamp_v = ProcTexClamp::ToEdge,
                                 .color_func = ProcTexFunction::SqrtAdd2};
        return;
    }
    draw.fragment.proctex = {.enabled = 1,
                             .texcoord = 1,
                             .clamp_u = ProcTexClamp::MirroredRepeat,
                             .clamp_v = ProcTexClamp::Pulse,
                             .shift_u = ProcTexShift::Odd,
                             .shift_v = ProcTexShift::Even,
                             .noise = 1,
                             .color_func = ProcTexFunction::RMax,
                             .separate_alpha = 1,
                             .alpha_func = ProcTexFunction::Min,
                             .linear = 1,
                             .mip = ProcTexMip::Linear};
    constants.amplitude = {0.25f, -0.125f};
    constants.phase = {0.5f, 0.25f};
    constants.frequency = {4.5f, 9.0f};
    constants.lod_scale = 16.0f;
    constants.offsets = 0xF0E0C080;
    constants.max_lod = 3;
}

void set_shadow_map(Draw& draw, u32 n)
{
    // Green 0 draws a depth, everything else a penumbra.
    set_stage(draw, 0, CombinerOp::Replace, {Source::Constant});
    draw.constants.texenv_color[0] = n == 0 ? 0 : 0x00009000;
    draw.fragment.output = OutputClass::Fetch;
    draw.fragment.shadow_map = DepthMode::Z;
    draw.output = {};
    draw.output.blend.color_mask = 15;
    draw.constants.shadow_constant = 0.25f;
    draw.constants.shadow_linear = 0.5f;
}

void set_shadow_lookup(Draw& draw, u32 n)
{
    modulate_texture(draw);
    unit0(draw, n == 0 ? TextureType::Shadow2D : TextureType::ShadowCube, TextureWrap::ClampToEdge, 0);
    draw.constants.shadow_bias = 0x1000;
}

void set_gas_sum(Draw& draw, u32 n)
{
    draw.fragment.output = OutputClass::Fetch;
    draw.output = {};
    // Where its codes do not fit the format of the draw, the depth buffer's bytes are as good as any.
    static constexpr DepthFormat kFormats[] = {DepthFormat::D24S8, DepthFormat::D24S8, DepthFormat::D16,
                                               DepthFormat::D24};
    static constexpr TextureFormat kTextures[] = {TextureFormat::RGBA8, TextureFormat::RGBA8,
                                                  TextureFormat::IA8, TextureFormat::RGB8};
    draw.fragment.gas = {.accumulate = 1,
                         .func = n % 2 == 0 ? GasDepthFunc::Always : GasDepthFunc::Less,
                         .depth = DepthMode::Z,
                         .depth_format = kFormats[n],
                         .flip = draw.target.flip};
    draw.constants.gas_depth_scale = 4.0f / (kFormats[n] == DepthFormat::D16 ? 65535.0f : 16777215.0f);
    draw.gas_depth = {.address = draw.target.depth_address,
                      .width = draw.target.width,
                      .height = draw.target.height,
                      .format = kTextures[n]};
    draw.target.depth_address = 0;
    draw.target.depth_format = {};
}

void set_gas_shading(Draw& draw)
{
    set_stage(draw, 0, CombinerOp::Replace, {Source::Texture0});
    unit0(draw, TextureType::Texture2D, TextureWrap::Repeat, 0);
    draw.fragment.fog = {FogMode::Gas, 0, DepthMode::None, FogKey::kGasAttenuated | FogKey::kGasByLight};
    draw.constants.depth_scale = 0.0f;
    draw.constants.gas = {.normalisation = 1.0f / 512.0f,
                          .attenuation = 0.75f,
                          .planar = {0.125f, 0.75f, 0.5f},
                          .view = {0.25f, 0.875f, 0.625f},
                          .line_of_sight = 0.5f};
}

void set_levels(Draw& draw, u32 n)
{
    modulate_texture(draw);
    const u8 smooth = TextureUnitKey::kLodMinLinear | TextureUnitKey::kLodMipLinear;
    unit0(draw, TextureType::Texture2D, n == 0 ? TextureWrap::Repeat : TextureWrap::ClampToBorder,
          n == 0 ? 0 : 1, static_cast<u8>(TextureUnitKey::kLodUsed | (n == 0 ? 0 : smooth)));
    draw.constants.texture_lod[0] = {.bias = static_cast<s16>(n == 0 ? 0 : -0x60), .low = 0, .high = 0x200};
    if (n != 0)
        draw.constants.border_color[0] = 0x80402010;
}

void set_cubes(Draw& draw, u32 n)
{
    modulate_texture(draw);
    if (n != 0)
    {
        unit0(draw, TextureType::Projection, TextureWrap::MirroredRepeat, 1);
        return;
    }
    unit0(draw, TextureType::Cube, TextureWrap::ClampToEdge, 0,
          TextureUnitKey::kLodUsed | TextureUnitKey::kLodMinLinear);
    draw.constants.texture_lod[0] = {.bias = 0, .low = 0, .high = 0x100};
}

} // namespace renderer::rehearsal
